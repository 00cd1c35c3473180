"""Helpers on text, URLs and HTML. No business rule, no input or output."""
