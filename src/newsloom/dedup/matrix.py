"""The decision matrix: what two articles are to each other, by what was found about the pair.

The one place where someone reads what happens. Finds no facts: dedup/pairs.py and dedup/decide.py
do. docs/duplicates.md tells the same in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from newsloom.types import Relation

# One headline elsewhere within three days is the same news; over weeks it is a phrase.
SAME_NEWS_HOURS = 72.0


class Origin(StrEnum):
    """Where the two were published."""

    FEED = "same feed"
    SOURCE = "same source"
    OTHER = "another source"
    UNKNOWN = "unknown"  # one has no address that names a source


class Titles(StrEnum):
    UNLIKE = "unlike"
    STEP = "a step apart"  # but for a number or a day: "Episode 12", "Episode 13"
    ALIKE = "alike"  # layer 3


class Texts(StrEnum):
    UNKNOWN = "unknown"  # one has too little text to compare
    DIFFERENT = "different"
    TEMPLATE = "template"  # alike, but for just what a form leaves open
    SAME = "same"  # layer 4


class Keep(StrEnum):
    """Of two that are merged, which is shown."""

    LATEST = "latest"
    FULLER = "fuller"


@dataclass(frozen=True, slots=True)
class PairFacts:
    """All that a decision may look at; the same whichever of the two came first."""

    origin: Origin
    guid: bool = False  # layer 1
    url: bool = False  # layer 2
    hours: float = 0.0  # apart
    titles: Titles = Titles.UNLIKE
    recurring: bool = False  # a title that could stand over another article tomorrow
    texts: Texts = Texts.UNKNOWN
    event: bool = False  # layer 5

    @property
    def own(self) -> bool:
        return self.origin in (Origin.FEED, Origin.SOURCE)

    @property
    def elsewhere(self) -> bool:
        return self.origin is Origin.OTHER

    @property
    def series(self) -> bool:
        """Two of one publisher's series: what they share is their form."""
        same_form = self.recurring or self.texts is Texts.TEMPLATE
        return self.titles is Titles.STEP or (same_form and self.titles is Titles.ALIKE)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the matrix: it decides where it holds and none above it does."""

    name: str
    holds: Callable[[PairFacts], bool]
    keep: Keep | None = None  # merge, and show this one
    relation: Relation | None = None  # both stay, linked by this; with neither: nothing happens
    seed: int | None = None  # the row of the matrix the project was asked for


MATRIX = (
    # While polling, see dedup/decide.py: the two become one article.
    Row("same id", lambda f: f.guid and f.origin is Origin.FEED, keep=Keep.LATEST, seed=1),
    Row("same address", lambda f: f.url and f.origin is Origin.FEED, keep=Keep.LATEST, seed=2),
    Row("same address elsewhere", lambda f: f.url, keep=Keep.FULLER, seed=2),
    # After the text stage, see dedup/pairs.py: both stay.
    Row("template", lambda f: f.texts is Texts.TEMPLATE),
    Row("same text", lambda f: f.texts is Texts.SAME, relation=Relation.SAME_TEXT, seed=4),
    Row("next of a series", lambda f: f.series and not f.elsewhere),
    Row(
        "changed report",
        lambda f: (
            f.titles is Titles.ALIKE
            and f.texts is Texts.DIFFERENT
            and f.own
            and f.hours <= SAME_NEWS_HOURS
        ),
        relation=Relation.REVISION,
        seed=6,
    ),
    Row(
        "same headline elsewhere",
        lambda f: (
            f.titles is Titles.ALIKE
            and not f.recurring
            and f.elsewhere
            and f.hours <= SAME_NEWS_HOURS
        ),
        relation=Relation.NEAR_DUPLICATE,
        seed=3,
    ),
    Row("same event", lambda f: f.event, relation=Relation.SAME_EVENT, seed=5),
    Row("nothing", lambda f: True),  # noqa: ARG005 - the last row always holds
)


def decide(facts: PairFacts) -> Row:
    """The first row that holds."""
    return next(row for row in MATRIX if row.holds(facts))
