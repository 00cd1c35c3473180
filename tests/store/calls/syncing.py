"""Calls of `store.syncing`; those of them that only read."""

from __future__ import annotations

from newsloom.reading.values.syncing import StreamQuery
from store.builders import HALF_LIVES, NOW

from .made import ONE, USER

CALLS = {
    "counts": lambda s: s.syncing.counts(USER),
    "stream": lambda s: s.syncing.stream(USER, StreamQuery()),
    "stream_size": lambda s: s.syncing.stream_size(USER, StreamQuery()),
    "newest_unread": lambda s: s.syncing.newest_unread(USER),
    "arrived": lambda s: s.syncing.arrived(USER, [1]),
    "known_articles": lambda s: s.syncing.known_articles(USER, [ONE]),
    "stream_articles": lambda s: s.syncing.stream_articles(USER, [ONE], NOW, HALF_LIVES),
}
READS = {
    "counts",
    "arrived",
    "known_articles",
    "newest_unread",
    "stream",
    "stream_articles",
    "stream_size",
}
