"""Sentences chosen from articles, attributed to their sources and checked against them."""
