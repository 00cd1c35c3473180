"""Streams of articles for programs that keep copies of them. Has no table of its own."""
