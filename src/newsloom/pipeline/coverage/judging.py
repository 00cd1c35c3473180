"""Pages judged against the articles they were looked for: how alike the texts are, and without a
language model what follows from that. With one, it decides (llm/purposes/coverage.py), and what it
does not answer is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.pipeline.coverage.ledger import Record
from newsloom.pipeline.coverage.ranking import COMPOSITION, HeadlineVectors
from newsloom.related import relevance
from newsloom.related.ledger import judged
from newsloom.related.ranking import likeness
from newsloom.store import Store
from newsloom.text.embedding import query_text
from newsloom.types import CoverageJudgement, CoverageQuestion, Gate

MOST = 200  # pages in one pass
# An older report is read no more.
ASKED_ABOUT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Judging:
    """The last step."""

    store: Store
    now: Callable[[], datetime]
    vectors: HeadlineVectors
    record: Record
    model: bool  # whether a language model decides

    def run(self) -> int:
        """How many pages were decided on."""
        since = self.now() - ASKED_ABOUT
        fresh = self.store.coverage.unmeasured_coverage(since, MOST)
        if fresh:
            self.store.coverage.put_likeness({one.candidate: self._likeness(one) for one in fresh})
        waiting = self.store.coverage.unjudged_coverage(since, MOST)
        return sum(self._judge(one) for one in waiting)

    def _likeness(self, question: CoverageQuestion) -> float:
        article = question.article
        both = (
            query_text(article.title, article.text[: relevance.COMPARED]),
            query_text(question.title, question.text[: relevance.COMPARED]),
        )
        vectors = self.vectors.of(both)
        return float(likeness(vectors[0], vectors[1:])[0])

    def _judge(self, question: CoverageQuestion) -> bool:
        """Decide without a model; with one, only on what has nothing in common."""
        if self.model and not relevance.hopeless(question.similarity):
            return False
        now, answer = self.now(), relevance.by_likeness(question.similarity)
        judgement = CoverageJudgement(
            candidate=question.candidate,
            at=now,
            gate=Gate.ENCODER,
            maker=f"{self.vectors.embedder().model_id}/{COMPOSITION}",
            similarity=question.similarity,
            answer=answer,
            accepted=relevance.accepts(answer),
        )
        with self.store.write() as unit:
            if not unit.coverage.put_judgement(judgement):
                return False
            url = unit.coverage.page_of(judgement.candidate)
            self.record(unit, [judged(url, judgement, model=False)])
        return True
