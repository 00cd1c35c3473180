"""The same-event stage: asks each new article's nearest neighbours whether they report its event.

The probability is `stories.same_event`'s; what follows from it the matrix of duplicates says, which
keeps series and forms apart. Pairs are read and judged outside of any transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np

from newsloom.articles.entities.finder import Recognizer, entity_text
from newsloom.duplicates.matrix import SAME_NEWS
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.pairs import judge_pair
from newsloom.duplicates.signing import VERSION as SIGNED
from newsloom.duplicates.store.same_event import ComparedArticle
from newsloom.duplicates.values import Evidence, Link, Relation, Thresholds
from newsloom.kernel.ids import ArticleId
from newsloom.store import Store
from newsloom.stories.prepared import Background, Frequencies, Prepared, prepare
from newsloom.stories.same_event import event_evidence, judge_of
from newsloom.stories.values.pages import REPORT_LEAD, Piece
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, StageKey

BATCH = 256

# As far apart as the matrix lets two reports of one event be.
SPAN = timedelta(hours=SAME_NEWS)

# Neighbours that are asked, the nearest first. On the labelled development sets 20 hold all of the
# reports that are found with all; below the cosine no pair is likely enough, however many terms it
# shares.
NEIGHBOURS = 20
LEAST_COSINE = 0.5

# Articles kept ready for comparison: two thirds of the time goes into making them so.
KEPT_READY = 20_000

Pair = tuple[ArticleId, ArticleId]


@dataclass(slots=True)
class SameEvents:
    """Finds reports of the same event, batch after batch."""

    store: Store
    thresholds: Thresholds
    frequencies: Callable[[], Frequencies]  # of terms, in what was ingested so far
    recognizer: Callable[[], Recognizer]
    now: Callable[[], datetime]
    joined: int = 0  # articles that were found to report another one's event, all in all
    _ready: dict[ArticleId, tuple[int, Prepared]] = field(default_factory=dict)
    _recognizer: Recognizer | None = None

    def maker(self, vectors: str) -> str:
        """Names all that the links depend on."""
        few = self.thresholds
        return (
            f"{judge_of(vectors).version}/{SIGNED}/{vectors}"
            f"/{few.event_probability:g}/{few.event_with_names:g}"
        )

    def step(self, leases: Leases, vectors: str) -> int:
        """Do the next batch by the vectors of that model: how many articles there were."""
        producer = self.maker(vectors)

        def compute(lease: Lease) -> Keep | None:
            batch, fresh = self.store.duplicates.leased_same_event(lease, BATCH)
            if not fresh:
                return None
            links = self._links(fresh, vectors)
            self.joined += len({one.article for one in links})
            return lambda until: self.store.duplicates.put_same_event(
                producer, list(fresh), links, self.now(), batch=batch, until=until
            )

        key = StageKey("same event", producer, (vectors,))
        return leases.work(key, BATCH, compute)

    def _links(self, fresh: Mapping[ArticleId, ComparedArticle], vectors: str) -> list[Link]:
        near = self._neighbours(fresh, vectors)
        wanted = {one for others in near.values() for one in others} - fresh.keys()
        more = self.store.duplicates.compared_articles(vectors, sorted(wanted))
        known = {**fresh, **more}
        judge, ready = judge_of(vectors), self._prepared(known, vectors)
        # Of two articles always the later one is compared with the earlier: what is said of them
        # must not depend on which worker had which.
        earlier: dict[ArticleId, set[ArticleId]] = {}
        for article in fresh:
            for other in near[article]:
                if other in ready:
                    earlier.setdefault(max(article, other), set()).add(min(article, other))
        evidence: dict[Pair, Evidence] = {}
        for later, some in earlier.items():
            others = sorted(some)
            found = event_evidence(
                judge,
                ready[later],
                [ready[one] for one in others],
                self.thresholds.event_with_names,
            )
            evidence |= {(later, others[place]): why for place, why in found.items()}
        signatures = {one: compared.signature for one, compared in known.items()}
        return self._judged(evidence, signatures, known)

    def _neighbours(
        self, fresh: Mapping[ArticleId, ComparedArticle], vectors: str
    ) -> dict[ArticleId, list[ArticleId]]:
        dates = [one.text.dated for one in fresh.values()]
        found = self.store.articles.nearest_each(
            vectors,
            np.stack([one.vector for one in fresh.values()]),
            since=min(dates) - SPAN,
            until=max(dates) + SPAN,
            limit=NEIGHBOURS + 1,
        )
        return {
            article: [one.id for one in near if one.id != article and one.cosine >= LEAST_COSINE]
            for article, near in zip(fresh, found, strict=True)
        }

    def _prepared(
        self, known: Mapping[ArticleId, ComparedArticle], vectors: str
    ) -> dict[ArticleId, Prepared]:
        """Articles ready for comparison, made once for each text."""
        if len(self._ready) > KEPT_READY:
            self._ready.clear()
        background, centred = Background(self.frequencies()), judge_of(vectors).centred
        found = {}
        for one, compared in known.items():
            text = compared.text
            version = hash((vectors, text.title, text.text))
            kept = self._ready.get(one)
            if kept is None or kept[0] != version:
                piece = Piece(
                    one,
                    text.title,
                    text.text[:REPORT_LEAD],
                    text.dated,
                    compared.signature.source,
                    text.language,
                )
                made = prepare(piece, compared.vector, background, centred=centred)
                kept = self._ready[one] = version, made
            found[one] = kept[1]
        return found

    def _judged(
        self,
        evidence: Mapping[Pair, Evidence],
        signatures: dict[ArticleId, Signature],
        known: Mapping[ArticleId, ComparedArticle],
    ) -> list[Link]:
        verdicts = {
            pair: judge_pair(signatures[pair[0]], signatures[pair[1]], self.thresholds, why)
            for pair, why in evidence.items()
        }
        waiting = [pair for pair, verdict in verdicts.items() if verdict.wants_entities]
        names = self._names({one for pair in waiting for one in pair}, known)
        for one, found in names.items():
            signatures[one] = replace(signatures[one], entities=found)
        for a, b in waiting:
            why = evidence[a, b]
            verdicts[a, b] = judge_pair(signatures[a], signatures[b], self.thresholds, why)
        return [
            Link(greater, lesser, verdict.relation, verdict.evidence)
            for (greater, lesser), verdict in verdicts.items()
            if verdict.relation is Relation.SAME_EVENT
        ]

    def _names(
        self, wanted: Iterable[ArticleId], known: Mapping[ArticleId, ComparedArticle]
    ) -> dict[ArticleId, frozenset[str]]:
        ids: Sequence[ArticleId] = sorted(wanted)
        if not ids:
            return {}
        if self._recognizer is None:
            self._recognizer = self.recognizer()
        producer = self._recognizer.model_id
        found = dict(self.store.duplicates.names(producer, ids))
        left = [one for one in ids if one not in found]
        texts = [entity_text(known[one].text.title, known[one].text.text) for one in left]
        new = {
            one: frozenset(map(str, names))
            for one, names in zip(left, self._recognizer.recognise(texts), strict=True)
        }
        if new:
            self.store.duplicates.put_names(producer, new)
        return found | new
