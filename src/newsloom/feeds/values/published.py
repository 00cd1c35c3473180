"""What a publisher sent: a feed document, mapped to the fields Newsloom keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

# The first feeds are of 1997; some feeds carry articles of papers' own archives on the web. What is
# older is a clock that was never set (1970) or a field left empty (0001).
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file attached to an article."""

    url: str
    type: str = ""
    length: int | None = None  # bytes, as declared
    seconds: int | None = None  # how long it plays, as declared
    title: str = ""  # "Season 2, episode 5", "Transcript"


class Damage(StrEnum):
    """What was wrong with a document, by what may be missing of it."""

    NONE = ""
    MENDED = "mended"  # characters or names; its end was reached and every article is there
    BROKEN = "broken"  # its structure: articles may be lost, or have run into each other
    CUT = "cut"  # it ends before its elements do


@dataclass(frozen=True, slots=True)
class PollHints:
    """What a feed document says about how often to ask for it."""

    ttl: timedelta | None = None  # RSS <ttl>
    skip_hours: frozenset[int] = frozenset()  # 0..23, UTC
    skip_days: frozenset[int] = frozenset()  # Monday is 0
    update_every: timedelta | None = None  # sy:updatePeriod / sy:updateFrequency
    hub: str = ""  # WebSub
    topic: str = ""  # rel=self, what to ask the hub for


class ParsedArticle(NamedTuple):
    """One item of a feed document, mapped to the fields Newsloom keeps."""

    guid: str = ""  # as written; empty when the feed gives none
    url: str = ""  # absolute
    title: str = ""  # plain text
    author: str = ""  # plain text
    summary: str = ""  # HTML
    content: str = ""  # HTML; empty when the feed carries only a summary
    published: datetime | None = None
    updated: datetime | None = None
    language: str = ""  # BCP 47, the item's own or the feed's
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    image: str = ""
    comments_url: str = ""
    origin: str = ""  # its address at its publisher, where the feed says that `url` is another's
    publisher: str = ""  # by name, where the feed names who it took the article from
    publisher_url: str = ""  # absolute

    @property
    def is_dated(self) -> bool:
        """Whether its feed gives it a date that can be."""
        return any(one is not None and one >= EARLIEST for one in (self.published, self.updated))


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed document, mapped."""

    format: str  # "rss 2.0", "rdf 1.0", "atom 1.0", "json 1.1", ...
    title: str = ""
    site_url: str = ""
    description: str = ""
    language: str = ""
    image: str = ""
    hints: PollHints = PollHints()
    articles: tuple[ParsedArticle, ...] = ()
    problem: str = ""  # empty when well-formed, else what was wrong and how it was read anyway
    damage: Damage = Damage.NONE
