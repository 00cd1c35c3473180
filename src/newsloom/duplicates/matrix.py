"""The decision matrix: what two articles are to each other, by what was found about the pair.

The one place where someone reads what happens. Finds no facts: duplicates/pairs.py and
duplicates/decide.py do. docs/work/quality.md tells the same in words and has the figures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from newsloom.duplicates.values import Relation

# One headline in two places within three days is the same news; over weeks it is a phrase. Reports
# of one event come within days too; what comes later is another chapter.
SAME_NEWS = 72.0  # hours
# What comes every day comes later than this.
SAME_ISSUE = 12.0  # hours
# Words that a title must have to stand for one article ("Introduction" and "Hello world" do not),
# and where there is no text to go by.
SAYING = 3
SAYING_ALONE = 6


class Origin(StrEnum):
    """Where the two were published."""

    FEED = "same feed"
    SOURCE = "same source"
    OTHER = "another source"
    UNKNOWN = "unknown"  # one has no address that names a source


class Titles(StrEnum):
    UNLIKE = "unlike"
    KIN = "kin"  # a third of what they say
    STEP = "a step apart"  # but for a number or a day: "Episode 12", "Episode 13"
    ALIKE = "alike"  # layer 3


class Texts(IntEnum):
    """How much two texts share; each level includes those before."""

    UNKNOWN = 0  # one has too little text to compare
    DIFFERENT = 1
    PARTLY = 2  # so much that one title makes up for the rest
    LARGELY = 3  # what the threshold of containment asks for
    MOSTLY = 4  # so much that other titles do not matter
    NEARLY = 5  # to the letter


@dataclass(frozen=True, slots=True)
class PairFacts:
    """All that a decision may look at; the same whichever of the two came first."""

    origin: Origin
    guid: bool = False  # layer 1
    url: bool = False  # layer 2
    hours: float = 0.0  # apart
    titles: Titles = Titles.UNLIKE
    swapped: bool = False  # each title has a word that the other has not
    recurring: bool = False  # a title that could stand over another article tomorrow
    saying: int = 0  # words of the shorter title that say something
    texts: Texts = Texts.UNKNOWN
    lead: bool = False  # layer 4: two or more of the first sentences
    teaser: bool = False  # one of the texts is so short that it could be anybody's
    related: bool = False  # a name or a number in common; or a text that needs none
    template: bool = False  # the texts differ in what a form leaves open
    event: bool = False  # likely reports of the same event: duplicates/pairs.py

    @property
    def own(self) -> bool:
        return self.origin in (Origin.FEED, Origin.SOURCE)

    @property
    def again(self) -> bool:
        """A source publishes something again: alerts, forecasts and weekly threads say the same."""
        return self.own and self.hours > SAME_ISSUE

    @property
    def elsewhere(self) -> bool:
        return self.origin is Origin.OTHER

    @property
    def headline(self) -> bool:
        """Alike, of no series, and they say enough to stand for one article."""
        return self.titles is Titles.ALIKE and not self.recurring and self.saying >= SAYING

    @property
    def heading(self) -> bool:
        """Alike, of no series, and if they say little ("Introduction") then over a whole text.

        One publisher changes a word for another where the article is another one: "Unit tests in
        C#", "Unit tests in F#".
        """
        vague = self.saying < SAYING and self.teaser
        other = self.own and self.swapped
        return self.titles is Titles.ALIKE and not (self.recurring or vague or other)

    @property
    def retitled(self) -> bool:
        """Another headline in which the first is recognised."""
        return self.titles is Titles.KIN and not self.recurring and self.saying >= SAYING

    @property
    def series(self) -> bool:
        """Two of one publisher's series, or who knows whose, unless it is the same issue twice."""
        in_step = self.titles is Titles.STEP or (self.titles is Titles.ALIKE and self.recurring)
        same_issue = self.texts is Texts.NEARLY and self.titles is Titles.ALIKE
        return in_step and not self.elsewhere and not (same_issue and self.hours <= SAME_ISSUE)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the matrix: it decides where it holds and none above it does."""

    name: str
    holds: Callable[[PairFacts], bool]
    layer: str = ""  # whose evidence decides
    merge: bool = False  # one article: the later is its next version
    relation: Relation | None = None  # both stay, linked by this; with neither: nothing happens
    seed: int | None = None  # the row of the matrix that was asked for


# Rows overlap, so their order is meaning. Those of titles alike: a fingerprint that matches goes
# before the headline (one text, not only one subject); a mismatch is a revision with the publisher
# itself and another's report of the same news elsewhere; forms and series go before all of them.
MATRIX = (
    # While polling, see duplicates/decide.py. Only within a feed do two become one article: nothing
    # a feed says may replace, or give away, what another one says.
    Row("same id", lambda f: f.guid and f.origin is Origin.FEED, "guid", merge=True, seed=1),
    Row("same address", lambda f: f.url and f.origin is Origin.FEED, "url", merge=True, seed=2),
    Row(
        "same address, one publisher or one text",
        lambda f: f.url and (f.origin is Origin.SOURCE or f.texts is Texts.NEARLY),
        "url",
        relation=Relation.SAME_TEXT,
        seed=2,
    ),
    Row(
        "same address and headline elsewhere",
        lambda f: f.url,
        "url",
        relation=Relation.NEAR_DUPLICATE,
        seed=2,
    ),
    # After the text stage, see duplicates/pairs.py: both stay.
    Row("form filled in again", lambda f: f.template),
    Row("next of a series", lambda f: f.series),
    Row("published again", lambda f: f.again and f.heading and f.texts is Texts.NEARLY),
    Row(
        "same text under one title",
        lambda f: (
            f.heading and f.texts >= (Texts.LARGELY if f.own else Texts.PARTLY) and not f.again
        ),
        "fingerprint",
        relation=Relation.SAME_TEXT,
        seed=4,
    ),
    Row(
        "same text elsewhere",
        lambda f: f.texts >= Texts.MOSTLY and not f.own and f.related,
        "fingerprint",
        relation=Relation.SAME_TEXT,
        seed=4,
    ),
    Row(
        "same text again",
        lambda f: (
            f.texts is Texts.NEARLY
            and f.own
            and ((f.related and not f.teaser) or (f.retitled and f.hours <= SAME_NEWS))
        ),
        "fingerprint",
        relation=Relation.SAME_TEXT,
        seed=4,
    ),
    Row(
        "changed report",
        lambda f: f.headline and f.own and f.texts >= Texts.DIFFERENT and f.hours <= SAME_NEWS,
        "title",
        relation=Relation.REVISION,
        seed=6,
    ),
    Row(
        "same headline elsewhere",
        lambda f: (
            f.headline
            and f.elsewhere
            and f.hours <= SAME_NEWS
            and (f.texts >= Texts.DIFFERENT or f.saying >= SAYING_ALONE)
        ),
        "title",
        relation=Relation.NEAR_DUPLICATE,
        seed=3,
    ),
    Row(
        "shared text elsewhere",
        lambda f: (
            (f.texts >= Texts.LARGELY or f.lead)
            and f.elsewhere
            and f.related
            and f.hours <= SAME_NEWS
        ),
        "fingerprint",
        relation=Relation.NEAR_DUPLICATE,
        seed=4,
    ),
    # One publisher's articles share its own names, so its headlines must be akin too.
    Row(
        "same event",
        lambda f: (
            f.event
            and f.hours <= SAME_NEWS
            and not f.recurring
            and f.titles is not Titles.STEP
            and f.saying >= (SAYING_ALONE if f.texts is Texts.UNKNOWN else SAYING)
            and (not f.own or f.retitled)
        ),
        "event",
        relation=Relation.SAME_EVENT,
        seed=5,
    ),
    Row("nothing", lambda _: True),
)


def decide(facts: PairFacts) -> Row:
    """The first row that holds."""
    return next(row for row in MATRIX if row.holds(facts))
