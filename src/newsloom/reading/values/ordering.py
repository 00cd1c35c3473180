"""The order of a list, where its next page begins, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from newsloom.kernel.ids import ArticleId, FeedId


@dataclass(frozen=True, slots=True)
class Ago:
    """A time before now; of whole days, the midnight before that; of a weekday, the last one's.

    Midnight is of the zone that now is told in.
    """

    span: timedelta
    whole_days: bool = False
    weekday: int | None = None  # 0 is Monday; never today's


class Position(NamedTuple):
    """A place in the order of a list: the higher comes first. Equal keys go by article."""

    sort_key: int
    article: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """What one page of a list hands to the next, so that it continues exactly.

    A position is a place in the order, not an article: it stays good when what stood there is
    read meanwhile, or gone.
    """

    at: datetime  # the moment by whose scores the whole list is ordered
    last: Position  # the lowest row shown so far
    # Of each feed that variety moved down, its first row above `last` that is still to come.
    waiting: tuple[tuple[FeedId, Position], ...] = ()
    recent: tuple[FeedId, ...] = ()  # of the rows shown last, nine at most, the newest last
    before: ArticleId | None = None  # the row shown last
