"""A search as a reader types it, and what it found."""

from __future__ import annotations

from newsloom.reading.search_language import parse
from newsloom.reading.values.searching import SearchOrder

from .builders import HALF_LIVES, NOW

BEST, NEWEST, SCORE, OLDEST, RANDOM = SearchOrder


def search(store, reader, typed, order=BEST, limit=10, now=NOW, **options):
    return store.lists.search(reader, parse(typed), order, limit, now, HALF_LIVES, **options)


def ids(found):
    return [one.id for one in found.rows]
