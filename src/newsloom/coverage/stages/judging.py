"""Pages judged against the articles they were looked for: how alike the texts are, and without a
language model the probability that both report one event. With one, it decides: see
coverage/purposes/coverage.py. What it does not answer is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.coverage import relevance
from newsloom.coverage.ranking import likeness
from newsloom.coverage.relevance import judged
from newsloom.coverage.stages.fetching import Record
from newsloom.coverage.stages.ranking import HeadlineVectors
from newsloom.coverage.values import CoverageJudgement, CoverageQuestion, Gate
from newsloom.ranking.encoder_text import query_text
from newsloom.ranking.ports import Vectors
from newsloom.store import Store
from newsloom.stories.prepared import Background, Frequencies, prepare
from newsloom.stories.same_event import judge_of
from newsloom.stories.values.pages import REPORT_LEAD, Piece

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
    frequencies: Callable[[], Frequencies]  # how rare terms are
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
        vectors = self._vectors(question)
        return float(likeness(vectors[0], vectors[1:])[0])

    def _vectors(self, question: CoverageQuestion) -> Vectors:
        """Of the article and of the page, in this order; the second time from the cache."""
        article = question.article
        return self.vectors.of(
            (
                query_text(article.title, article.text[: relevance.COMPARED]),
                query_text(question.title, question.text[: relevance.COMPARED]),
            ),
            article.language,
        )

    def _probability(self, question: CoverageQuestion) -> float:
        vectors, article = self._vectors(question), question.article
        background = Background(self.frequencies())
        pieces = (
            Piece(
                article.id, article.title, article.text[:REPORT_LEAD], None, "", article.language
            ),
            Piece(
                article.id, question.title, question.text[:REPORT_LEAD], None, "", article.language
            ),
        )
        model = self.vectors.embedder(article.language).model_id
        one, other = (
            prepare(piece, vector, background, centred=judge_of(model).centred)
            for piece, vector in zip(pieces, vectors, strict=True)
        )
        return judge_of(model).probability_of_found(one, other)

    def _judge(self, question: CoverageQuestion) -> bool:
        """Decide without a model; with one, only on what has nothing in common."""
        if self.model and not relevance.hopeless(question.similarity):
            return False
        answer = relevance.by_probability(self._probability(question))
        model = self.vectors.embedder(question.article.language).model_id
        judgement = CoverageJudgement(
            candidate=question.candidate,
            at=self.now(),
            gate=Gate.ENCODER,
            maker=f"{model}/{judge_of(model).version}",
            similarity=question.similarity,
            answer=answer,
            accepted=relevance.accepts(answer) and not relevance.hopeless(question.similarity),
        )
        with self.store.write() as unit:
            if not unit.coverage.put_judgement(judgement):
                return False
            url = unit.coverage.page_of(judgement.candidate)
            self.record(unit, [judged(url, judgement, model=False)])
        return True
