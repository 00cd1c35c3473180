"""Topics: articles of one window of time, grouped by what they are about. Pure."""
