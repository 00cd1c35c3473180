"""Newsloom: a self-hosted news reader that ranks feeds for one reader and for now."""

__version__ = "0.1.0"
