"""Article rows and texts, and the names in texts."""
