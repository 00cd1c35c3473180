"""Made-up news in any amount, with copies planted in it. Random, and the same every time."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np

END = datetime(2026, 11, 1, 12, tzinfo=UTC)
SPAN = timedelta(days=30)
SOURCES = 500

# What follows an article within two days, and how often; the rest stand alone. Of the real feeds
# at hand far fewer are copies: many more of them make the work harder, not easier.
COPIED, WIRED, COVERED, FORMED, REVISED = 0.06, 0.01, 0.05, 0.01, 0.01
EDITS = (0.0, 0.0, 0.01, 0.05, 0.1, 0.15)  # shares of words
LATER = timedelta(days=2)

_WORDS, _NAMES = 40_000, 20_000
_PARTS, _DRAWN = 2**20, 2**20  # steps of Zipf's curve; words drawn at once
_SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re",
    "si", "to", "vu", "wa", "ye", "zi", "lon", "mar", "ter", "sen", "vel", "dor",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """One article, and what it was planted as: articles with one `text` say the same."""

    source: int
    dated: datetime
    title: str
    text: str
    author: str
    planted: int  # which text
    event: int  # what it tells of


class Newsroom:
    """Makes articles in the order of their dates."""

    def __init__(self, articles: int, seed: int = 1) -> None:
        self.articles = articles
        self._chance = random.Random(seed)
        self._drawer = np.random.default_rng(seed)
        words = _made_words(seed)
        self._names = [word.capitalize() for word in words[_WORDS:]]
        self._words = np.array(words[:_WORDS], object)
        # Zipf's law, as words of any language follow it.
        share = 1 / np.arange(2, _WORDS + 2)
        parts = np.arange(_PARTS) / _PARTS
        self._zipf = np.searchsorted(np.cumsum(share / share.sum()), parts)
        self._drawn: list[str] = []
        self._next = self._texts = self._events = 0

    def made(self) -> Iterator[Made]:
        """All of them; copies stand among those of their time."""
        waiting: list[tuple[datetime, int, Made]] = []
        began, step, planned = END - SPAN, SPAN / self.articles, 0
        for given in range(self.articles):
            now = began + given * step
            if waiting and waiting[0][0] <= now:
                one = heapq.heappop(waiting)[2]
            else:
                one = self._report(now, self._some_names(6))
                for follower in self._followers(one):
                    planned += 1
                    heapq.heappush(waiting, (follower.dated, planned, follower))
            yield replace(one, dated=now)

    def _report(self, dated: datetime, names: Sequence[str], event: int = 0) -> Made:
        return Made(
            source=self._chance.randrange(SOURCES),
            dated=dated,
            title=self._title(names),
            text=self._body(names),
            author="",
            planted=self._new_text(),
            event=event or self._new_event(),
        )

    def _followers(self, one: Made) -> Iterator[Made]:
        kind = self._chance.random()
        for share, makes in (
            (COPIED, self._copies),
            (WIRED, self._wire),
            (COVERED, self._coverage),
            (FORMED, self._forms),
            (REVISED, self._revision),
        ):
            if kind < share:
                yield from makes(one)
                return
            kind -= share

    def _copies(self, one: Made) -> Iterator[Made]:
        for _ in range(self._chance.randrange(1, 3)):
            yield self._elsewhere(one, self._edited(one.text, self._chance.choice(EDITS)))

    def _wire(self, one: Made) -> Iterator[Made]:
        for _ in range(self._chance.randrange(3, 12)):
            text = f"(Reuters) - {one.text} {self._sentences(25)}"
            yield self._elsewhere(one, text, "Reuters")

    def _coverage(self, one: Made) -> Iterator[Made]:
        """The same event in other words."""
        for _ in range(self._chance.randrange(1, 5)):
            dated = self._after(one, timedelta(hours=12))
            yield self._report(dated, _capitals(one.title), one.event)

    def _forms(self, one: Made) -> Iterator[Made]:
        """The same form filled in otherwise, as results and weather are; nothing to merge."""
        for number in range(self._chance.randrange(2, 6)):
            (place,) = self._some_names(1)
            numbers = " ".join(str(self._chance.randrange(1000)) for _ in range(30))
            yield replace(
                one,
                dated=self._after(one, LATER),
                title=f"Results from {place}: part {number}",
                text=f"Results from {place}: {numbers}. {one.text[:300]}",
                planted=self._new_text(),
                event=self._new_event(),
            )

    def _revision(self, one: Made) -> Iterator[Made]:
        """The same headline at the same source over another text."""
        yield replace(
            one,
            dated=self._after(one, timedelta(hours=6)),
            text=self._body(self._some_names(6)),
            planted=self._new_text(),
        )

    def _elsewhere(self, one: Made, text: str, author: str = "") -> Made:
        retitled = self._chance.random() < 0.5
        return replace(
            one,
            source=self._chance.randrange(SOURCES),
            dated=self._after(one, LATER),
            title=self._title(_capitals(one.title)) if retitled else one.title,
            text=text,
            author=author,
        )

    def _after(self, one: Made, most: timedelta) -> datetime:
        return one.dated + self._chance.random() * most

    def _title(self, names: Sequence[str]) -> str:
        words = self._draw(self._chance.randrange(4, 9))
        for name in names[:2]:
            words.insert(self._chance.randrange(len(words)), name)
        title = " ".join(words)
        return title[:1].upper() + title[1:]

    def _body(self, names: Sequence[str]) -> str:
        return self._sentences(self._chance.randrange(210, 350), names)

    def _sentences(self, count: int, names: Sequence[str] = ()) -> str:
        words = self._draw(count)
        for _ in range(count // 15 if names else 0):
            words[int(count * self._chance.random())] = self._chance.choice(names)
        end = 0
        while end < count:
            begin, end = end, min(end + 8 + int(14 * self._chance.random()), count)
            words[begin] = words[begin].capitalize()
            words[end - 1] += "."
        return " ".join(words)

    def _edited(self, text: str, share: float) -> str:
        """Some words put in place of others."""
        words = text.split(" ")
        for word in self._draw(int(share * len(words))):
            words[self._chance.randrange(len(words))] = word
        return " ".join(words)

    def _draw(self, count: int) -> list[str]:
        if self._next + count > len(self._drawn):
            drawn = self._zipf[self._drawer.integers(0, _PARTS, _DRAWN)]
            self._drawn, self._next = self._words[drawn].tolist(), 0
        self._next += count
        return self._drawn[self._next - count : self._next]

    def _some_names(self, count: int) -> list[str]:
        # A few are in the news every day.
        return [self._names[int(_NAMES * self._chance.random() ** 3)] for _ in range(count)]

    def _new_text(self) -> int:
        self._texts += 1
        return self._texts

    def _new_event(self) -> int:
        self._events += 1
        return self._events


def _capitals(title: str) -> list[str]:
    """The names in a title, whose first word has its capital anyway."""
    return [word for word in title.split()[1:] if word[0].isupper()] or title.split()[:1]


@cache
def _made_words(seed: int) -> list[str]:
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < _WORDS + _NAMES:
        found["".join(chance.choices(_SYLLABLES, k=chance.randrange(1, 5)))] = None
    return list(found)
