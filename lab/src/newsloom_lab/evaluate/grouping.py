"""The duplicate decision wholly in memory: what the store must come to, whatever the order.

Every pair that shares a key of a text layer within the window is judged, all at once; the stage
does the same by the store's index, a batch at a time. Reads no file and no store.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from newsloom.articles.entities.finder import Entity, entity_text
from newsloom.duplicates import layers
from newsloom.duplicates.layers import TextLayer
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.pairs import Verdict, judge_pair
from newsloom.duplicates.signing import sign
from newsloom.duplicates.union_find import Groups, Position, group
from newsloom.duplicates.values import Evidence, Link, Relation, Thresholds, Unsigned
from newsloom.kernel.ids import ArticleId
from newsloom_lab.evaluate.reports import Reports, nothing

# As in the store: of ten thousand copies of one text each meets enough others, and is linked to
# enough of them.
PER_KEY = 64
ENOUGH = 16

Recognise = Callable[[Sequence[str]], Sequence[Iterable[Entity]]]
Pair = tuple[int, int]  # places in a sequence of signatures, the lesser id's first


@dataclass(frozen=True, slots=True)
class Grouped:
    links: tuple[Link, ...]
    places: Mapping[ArticleId, Position]  # of all articles, those that are alone too
    signatures: tuple[Signature, ...]


def grouped(
    articles: Sequence[Unsigned],
    thresholds: Thresholds,
    recognise: Recognise,
    apart: Collection[tuple[ArticleId, ArticleId]] = (),
    reports: Reports = nothing,
) -> Grouped:
    """Links and clusters of articles, whatever order they are in."""
    articles = sorted(articles, key=lambda one: one.id)
    signatures = sign(articles)
    verdicts = _verdicts(signatures, thresholds, enough=math.inf if apart else ENOUGH)
    verdicts |= _events(articles, signatures, thresholds, recognise, reports, verdicts)
    links = tuple(
        Link(signatures[b].id, signatures[a].id, verdict.relation, verdict.evidence)
        for (a, b), verdict in sorted(verdicts.items())
        if verdict.relation is not None
    )
    alone = {one.id: Position(one.id, one.id) for one in articles}
    return Grouped(links, {**alone, **group(links, apart)}, tuple(signatures))


def _events(
    articles: Sequence[Unsigned],
    signatures: list[Signature],
    thresholds: Thresholds,
    recognise: Recognise,
    reports: Reports,
    known: Mapping[Pair, Verdict],
) -> dict[Pair, Verdict]:
    """What is decided of the pairs that may report one event; what ties them already stays."""
    likely = {
        pair: why
        for pair, why in reports(articles, thresholds.event_with_names).items()
        if pair not in known or known[pair].relation is None
    }
    found = {pair: _judged(signatures, pair, thresholds, why) for pair, why in likely.items()}
    open_pairs = [pair for pair, verdict in found.items() if verdict.wants_entities]
    recognised(articles, signatures, open_pairs, recognise)
    found |= {pair: _judged(signatures, pair, thresholds, likely[pair]) for pair in open_pairs}
    return {pair: one for pair, one in found.items() if one.relation is Relation.SAME_EVENT}


def _verdicts(
    signatures: Sequence[Signature], thresholds: Thresholds, enough: float
) -> dict[Pair, Verdict]:
    """What is decided of each pair. With links enough, of one text already: nobody asks."""
    verdicts: dict[Pair, Verdict] = {}
    texts, links = Groups[ArticleId](), Counter[int]()
    for a, b in meeting(signatures, thresholds):
        one, other = signatures[a].id, signatures[b].id
        if links[b] >= enough and texts.of(one) == texts.of(other):
            continue
        verdict = verdicts[a, b] = _judged(signatures, (a, b), thresholds)
        if verdict.relation is Relation.SAME_TEXT:
            texts.unite(one, other)
            links[b] += 1
    return verdicts


def meeting(
    signatures: Sequence[Signature],
    thresholds: Thresholds,
    by: Sequence[TextLayer] = layers.TEXT,
) -> Iterator[Pair]:
    """Each pair that shares a key within the window, once; of a crowded key the last before."""
    holders: dict[tuple[str, int], deque[int]] = defaultdict(lambda: deque(maxlen=PER_KEY))
    for place, signature in enumerate(signatures):
        own = [(layer.name, key) for layer in by for key in sorted(layer.keys(signature))]
        for other in sorted({other for key in own for other in holders[key]}):
            if abs(signature.dated - signatures[other].dated) <= thresholds.window:
                yield other, place
        for key in own:
            holders[key].append(place)


def _judged(
    signatures: Sequence[Signature],
    pair: Pair,
    thresholds: Thresholds,
    event: Evidence | None = None,
) -> Verdict:
    return judge_pair(signatures[pair[0]], signatures[pair[1]], thresholds, event)


def recognised(
    articles: Sequence[Unsigned],
    signatures: list[Signature],
    pairs: Sequence[Pair],
    recognise: Recognise,
) -> None:
    """Put the entities in for those of the pairs that nobody has looked at."""
    places = sorted({place for pair in pairs for place in pair})
    wanted = [place for place in places if signatures[place].entities is None]
    texts = [entity_text(articles[place].title, articles[place].text) for place in wanted]
    for place, entities in zip(wanted, recognise(texts), strict=True):
        signatures[place] = replace(signatures[place], entities=frozenset(map(str, entities)))
