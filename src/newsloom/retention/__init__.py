"""Removes old rows, and says what bounds each table."""
