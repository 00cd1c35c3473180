"""Values about pruning: what is due, what went, how large tables are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from newsloom.kernel.ids import ArticleId


class Removal(StrEnum):
    """What is removed of articles for their age, each in a sweep of its own."""

    TEXTS = "texts"
    VECTORS = "vectors"
    KEYS = "keys"
    ARTICLES = "articles"


@dataclass(frozen=True, slots=True)
class SweepPlace:
    """Where a sweep goes on."""

    last: ArticleId  # that was looked at
    begins: bool  # it starts anew


@dataclass(frozen=True, slots=True)
class Aging:
    """The next stretch of a sweep over all articles."""

    ids: tuple[ArticleId, ...]  # originals of it of which something is to go
    upto: ArticleId  # its last article
    ended: bool  # what follows is too young


@dataclass(frozen=True, slots=True)
class PrunedRows:
    """What went, or would."""

    what: str  # a Removal, or a table
    rows: int  # of articles: originals
    bytes: int = 0  # of it, as far as it was counted: texts, vectors and signatures as stored


@dataclass(frozen=True, slots=True)
class TableSize:
    """A table on disk."""

    name: str
    rows: int  # about, where the database only estimates it; -1: not known
    bytes: int  # with its indexes
    indexes: tuple[tuple[str, int], ...] = ()  # name and bytes, the largest first
    dead_rows: int = 0  # deleted or overwritten, and not yet reused
