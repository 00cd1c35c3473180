"""Related coverage: what other publishers tell of the same event, and how far each can be used.
Pure."""
