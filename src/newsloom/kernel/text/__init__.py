"""Text formats. Pure."""
