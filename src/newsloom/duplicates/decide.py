"""What becomes of each incoming article: new, unchanged, revised or a duplicate, and why.

Facts in, judgements out; reads no store. What follows from a match is read from
duplicates/matrix.py; docs/work/quality.md has the rules and their measurements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from newsloom.duplicates.arrival import ARRIVAL, Layer, agree, compare_urls, one_publisher
from newsloom.duplicates.matrix import Origin, PairFacts, Texts, decide
from newsloom.duplicates.values import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    JudgedArticle,
    Judgement,
    Link,
)
from newsloom.kernel.ids import ArticleId

Candidates = Mapping[tuple[str, str], Sequence[Copy]]
_Match = tuple[Copy, Evidence]

_SAME_ARTICLE = frozenset((Action.UNCHANGED, Action.REVISED))
_UNSEEN = Judgement(Action.NEW)


def judge_document(
    articles: Sequence[IncomingArticle], candidates: Candidates
) -> tuple[JudgedArticle, ...]:
    """Judge the articles of one document; no two of them are held to be the same stored one."""
    judgements = [judge(article, candidates) for article in articles]
    claimed: set[ArticleId] = set()
    for index in sorted(range(len(articles)), key=lambda index: _strength(judgements[index])):
        judgement = judgements[index]
        if judgement.action in _SAME_ARTICLE and judgement.target in claimed:
            left = {
                key: [copy for copy in copies if copy.id not in claimed]
                for key, copies in candidates.items()
            }
            judgement = judge(articles[index], left)
            judgements[index] = judgement
        if judgement.action in _SAME_ARTICLE and judgement.target is not None:
            claimed.add(judgement.target)
    return tuple(map(JudgedArticle, articles, judgements))


def judge(incoming: IncomingArticle, candidates: Candidates) -> Judgement:
    """The decision about one article: the first layer that finds evidence decides."""
    copy = incoming.copy
    if not any(key in candidates for key in incoming.keys):
        return _UNSEEN
    for layer in ARRIVAL:
        stored = _stored(layer, incoming, candidates)
        found = [(other, layer.compare(copy, other)) for other in stored]
        matches = [(other, evidence) for other, evidence in found if evidence is not None]
        if len(stored) > 1 and _names_several(copy, stored):
            matches = [one for one in matches if one[1].layer == "guid" or agree(copy, one[0])]
        own = [match for match in matches if match[0].feed_id == copy.feed_id]
        if matches:
            known, why = _best(copy, own or matches)
            row = decide(_facts(copy, known, why))
            if row.merge and copy.content_hash == known.content_hash:
                amended = _amended(incoming, known)
                return Judgement(Action.UNCHANGED, known.id, why, amended=amended)
            if row.merge:
                return Judgement(Action.REVISED, known.id, why)
            return Judgement(Action.DUPLICATE, known.id, why, row.relation)
    return _UNSEEN


def _stored(layer: Layer, incoming: IncomingArticle, candidates: Candidates) -> list[Copy]:
    """Each stored copy found under the article's keys of a layer, once."""
    found = {
        copy.id: copy
        for key in incoming.keys
        if key[0] == layer.name
        for copy in candidates.get(key, ())
        if copy.id is not None
    }
    return list(found.values())


def _names_several(copy: Copy, stored: Sequence[Copy]) -> bool:
    """Whether one feed has different articles under this key: then the key alone proves nothing."""
    by_feed: dict[int, Copy] = {copy.feed_id: copy}
    for other in stored:
        known = by_feed.setdefault(other.feed_id, other)
        if known.guid != other.guid and not agree(known, other):
            return True
    return False


def _best(copy: Copy, matches: Sequence[_Match]) -> _Match:
    """The likeliest of several: what agrees, then the surer evidence, then what came first."""

    def order(match: _Match) -> tuple[bool, bool, float, int]:
        other, evidence = match
        return (
            other.content_hash != copy.content_hash,
            not agree(copy, other),
            -evidence.score,
            other.id or 0,
        )

    return min(matches, key=order)


def link_by_address(article: Copy, other: Copy) -> Link | None:
    """How two stored articles of different feeds that claim one address are linked.

    Both need their ids; `article` has the greater one.
    """
    why = compare_urls(article, other)
    relation = decide(_facts(article, other, why)).relation if why is not None else None
    if why is None or relation is None or article.id is None or other.id is None:
        return None
    return Link(article.id, other.id, relation, (why,))


def _facts(copy: Copy, known: Copy, why: Evidence) -> PairFacts:
    if known.feed_id == copy.feed_id:
        origin = Origin.FEED
    else:
        origin = Origin.SOURCE if one_publisher(copy, known) else Origin.OTHER
    same_text = copy.content_hash == known.content_hash
    return PairFacts(
        origin,
        guid=why.layer == "guid",
        url=why.layer == "url",
        texts=Texts.NEARLY if same_text else Texts.UNKNOWN,
    )


def _amended(incoming: IncomingArticle, known: Copy) -> bool:
    """Whether the same text has a corrected link, author or enclosure, or a link was resolved."""
    copy = incoming.copy
    moved = copy.canonical_url not in {"", known.canonical_url}
    return (
        (moved and (bool(incoming.origin) or copy.url != known.url))
        or copy.author not in {"", known.author}
        or copy.enclosures not in {(), known.enclosures}
    )


def _strength(judgement: Judgement) -> tuple[int, float]:
    """Sorts the surest judgement first."""
    why = judgement.evidence
    if why is None:
        return (len(ARRIVAL), 0.0)
    return ([layer.name for layer in ARRIVAL].index(why.layer), -why.score)
