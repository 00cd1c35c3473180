"""Topics that gain or lose: more, or fewer, independent sources than earlier windows had.

Sources are counted and not articles, so that one feed which merely posts more is no trend. Whether
a change is chance is asked with an exact binomial test, given how many sources told of anything in
each window; of many topics tested, Benjamini and Hochberg's procedure keeps the false ones few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from newsloom.digests.values import Trend

# Of the trends that are told, at most this share is chance.
FALSE_SHARE = 0.10
# Sources that a topic must have, now or on average before, to be told of.
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Watched:
    """A topic in this window and in earlier ones of the same length, the oldest first."""

    label: str
    articles: int  # now
    sources: int  # independent, now
    before: tuple[int, ...]  # independent sources in each earlier window
    counts: tuple[int, ...] = ()  # articles by window, this one last


def trends(
    watched: Sequence[Watched], now: int, before: Sequence[int]
) -> tuple[tuple[Trend, ...], tuple[Trend, ...]]:
    """Emerging and declining topics, the surest first.

    `now` and `before` are how many sources told of anything in this window and in earlier ones.
    """
    earlier = sum(before)
    if not earlier or not now:
        return (), ()
    share = now / (now + earlier)
    tested = []
    for one in watched:
        past = sum(one.before)
        if max(one.sources, past / len(before)) < FEWEST:
            continue
        whole = one.sources + past
        more = at_least(one.sources, whole, share)
        fewer = 1.0 - at_least(one.sources + 1, whole, share)
        tested.append((min(1.0, 2 * min(more, fewer)), more < fewer, one))
    kept = _kept([p_value for p_value, _up, _one in tested])
    made = [
        (up, _trend(one, p_value, len(before)))
        for (p_value, up, one), keep in zip(tested, kept, strict=True)
        if keep
    ]
    made.sort(key=lambda pair: (pair[1].p_value, pair[1].label))
    return tuple(one for up, one in made if up), tuple(one for up, one in made if not up)


def at_least(hits: int, tries: int, share: float) -> float:
    """The probability of at least so many hits, each try having that chance."""
    if hits <= 0:
        return 1.0
    if hits > tries:
        return 0.0
    if share >= 1.0:
        return 1.0
    logs = (
        math.lgamma(tries + 1)
        - math.lgamma(one + 1)
        - math.lgamma(tries - one + 1)
        + one * math.log(share)
        + (tries - one) * math.log1p(-share)
        for one in range(hits, tries + 1)
    )
    return min(1.0, math.fsum(math.exp(one) for one in logs))


def _kept(p_values: Sequence[float]) -> list[bool]:
    """Benjamini and Hochberg's procedure."""
    order = sorted(range(len(p_values)), key=lambda one: p_values[one])
    last = 0
    for rank, one in enumerate(order, start=1):
        if p_values[one] <= FALSE_SHARE * rank / len(p_values):
            last = rank
    kept = [False] * len(p_values)
    for one in order[:last]:
        kept[one] = True
    return kept


def _trend(one: Watched, p_value: float, windows: int) -> Trend:
    expected = sum(one.before) / windows
    return Trend(one.label, one.articles, expected, one.sources, p_value, one.counts)
