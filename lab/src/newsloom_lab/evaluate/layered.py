"""What each duplicate layer joins alone, and what all of them do together. Knows no gold.

A grouping is a list with the name of each article's group, in the order of the articles.
"""

from __future__ import annotations

import html
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from newsloom.duplicates import arrival, entities, fingerprint, layers
from newsloom.duplicates.incoming import prepare
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    Relation,
    Thresholds,
    Unsigned,
)
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.urls import source
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate.arrival import Arrivals
from newsloom_lab.evaluate.grouping import Pair, Recognise, grouped, meeting, recognised
from newsloom_lab.evaluate.reports import Reports, nothing

Grouping = list[int]
Compare = Callable[[Signature, Signature, Thresholds], Evidence | None]

# Articles of a file without one date have all come at once; which day says nothing.
_SOME_DAY = datetime(2020, 1, 1, tzinfo=UTC)

# The parts of layer fingerprint, each by the threshold that decides it.
PARTS = {
    "simhash": "simhash_distance",
    "minhash": "minhash_jaccard",
    "sentences": "shared_sentences",
    "containment": "containment",
}
_OUT_OF_REACH = Thresholds(
    simhash_distance=-1, minhash_jaccard=math.inf, containment=math.inf, shared_sentences=1_000
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Articles as polling and the text stage would hand them on; ids are places from 1."""

    incoming: tuple[IncomingArticle, ...]
    unsigned: tuple[Unsigned, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """Two articles put together, and why."""

    article: int  # place in the file
    other: int
    relation: Relation
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """What all layers come to."""

    texts: Grouping  # merged, or the same text
    clusters: Grouping
    joins: tuple[Join, ...]
    revisions: tuple[Join, ...]


def corpus(articles: Sequence[LabelledArticle]) -> Corpus:
    """Each article as the only one of a document of its source's feed.

    One without a date has come with the newest of the file; of one without a source nobody knows
    whose it is, and only the same id makes two of these be of one feed.
    """
    seen = max((one.published for one in articles if one.published), default=_SOME_DAY)
    feeds: dict[str, FeedId] = {}
    incoming, unsigned = [], []
    for place, one in enumerate(articles):
        text = " ".join(one.source.casefold().split())
        publisher = source(one.url) or text
        feed = feeds.setdefault(text or publisher or f"id {one.id}", FeedId(len(feeds) + 1))
        (ready,) = prepare(ParsedFeed("", articles=(_parsed(one),)), feed, seen)
        incoming.append(ready)
        unsigned.append(_unsigned(ArticleId(place + 1), one, ready, publisher))
    return Corpus(tuple(incoming), tuple(unsigned))


def _parsed(one: LabelledArticle) -> ParsedArticle:
    return ParsedArticle(
        guid=one.id,
        url=one.url,
        title=one.title,
        content=html.escape(one.body, quote=False),
        published=one.published,
        language=one.language,
    )


def _unsigned(
    number: ArticleId, one: LabelledArticle, ready: IncomingArticle, publisher: str
) -> Unsigned:
    return Unsigned(
        id=number,
        feed_id=ready.copy.feed_id,
        source=publisher,
        dated=ready.copy.dated,
        title=one.title,
        text=one.body,
        language=one.language,
        guid=one.id,
    )


def together(
    material: Corpus, thresholds: Thresholds, recognise: Recognise, reports: Reports = nothing
) -> Together:
    """Guid and url at arrival, in order of time; the later layers on what they left."""
    originals, shown, merges = _arrived(material)
    kept = [
        replace(material.unsigned[text], id=ArticleId(original + 1))
        for original, text in shown.items()
    ]
    found = grouped(kept, thresholds, recognise, reports=reports)
    joins = [
        Join(one.article - 1, one.other - 1, one.relation, one.evidence) for one in found.links
    ]
    places = [found.places[ArticleId(original + 1)] for original in originals]
    return Together(
        texts=[position.text for position in places],
        clusters=[key.cluster for key in places],
        joins=(*merges, *(one for one in joins if one.relation.joins)),
        revisions=tuple(one for one in joins if not one.relation.joins),
    )


def _arrived(material: Corpus) -> tuple[list[int], dict[int, int], list[Join]]:
    """For each article the place of its original; whose text each original shows; the merges."""
    store = Arrivals()
    first: dict[ArticleId, int] = {}  # of each id in the store, the place of its original
    shown: dict[int, int] = {}
    originals = list(range(len(material.incoming)))
    merges = []
    for place in sorted(originals, key=lambda place: (material.incoming[place].copy.dated, place)):
        ((article, judged),) = store.take([material.incoming[place]])
        judgement = judged.judgement
        original = store.copies[article].original
        assert original is not None
        originals[place] = first.setdefault(original, place)
        first.setdefault(article, originals[place])
        if judgement.evidence is None or judgement.relation is Relation.NEAR_DUPLICATE:
            shown[place] = place
            continue
        if judgement.action is Action.REVISED:
            shown[originals[place]] = place
        merges.append(Join(place, originals[place], Relation.SAME_TEXT, (judgement.evidence,)))
    return originals, shown, merges


def alone(material: Corpus, thresholds: Thresholds, recognise: Recognise) -> dict[str, Grouping]:
    """The groups each layer makes by itself, by its name; the parts of fingerprint too."""
    size = len(material.incoming)
    copies = [one.copy for one in material.incoming]
    found = {layer.name: components(size, _sharing(layer, copies)) for layer in arrival.ARRIVAL}
    signatures = sign(material.unsigned)
    pairs = list(meeting(signatures, thresholds, (*layers.TEXT, layers.NAMES)))
    near = [pair for pair in pairs if entities.possible(*_both(signatures, pair), thresholds)]
    recognised(material.unsigned, signatures, near, recognise)

    def joined(compare: Compare, least: Thresholds) -> Grouping:
        return components(
            size, pairs, lambda pair: compare(*_both(signatures, pair), least) is not None
        )

    for layer in (*layers.TEXT, layers.NAMES):
        found[layer.name] = joined(layer.compare, thresholds)
    for name, field in PARTS.items():
        only = replace(_OUT_OF_REACH, **{field: getattr(thresholds, field)})
        found[name] = joined(fingerprint.compare, only)
    return found


def _sharing(layer: arrival.Layer, copies: Sequence[Copy]) -> Iterator[tuple[int, int]]:
    """Pairs under one key that the layer holds to be the same. Equal copies are compared once."""
    holders: dict[str, dict[tuple[Hashable, ...], int]] = defaultdict(dict)
    for place, copy in enumerate(copies):
        same = (copy.feed_id, copy.guid, copy.canonical_url, copy.title, copy.content_hash)
        for key in sorted(layer.keys(copy)):
            for other in holders[key].values():
                if layer.compare(copies[other], copy) is not None:
                    yield other, place
            holders[key].setdefault(same, place)


def _both(signatures: Sequence[Signature], pair: Pair) -> tuple[Signature, Signature]:
    return signatures[pair[0]], signatures[pair[1]]


def components(
    size: int,
    pairs: Iterable[Pair],
    holds: Callable[[Pair], bool] = lambda _: True,
) -> Grouping:
    """What the pairs that hold connect, each group named by the least place in it."""
    names = list(range(size))

    def name(place: int) -> int:
        while names[place] != place:
            names[place] = names[names[place]]
            place = names[place]
        return place

    for pair in pairs:
        one, other = sorted((name(pair[0]), name(pair[1])))
        # Of two that hang together already nobody asks again: copies of one text are many pairs.
        if one != other and holds(pair):
            names[other] = one
    return [name(place) for place in range(size)]
