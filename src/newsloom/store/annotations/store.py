"""`store.annotations`."""

from __future__ import annotations

from newsloom.store.annotations.tags import Tags


class AnnotationStore(Tags):
    """What one reader adds to articles: tags."""
