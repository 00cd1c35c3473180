"""The spoken brief: what is in it, what is said, and its forms. Pure."""
