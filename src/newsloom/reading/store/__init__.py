"""One reader's subscriptions, articles and marks."""
