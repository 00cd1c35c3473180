"""The reader's pages and a small JSON API. Knows the use cases, never a store or a network."""
