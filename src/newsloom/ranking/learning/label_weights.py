"""What a reader's events are worth to their model: events in, weighted labels out.

Pure: no store, no clock. docs/use/ranking.md says the same for readers.

Explicit beats implicit. Of what was *said* of one article (like, dislike, star) the latest word
counts; with none, a *mapped* mark, which the settings of a bridge call a like; with neither, what
was only *noticed* (finished, skipped). Opening teaches nothing: it says that a title worked, most
of all at the top of the list, where the model itself had put it. Reading marks, one by one or in
bulk, teach nothing either: they say that an article is out of the way.

Influence is capped, so that no feed, no day and no program that marks for the reader can turn the
order of feeds it never touched. What makes a flood is that it says one thing many times over, so a
group of labels (of a feed on a day, of a feed, of a day) may weigh

- `least` labels, whatever else there is. A share cannot be held with few labels: of 40, 2% is less
  than one, and an honest evening spent on one feed would be thrown away. So a flood is worth two
  honest labels (of one day) or five (of many), and with 40 labels two more do move the order, as
  they should. The share takes over from 250 to 400 labels on;
- `share` of what all other groups weigh;
- BALANCE times its own rarer side: a feed, or an evening, of likes *and* dislikes is judgement,
  and no flood. The first 20 likes and 20 dislikes are all kept, however they fall, and count
  whole where a feed got some of both.

A group above its limit is made lighter, down to a fifth of a label; beyond that, labels are left
out, always the same ones. Only lighter was tried: 1,000 labels of a two-hundredth each still moved
untouched feeds by 1.5 to 2.5 points of 100, through the folds and through the number of rows that
the penalty is weighed against.

Measured on HuffPost's categories as feeds, six made-up readers, the shipped encoder and head, as
the mean change of 1,500 scores (0..100) of feeds that were not touched: see docs/work/quality.md.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum

from newsloom.ranking.values.models import Label
from newsloom.reading.values.reading import EventKind


class Word(IntEnum):
    """How it was told; a higher one silences the lower on the same article."""

    NOTICED = 1  # what the reader did
    MAPPED = 2  # what they did elsewhere, and told Newsloom to take for a like
    SAID = 3  # what they said


@dataclass(frozen=True, slots=True)
class Worth:
    """What one kind of event teaches."""

    kind: EventKind
    positive: bool
    weight: float  # in likes
    word: Word


# All that teaches; no other kind ever does. A star is kept for good, so it is the strongest word.
# Who reads to the end may still dislike it (facts: "read" taken for liked was the seed's first
# error), and who passes over may only be in a hurry: less than a third and a fifth of a like.
EVIDENCE = (
    Worth(EventKind.STAR, True, 2.0, Word.SAID),
    Worth(EventKind.LIKE, True, 1.0, Word.SAID),
    Worth(EventKind.DISLIKE, False, 1.0, Word.SAID),
    Worth(EventKind.FINISHED, True, 0.3, Word.NOTICED),
    Worth(EventKind.SKIPPED, False, 0.2, Word.NOTICED),
)
_WORTH = {one.kind: one for one in EVIDENCE}

# Through these, having read is a like, because `ttrss.liked` and its like say so.
BRIDGES = frozenset({"ttrss", "greader"})
_READ_THERE = Worth(EventKind.FINISHED, True, 0.5, Word.MAPPED)

# All that was noticed weighs at most this share of what was said and mapped; while next to nothing
# was said, as much as two likes.
NOTICED_SHARE = 0.25
NOTICED_LEAST = 2.0

# See above. At 4 a group may be four fifths of one mind and is not touched.
BALANCE = 4.0

# A cap makes a label no lighter than this share of what it was, unless no more than KEPT likes or
# dislikes of its group are left: as many are needed before a model is trained at all.
LIGHTEST = 0.2
KEPT = 20

# Every group's limit depends on what the others weigh once they are held to theirs. Each round
# multiplies what is left to settle by a share.
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Cap:
    """What labels of one group may weigh together."""

    group: Callable[[Label], Hashable]
    least: float
    share: float
    noticed: float  # as `least`, of what was only noticed


def _feed(label: Label) -> Hashable:
    return label.article.feed_id


def _source(label: Label) -> Hashable:
    return label.article.source or label.article.feed_id


def _day(label: Label) -> Hashable:
    return label.at.date()


# Narrow groups first. A feed may carry many sources, and a source have many feeds.
CAPS = (
    Cap(lambda one: (_feed(one), _day(one)), least=2.0, share=0.005, noticed=0.5),
    Cap(lambda one: (_source(one), _day(one)), least=2.0, share=0.005, noticed=0.5),
    Cap(_feed, least=5.0, share=0.02, noticed=0.5),
    Cap(_source, least=5.0, share=0.02, noticed=0.5),
    Cap(_day, least=20.0, share=0.05, noticed=2.0),
)


def weighted(labels: Iterable[Label], now: datetime, half_weight_days: float) -> list[Label]:
    """One weighted label per article that teaches, oldest first, from every standing event.

    `half_weight_days`: after so many days a label counts half; 0 counts all alike.
    """
    told = [_aged(one, now, half_weight_days) for one in _of_articles(labels)]
    said = [one for one in told if explicit(one)]
    noticed = [one for one in told if not explicit(one)]
    for cap in CAPS:
        said = _held(said, cap.group, _limits(said, cap).__getitem__)
    whole = _total(said)
    for cap in CAPS:
        limit = cap.noticed + NOTICED_SHARE * cap.share * whole
        noticed = _held(noticed, cap.group, _always(limit))
    limit = max(NOTICED_LEAST, NOTICED_SHARE * whole)
    noticed = _held(noticed, lambda _label: "", _always(limit))
    return sorted([*said, *noticed], key=_order)


def explicit(label: Label) -> bool:
    """Whether the reader said it, here or by how they set up a bridge."""
    worth = _worth(label.kind, label.via)
    return worth is not None and worth.word > Word.NOTICED


def spoken(labels: Iterable[Label]) -> list[Label]:
    """One label per article that the reader judged explicitly, oldest first, not weighed."""
    return [one for one in _of_articles(labels) if explicit(one)]


def judged(events: Iterable[tuple[int, EventKind, str]]) -> tuple[int, int]:
    """How many articles the reader likes and dislikes by that, of the article, the kind and the way
    of every standing event, oldest first. The same as the sides of `spoken`."""
    last: dict[int, Worth] = {}
    for article, kind, via in events:
        worth, known = _worth(kind, via), last.get(article)
        if worth and worth.word > Word.NOTICED and (known is None or worth.word >= known.word):
            last[article] = worth
    likes = sum(one.positive for one in last.values())
    return likes, len(last) - likes


def likes_and_dislikes(labels: Iterable[Label]) -> tuple[int, int]:
    """How many there are of each."""
    sides = [one.positive for one in labels]
    return sum(sides), len(sides) - sum(sides)


def _of_articles(labels: Iterable[Label]) -> list[Label]:
    """What the events on each article come to."""
    by_article: dict[int, list[Label]] = defaultdict(list)
    for one in labels:
        if _worth(one.kind, one.via) is not None:
            by_article[one.article.id].append(one)
    return sorted(map(_come_to, by_article.values()), key=_order)


def _come_to(events: Sequence[Label]) -> Label:
    """The latest of the strongest words; as heavy as the heaviest of them that agrees."""
    known = [(worth, one) for one in events if (worth := _worth(one.kind, one.via)) is not None]
    loudest = max(worth.word for worth, _one in known)
    heard = [(worth, one) for worth, one in known if worth.word is loudest]
    positive = heard[-1][0].positive
    agreeing = [pair for pair in heard if pair[0].positive is positive]
    worth, kept = max(agreeing, key=lambda pair: pair[0].weight)
    return replace(kept, positive=positive, weight=worth.weight, at=heard[-1][1].at)


def _worth(kind: EventKind, via: str) -> Worth | None:
    if kind is EventKind.FINISHED and via in BRIDGES:
        return _READ_THERE
    return _WORTH.get(kind)


def _aged(label: Label, now: datetime, half_weight_days: float) -> Label:
    if half_weight_days <= 0:
        return label
    age = max(now - label.at, timedelta(0)) / timedelta(days=half_weight_days)
    return replace(label, weight=label.weight * 0.5**age)


def _limits(labels: Iterable[Label], cap: Cap) -> Mapping[Hashable, float]:
    """What each group may weigh, by what the others weigh within theirs."""
    sides: dict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in labels:
        sides[cap.group(one)][one.positive] += one.weight
    whole = {group: sum(pair) for group, pair in sides.items()}
    limits = dict(whole)
    for _round in range(ROUNDS):
        held = {group: min(whole[group], limits[group]) for group in sides}
        total = sum(held.values())
        limits = {
            group: max(cap.least, cap.share * (total - held[group]), BALANCE * min(pair))
            for group, pair in sides.items()
        }
    return limits


def _held(
    labels: Iterable[Label],
    group: Callable[[Label], Hashable],
    limit: Callable[[Hashable], float],
) -> list[Label]:
    """Labels of groups above their limit made lighter, or left out."""
    groups: dict[Hashable, list[Label]] = defaultdict(list)
    for one in labels:
        groups[group(one)].append(one)
    return [one for name, members in groups.items() for one in _fitted(members, limit(name))]


def _fitted(members: list[Label], limit: float) -> list[Label]:
    whole = _total(members)
    if whole <= limit:
        return members
    kept = math.ceil(len(members) * limit / whole / LIGHTEST)
    drawn = sorted(members, key=_lot)
    sides = ([one for one in drawn if one.positive is side] for side in (True, False))
    few = {one.article.id for side in sides for one in side[:KEPT]}
    left = [one for place, one in enumerate(drawn) if place < kept or one.article.id in few]
    share = min(1.0, limit / _total(left))
    return [replace(one, weight=one.weight * share) for one in left]


def _always(limit: float) -> Callable[[Hashable], float]:
    return lambda _group: limit


def _total(labels: Iterable[Label]) -> float:
    return math.fsum(one.weight for one in labels)


def _lot(label: Label) -> bytes:
    """A place in a row by chance, but the same for ever, so that what is left out stays out."""
    return hashlib.blake2b(b"lot %d" % label.article.id, digest_size=8).digest()


def _order(label: Label) -> tuple[datetime, int]:
    return label.at, label.article.id
