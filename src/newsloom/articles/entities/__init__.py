"""Finds people, organisations, places and dates in texts."""
