"""When each sentence is heard: pauses between sentences and chapters. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.briefs.sound import RATE
from newsloom.briefs.values.briefs import LineTime

# Seconds. Newsreaders pause some 0.4 s between sentences and a second before a new matter; before
# the first and after the last, so that no player cuts into a word.
SENTENCE, CHAPTER, BEFORE, AFTER = 0.45, 1.1, 0.3, 0.7


@dataclass(frozen=True, slots=True)
class Timeline:
    """Where sentences are, in samples."""

    begins: tuple[int, ...]
    lengths: tuple[int, ...]
    total: int

    def times(self) -> tuple[LineTime, ...]:
        return tuple(
            LineTime(begin / RATE, (begin + length) / RATE)
            for begin, length in zip(self.begins, self.lengths, strict=True)
        )

    @property
    def seconds(self) -> float:
        return self.total / RATE


def timeline(lengths: Sequence[int], firsts: Iterable[int]) -> Timeline:
    """Of sentences with so many samples each; `firsts` are those that begin a chapter. One that
    has none, for it could not be spoken, takes no pause either."""
    first = frozenset(firsts)
    begins, at, pending = [], round(BEFORE * RATE), False
    new = False
    for number, length in enumerate(lengths):
        new = new or number in first
        if length and pending:
            at += round((CHAPTER if new else SENTENCE) * RATE)
        if length:
            new = False
        begins.append(at)
        at += length
        pending = pending or length > 0
    return Timeline(tuple(begins), tuple(lengths), at + round(AFTER * RATE))
