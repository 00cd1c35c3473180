"""The duplicates stage: signs what the text stage read, judges it against the window, links it.

A batch is signed outside of any transaction and judged within one, so that nothing it sees changes
under it; a kill leaves the batch to be done again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from newsloom.dedup.layers import text_keys
from newsloom.dedup.packed import pack, unpack
from newsloom.dedup.pairs import judge_pair
from newsloom.dedup.signature import Signature
from newsloom.dedup.signing import VERSION, sign
from newsloom.dedup.thresholds import Thresholds
from newsloom.ports import OpenJudging, Pairs, SigningStore
from newsloom.text.entities import Recognizer, entity_text
from newsloom.types import ArticleId, Link, Signed, Unsigned

BATCH = 2_000

# Most links kept of one new article, as long as more would join nothing: ten thousand copies of one
# text need no fifty million.
LINKS = 16


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What the stage judges by."""

    thresholds: Thresholds
    recognizer: Callable[[], Recognizer]  # loaded when a pair first asks for it
    read_together: bool = True
    batch: int = BATCH


def judge_batch(
    store: SigningStore, texts: str, duplicates: Duplicates, now: Callable[[], datetime]
) -> int:
    """Sign and judge the next batch: how many articles there were."""
    articles = store.pending_signatures(VERSION, texts=texts, limit=duplicates.batch)
    if articles:
        signatures = sign(articles)
        signed = [_signed(*pair) for pair in zip(articles, signatures, strict=True)]
        with store.judging(VERSION) as judging:
            kept = set(judging.put(signed))
            fresh = {one.id: one for one in signatures if one.id in kept}
            keys = {one.id: one.keys for one in signed if one.id in kept}
            _judge(judging, fresh, keys, duplicates, now())
    return len(articles)


def _signed(article: Unsigned, signature: Signature) -> Signed:
    keys = text_keys(signature)
    return Signed(article.id, article.digest, signature.agency, keys, pack(signature))


def _judge(
    judging: OpenJudging,
    fresh: Mapping[ArticleId, Signature],
    keys: Mapping[ArticleId, tuple[tuple[str, int], ...]],
    duplicates: Duplicates,
    at: datetime,
) -> None:
    again = {one: unpack(packed) for one, packed in judging.packed(judging.left()).items()}
    known = {**again, **fresh}
    pairs = judging.pairs(
        {**{one: text_keys(signature) for one, signature in again.items()}, **keys}
    )
    others = {other for _, other in pairs if other not in known}
    known |= {one: unpack(packed) for one, packed in judging.packed(sorted(others)).items()}
    links = _links(judging, known, pairs, duplicates)
    judging.link(links, at)
    if duplicates.read_together:
        judging.read_along()


def _links(
    judging: OpenJudging,
    known: Mapping[ArticleId, Signature],
    pairs: Pairs,
    duplicates: Duplicates,
) -> list[Link]:
    found: list[Link] = []
    open_pairs: list[tuple[ArticleId, ArticleId]] = []
    for one, other in pairs:
        if one not in known or other not in known:
            continue
        verdict = judge_pair(known[one], known[other], duplicates.thresholds)
        if verdict.wants_entities:
            open_pairs.append((one, other))
        elif verdict.relation is not None:
            found.append(Link(max(one, other), min(one, other), verdict.relation, verdict.evidence))
    if open_pairs:
        looked = _recognised(judging, known, open_pairs, duplicates.recognizer())
        for one, other in open_pairs:
            verdict = judge_pair(looked[one], looked[other], duplicates.thresholds)
            if verdict.relation is not None:
                found.append(
                    Link(max(one, other), min(one, other), verdict.relation, verdict.evidence)
                )
    return found


def _recognised(
    judging: OpenJudging,
    known: Mapping[ArticleId, Signature],
    pairs: Pairs,
    recognizer: Recognizer,
) -> Mapping[ArticleId, Signature]:
    """The signatures of those with their entities, looked for where nobody has yet."""
    wanted = sorted({one for pair in pairs for one in pair})
    stored = dict(judging.entities(recognizer.model_id, wanted))
    leads = judging.leads([one for one in wanted if one not in stored])
    texts = [entity_text(title, lead) for title, lead in leads.values()]
    found = {
        one: frozenset(map(str, entities))
        for one, entities in zip(leads, recognizer.recognise(texts), strict=True)
    }
    judging.put_entities(recognizer.model_id, found)
    stored |= found
    return {one: replace(known[one], entities=stored.get(one, frozenset())) for one in wanted}
