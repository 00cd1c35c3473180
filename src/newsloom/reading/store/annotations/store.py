"""`store.annotations`."""

from __future__ import annotations

from newsloom.reading.store.annotations.highlights import Highlights
from newsloom.reading.store.annotations.notes import Notes
from newsloom.reading.store.annotations.tags import Tags


class AnnotationStore(Tags, Notes, Highlights):
    """What one reader adds to articles: tags, notes, highlights."""
