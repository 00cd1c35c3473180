"""Related coverage: chosen articles, searches, hits, pages, decisions."""
