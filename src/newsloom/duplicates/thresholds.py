"""How alike two articles must be, in named profiles. Numbers only.

`seed` has the values the project was asked for; `measured` those that did best on the development
data, each with its figure in docs/work/quality.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares are 0..1; each is the least (distance and times: the most) that still counts."""

    title_jaccard: float = 0.85  # common words of two titles, of all their words
    short_title_jaccard: float = 0.95  # for titles of fewer than SHORT_TITLE words
    title_levenshtein: float = 0.9  # common letters
    simhash_distance: int = 3  # bits of 64
    minhash_jaccard: float = 0.7  # common pairs of following words, of all
    containment: float = 0.5  # the same, of those of the shorter text
    shared_sentences: int = 2  # of the first three long ones
    event_probability: float = 0.9  # that two articles report the same event
    event_with_names: float = 0.7  # the same, where their names agree
    entity_overlap: float = 0.8  # common names, of those of the article with fewer
    entity_common: int = 3  # common names, dates among them
    entity_title_words: int = 0  # common words of the titles, "the" and "says" apart
    entity_span: timedelta = timedelta(hours=24)
    window: timedelta = timedelta(days=30)


SHORT_TITLE = 5  # words

PROFILES: Mapping[str, Thresholds] = MappingProxyType(
    {"seed": Thresholds(), "measured": Thresholds(entity_overlap=0.6, entity_title_words=2)}
)
