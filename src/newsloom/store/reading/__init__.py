"""One reader's feeds, articles and marks."""
