"""Bytes to a ParsedFeed, and OPML both ways. Pure: no network, no clock, no file, no store."""

from newsloom.feeds.parse.opml import OutlineFeed, read_opml, write_opml
from newsloom.feeds.parse.read import parse_feed

__all__ = ["OutlineFeed", "parse_feed", "read_opml", "write_opml"]
