"""How well duplicates are found: every layer alone, all together, peers, and the worst errors.

Two questions, each with its gold: which articles are the same text (`duplicate`), and which report
one event (`story`; articles of one text are of one event). Who has no gold belongs to nobody.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from newsloom.duplicates import fingerprint, title
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import Evidence, Relation, Thresholds
from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate.clusterings import Agreement, agreement
from newsloom_lab.evaluate.edited import KINDS
from newsloom_lab.evaluate.grouping import Recognise
from newsloom_lab.evaluate.layered import (
    Corpus,
    Grouping,
    Join,
    Together,
    alone,
    components,
    corpus,
    together,
)
from newsloom_lab.evaluate.peers import Peer, PeerGroups
from newsloom_lab.evaluate.reports import Reports, nothing

TOGETHER = "together"
FALSE_JOIN, MISSED = "false join", "missed"
TEXT, EVENT = "same text", "event"  # the two golds


@dataclass(frozen=True, slots=True)
class Figures:
    """None: the file has no gold for it."""

    same_text: Agreement | None
    clusters: Agreement


@dataclass(frozen=True, slots=True)
class PeerFigures(Figures):
    threshold: float
    fitted: bool  # on this file: the best it can do here, not what it would do elsewhere
    seconds: float


@dataclass(frozen=True, slots=True)
class Gold:
    texts: Grouping
    clusters: Grouping
    has_texts: bool


@dataclass(frozen=True, slots=True)
class Across:
    """Articles held to be one text, by whether somebody said that they report one event."""

    pairs: int
    wrong: int  # of different events
    precision: float


@dataclass(frozen=True, slots=True)
class Revisions:
    """Pairs flagged as versions of one report: both stay, and they count as joined nowhere."""

    pairs: int
    same_text: int  # of them, by gold
    same_event: int  # of them, by gold, and not the same text
    neither: int


@dataclass(frozen=True, slots=True)
class Error:
    """A pair decided wrongly. `gold` says which gold has it otherwise."""

    kind: str  # FALSE_JOIN or MISSED
    gold: str  # TEXT or EVENT
    relation: str  # what it was joined by
    a: str  # id
    b: str
    title_a: str
    title_b: str
    edit: str
    evidence: tuple[Evidence, ...]  # of a missed pair: what there was, and was not enough


@dataclass(frozen=True, slots=True)
class Found:
    """Copies of a kind of edit that were found to be the same text as another of their group."""

    copies: int
    recall: Mapping[str, float]  # by layer, "together" and peer


@dataclass(frozen=True, slots=True)
class DedupReport:
    profile: str
    articles: int
    texts: int  # groups of two or more by `duplicate`
    events: int  # groups of two or more by `story`, or `duplicate`
    seconds: float  # of all layers together
    articles_per_second: float
    together: Figures
    layers: Mapping[str, Figures]
    revisions: Revisions
    same_text_across_events: Across
    recall_by_edit: Mapping[str, Found]
    peers: Mapping[str, PeerFigures]
    false_joins: int
    missed: int
    errors: tuple[Error, ...]


def run(
    articles: Sequence[LabelledArticle],
    profile: str,
    thresholds: Thresholds,
    recognise: Recognise,
    *,
    reports: Reports = nothing,
    peers: Sequence[Peer] = (),
    worst: int = 20,
) -> DedupReport:
    """Raises UserError when nothing in the articles says what belongs together."""
    gold = gold_of(articles)
    material = corpus(articles)
    began = time.perf_counter()
    all_layers = together(material, thresholds, recognise, reports)
    seconds = time.perf_counter() - began
    groupings = alone(material, thresholds, recognise)
    others = {one.name: one for peer in peers for one in peer(articles, gold.texts, gold.clusters)}
    texts = {**groupings, **{name: one.groups for name, one in others.items()}}
    wrong = sorted(_wrong(gold, all_layers), key=lambda one: one.order)
    return DedupReport(
        profile=profile,
        articles=len(articles),
        texts=_groups(gold.texts) if gold.has_texts else 0,
        events=_groups(gold.clusters),
        seconds=seconds,
        articles_per_second=len(articles) / seconds,
        together=_figures(gold, all_layers.texts, all_layers.clusters),
        layers={name: _figures(gold, found, found) for name, found in groupings.items()},
        revisions=_revisions(gold, all_layers.revisions),
        same_text_across_events=_across(gold, all_layers.texts),
        recall_by_edit=_by_edit(articles, gold, {TOGETHER: all_layers.texts, **texts}),
        peers={name: _peer(gold, one) for name, one in others.items()},
        false_joins=sum(one.join is not None for one in wrong),
        missed=sum(one.join is None for one in wrong),
        errors=tuple(_error(one, articles, material) for one in wrong[:worst]),
    )


def gold_of(articles: Sequence[LabelledArticle]) -> Gold:
    """What belongs together by the file. Raises UserError when nothing does."""
    texts = components(len(articles), _alike([one.duplicate for one in articles]))
    events = [*_alike([one.story for one in articles]), *enumerate(texts)]
    clusters = components(len(articles), events)
    if not _groups(clusters):
        raise UserError(
            "No two articles have the same `duplicate` or `story`: there is nothing to find. "
            "To make copies of any articles file: newsloom eval dedup --make-from FILE --out GOLD."
        )
    return Gold(texts, clusters, has_texts=_groups(texts) > 0)


def _alike(labels: Sequence[str]) -> Iterator[tuple[int, int]]:
    first: dict[str, int] = {}
    for place, label in enumerate(labels):
        if label:
            yield first.setdefault(label, place), place


def _groups(grouping: Grouping) -> int:
    return sum(size > 1 for size in Counter(grouping).values())


def _figures(gold: Gold, texts: Grouping, clusters: Grouping) -> Figures:
    same_text = agreement(gold.texts, texts) if gold.has_texts else None
    return Figures(same_text, agreement(gold.clusters, clusters))


def _peer(gold: Gold, one: PeerGroups) -> PeerFigures:
    found = _figures(gold, one.groups, one.groups)
    return PeerFigures(found.same_text, found.clusters, one.threshold, one.fitted, one.seconds)


def _revisions(gold: Gold, revisions: Sequence[Join]) -> Revisions:
    texts = sum(gold.texts[one.article] == gold.texts[one.other] for one in revisions)
    events = sum(gold.clusters[one.article] == gold.clusters[one.other] for one in revisions)
    return Revisions(len(revisions), texts, events - texts, len(revisions) - events)


def _across(gold: Gold, texts: Grouping) -> Across:
    found = agreement(gold.clusters, texts)
    wrong = found.pairs_found - found.pairs_right
    return Across(found.pairs_found, wrong, found.pairwise_precision)


def _by_edit(
    articles: Sequence[LabelledArticle], gold: Gold, groupings: Mapping[str, Grouping]
) -> dict[str, Found]:
    """A copy counts as found when its group has its original, or any other of the same gold."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(articles):
        if one.edit:
            kinds[one.edit].append(place)
    met = {
        name: Counter(zip(gold.texts, grouping, strict=True))
        for name, grouping in groupings.items()
    }
    return {
        kind: Found(
            len(places),
            {
                name: sum(met[name][gold.texts[place], grouping[place]] > 1 for place in places)
                / len(places)
                for name, grouping in groupings.items()
            },
        )
        for kind, places in sorted(kinds.items(), key=lambda one: _turn(one[0]))
    }


def _turn(kind: str) -> tuple[int, str]:
    """Known kinds in their order, then the others."""
    names = [name for name, _ in KINDS]
    return (names.index(kind), "") if kind in names else (len(names), kind)


@dataclass(frozen=True, slots=True)
class _Wrong:
    gold: str
    a: int  # places in the file
    b: int
    join: Join | None = None  # None: missed

    @property
    def order(self) -> tuple[int, float]:
        """False joins first, of them the wrongest: one text, and the surest. Then missed texts."""
        if self.join is None:
            return (2 if self.gold == TEXT else 3, 0.0)
        sure = max((one.score for one in self.join.evidence), default=0.0)
        return (0 if self.join.relation is Relation.SAME_TEXT else 1, -sure)


def _wrong(gold: Gold, found: Together) -> Iterator[_Wrong]:
    """Decisions that join what gold has apart, and of what it has together one pair a gap."""
    for join in found.joins:
        a, b = join.other, join.article
        if gold.clusters[a] != gold.clusters[b]:
            yield _Wrong(EVENT, a, b, join)
        elif (
            gold.has_texts
            and join.relation is Relation.SAME_TEXT
            and gold.texts[a] != gold.texts[b]
        ):
            yield _Wrong(TEXT, a, b, join)
    if gold.has_texts:
        for a, b in _gaps(gold.texts, found.texts):
            yield _Wrong(TEXT, a, b)
    for a, b in _gaps(gold.clusters, found.clusters):
        if gold.texts[a] != gold.texts[b]:
            yield _Wrong(EVENT, a, b)


def _gaps(gold: Grouping, found: Grouping) -> Iterator[tuple[int, int]]:
    """The first of each found part of a gold group, with the first of the whole group."""
    first: dict[int, int] = {}
    parts: set[tuple[int, int]] = set()
    for place, (truth, answer) in enumerate(zip(gold, found, strict=True)):
        if (truth, answer) in parts:
            continue
        parts.add((truth, answer))
        if first.setdefault(truth, place) != place:
            yield first[truth], place


# Under these anything that two articles have in common is evidence.
_ANYTHING = Thresholds(
    title_jaccard=0.0,
    short_title_jaccard=0.0,
    title_levenshtein=0.0,
    simhash_distance=64,
    minhash_jaccard=0.0,
    containment=0.0,
    shared_sentences=1,
)


def _error(one: _Wrong, articles: Sequence[LabelledArticle], material: Corpus) -> Error:
    """For people; of a missed pair with what there was to see, below the thresholds."""
    a, b, join = articles[one.a], articles[one.b], one.join
    return Error(
        kind=FALSE_JOIN if join else MISSED,
        gold=one.gold,
        relation=join.relation.value if join else "",
        a=a.id,
        b=b.id,
        title_a=a.title,
        title_b=b.title,
        edit=b.edit or a.edit,
        evidence=join.evidence
        if join
        else _seen(*sign([material.unsigned[one.a], material.unsigned[one.b]])),
    )


def _seen(a: Signature, b: Signature) -> tuple[Evidence, ...]:
    found = (fingerprint.compare(a, b, _ANYTHING), title.compare(a, b, _ANYTHING))
    return tuple(one for one in found if one is not None)
