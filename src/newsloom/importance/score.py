"""Importance: how much an article matters, 0 to 100, as a weighted sum of five signals.

Authority, corroboration and depth are of the article and the same for everyone; topic relevance
(and a tier that a reader set) is theirs; recency is of the moment. Only recency ages, so a stored
sum of the other four never has to be made again because time passed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from newsloom.importance.values import SourceKind, TextShape

# The decay of recency for an hour, and its named paces; seed 001.
FADE, WEEKLY_FADE, REALTIME_FADE = 0.03, 0.01, 0.05

# Points of corroboration that are still missing halve with each further independent source. Seed
# 001 gives no scale.
HALVING = 1.0

# The cosine to the interest profile that is as near as articles come. Of HuffPost's simulated
# readers, one liked article in ten is nearer. After 20 labels 79 of 100 liked ones have 0, and 82
# of the others: 0 is no evidence.
NEAREST = 0.30


@dataclass(frozen=True, slots=True)
class SignalFacts:
    """What the signals are made of."""

    authority: float = 0.0  # 0..100, of the source
    age: timedelta = timedelta()
    fade: float = FADE  # an hour
    sources: int = 1  # independent ones, its own among them
    nearness: float = 0.0  # cosine to the interest profile; 0 also where there is none
    depth: float = 0.0  # 0..100
    vouched: bool = False  # the table or a rule knows its source


Weights = Mapping[str, float]  # by the name of a signal

# Of seed 001; settings say otherwise.
WEIGHTS: Weights = MappingProxyType(
    {"authority": 0.25, "recency": 0.20, "corroboration": 0.20, "topic": 0.20, "depth": 0.15}
)


def recency(age: timedelta, fade: float = FADE) -> float:
    """100 e^(-fade * hours), 0 to 100; nothing is younger than new."""
    return 100.0 * math.exp(-min(fade * max(age / timedelta(hours=1), 0.0), 700.0))


def corroboration(sources: int, alone: float = 0.0) -> float:
    """0 to 100, for so many independent sources that tell of it; `alone` is what one has."""
    return 100.0 - (100.0 - alone) * math.exp2(-HALVING * max(sources - 1, 0))


def topic(nearness: float, far: float = 0.0) -> float:
    """0 to 100, for a cosine to the interest profile; `far` is what none has."""
    return far + (100.0 - far) * min(max(nearness, 0.0) / NEAREST, 1.0)


def parts(facts: SignalFacts, weights: Weights = WEIGHTS) -> Mapping[str, float]:
    """The value of each signal, 0 to 100.

    A single source may yet be joined by others, and a profile without a word in common says
    nothing. Such a signal has the mean of those that are known, so that its weight counts for
    them; evidence fills what is missing from there to 100. Of a source that nothing vouches for,
    corroboration begins at 0.
    """
    known = {"authority": _cut(facts.authority), "depth": _cut(facts.depth)}
    alone = _mean(known, weights) if facts.vouched else 0.0
    known["corroboration"] = corroboration(facts.sources, alone)
    known["topic"] = topic(facts.nearness, _mean(known, weights))
    known["recency"] = recency(facts.age, facts.fade)
    return {name: known[name] for name in WEIGHTS}


def lasting_points(facts: SignalFacts, weights: Weights = WEIGHTS) -> float:
    """What all signals but recency add up to, 0 to 100."""
    values = parts(facts, weights)
    return sum(weights[name] * values[name] for name in values if name != "recency")


def _cut(value: float) -> float:
    return min(max(value, 0.0), 100.0)


def _mean(values: Mapping[str, float], weights: Weights) -> float:
    whole = sum(weights[name] for name in values)
    return sum(weights[name] * values[name] for name in values) / whole if whole else 0.0


def importance(points: float, age: timedelta, fade: float, weights: Weights = WEIGHTS) -> float:
    """Importance at a moment, of the points that last; 0 to 100."""
    return points + weights["recency"] * recency(age, fade)


@dataclass(frozen=True, slots=True)
class Blend:
    """How much importance counts in the score that orders "For you"."""

    share: float = 0.0  # 0 to 1
    recency: float = 0.20  # the weight of recency, which is left out: relevance does not age either

    def of(self, relevance: float, points: float) -> float:
        """Relevance with that share of what lasts of importance, 0 to 100."""
        return (1.0 - self.share) * relevance + self.share * self._lasting(points)

    def relevance(self, blended: float, points: float) -> float:
        """What it was before: the other way round."""
        if not 0.0 < self.share < 1.0:
            return blended
        return (blended - self.share * self._lasting(points)) / (1.0 - self.share)

    def _lasting(self, points: float) -> float:
        whole = 1.0 - self.recency
        return min(points / whole, 100.0) if whole > 0 else 0.0


NO_BLEND = Blend()


# Content depth: how much a text holds, against what its own kind of source usually prints.
# Every count saturates. What is rated is a text's density of facts and its structure, so that a
# thousand tables or links are worth no more than a handful.

# Words of a text that is as long as its kind goes: it has all the points for length. Medians of the
# feeds in development are a third to a half of these.
FULL_LENGTH: Mapping[SourceKind, int] = {
    SourceKind.WIRE: 600,
    SourceKind.NEWSPAPER: 900,
    SourceKind.BROADCASTER: 700,
    SourceKind.MAGAZINE: 1_500,
    SourceKind.JOURNAL: 1_500,
    SourceKind.ACADEMIC: 1_200,
    SourceKind.GOVERNMENT: 700,
    SourceKind.STANDARDS: 700,
}
USUAL_LENGTH = 1_000

# What a feed shows of an article in fewer words says nothing of its depth: the median excerpt of 31
# sources in development has 30 to 32.
EXCERPT = 32.0

LENGTH, FACTS, STRUCTURE = 60.0, 25.0, 15.0  # points of each part

# Each of these for every hundred words is as dense as facts get; and no more than so many count.
DENSE_NUMBERS, DENSE_CITATIONS = 3.0, 1.5
STRUCTURES = 3

_LIMIT = 200_000  # characters that are looked at
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?:\s?%)?")
_LINK = re.compile(r"href\s{0,9}=\s{0,9}[\"']?https?://([^\"'/\s>]{1,253})", re.IGNORECASE)
_QUOTE = re.compile(r"<blockquote|[“«„]", re.IGNORECASE)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_LIST = re.compile(r"<[ou]l\b", re.IGNORECASE)
_POINT = re.compile(r"<li\b", re.IGNORECASE)
_HEADING = re.compile(r"<h[2-6]\b", re.IGNORECASE)
# Written without spaces between words: two letters are about a word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def shape(html: str, text: str, source: str) -> TextShape:
    """Count what is in an article: its HTML, its plain text, and the domain that published it."""
    html, text = html[:_LIMIT], text[:_LIMIT]
    elsewhere = {host.lower() for host in _LINK.findall(html) if not _within(host, source)}
    lists = min(len(_LIST.findall(html)), len(_POINT.findall(html)) // 2)
    return TextShape(
        words=len(_WORD.findall(_UNSPACED.sub("", text))) + len(_UNSPACED.findall(text)) // 2,
        numbers=len(_NUMBER.findall(text)),
        citations=len(elsewhere) + len(_QUOTE.findall(html)),
        tables=len(_TABLE.findall(html)),
        lists=lists,
        headings=len(_HEADING.findall(html)),
    )


def depth(counted: TextShape, kind: SourceKind | None = None) -> float:
    """0 to 100; `kind` None: of an unknown source. An excerpt has the depth of the usual one."""
    full = USUAL_LENGTH if kind is None else FULL_LENGTH.get(kind, USUAL_LENGTH)
    length = min(1.0, math.log1p(counted.words) / math.log1p(full))
    per_hundred = 100 / max(counted.words, 100)
    facts = 0.5 * min(1.0, counted.numbers * per_hundred / DENSE_NUMBERS)
    facts += 0.5 * min(1.0, counted.citations * per_hundred / DENSE_CITATIONS)
    structure = min(STRUCTURES, counted.tables + counted.lists + counted.headings) / STRUCTURES
    return max(LENGTH * length + length * (FACTS * facts + STRUCTURE * structure), EXCERPT)


def _within(host: str, source: str) -> bool:
    host = host.lower().partition(":")[0]
    return bool(source) and (host == source or host.endswith("." + source))
