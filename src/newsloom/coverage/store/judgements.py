"""Decisions on pages: what is to be decided, and what was, with all that it rested on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, TextClause, delete, insert, select, text, update

from newsloom.articles.store.derived import article_texts
from newsloom.coverage.store import rows
from newsloom.coverage.store.tables import coverage_candidates, coverage_judgements, coverage_pages
from newsloom.coverage.values import (
    CandidateState,
    CoverageAnswer,
    CoverageJudgement,
    CoverageQuestion,
    Gate,
)
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import CandidateId

_HITS, _JUDGED = coverage_candidates.c, coverage_judgements.c

# Likeness of the texts is measured before anyone is asked, and kept with the hit.
_OPEN = """
    SELECT c.id, c.article_id, c.title, c.source, c.likeness, p.body, p.title AS named
    FROM coverage_candidates c
    JOIN coverage_searches s ON s.article_id = c.article_id
    JOIN coverage_readers r ON r.user_id = s.user_id AND r.wanted = TRUE
    JOIN coverage_pages p ON p.id = c.page_id
    WHERE c.state = 'fetched' AND c.at >= :since AND c.likeness IS {}
    ORDER BY c.at, c.place, c.id LIMIT :limit
"""
_UNMEASURED, _UNASKED = text(_OPEN.format("NULL")), text(_OPEN.format("NOT NULL"))


class Judgements(Aggregate):
    """Decisions."""

    def unmeasured_coverage(self, since: datetime, limit: int) -> tuple[CoverageQuestion, ...]:
        """Pages fetched since then whose likeness to the article they were looked for nobody knows
        yet."""
        with self.database.read() as connection:
            return _open(connection, _UNMEASURED, since, limit)

    def unjudged_coverage(self, since: datetime, limit: int) -> tuple[CoverageQuestion, ...]:
        """Those whose likeness is known, and that are not decided on."""
        with self.database.read() as connection:
            return unjudged(connection, since, limit)

    def put_likeness(self, likeness: Mapping[CandidateId, float]) -> None:
        """How alike the texts are."""
        with self.database.write() as connection:
            for candidate, value in likeness.items():
                connection.execute(
                    update(coverage_candidates).where(_HITS.id == candidate).values(likeness=value)
                )

    def put_judgement(self, judgement: CoverageJudgement) -> bool:
        """Decide on a hit that was fetched. Whether it waited for that."""
        with self.database.write() as connection:
            return put_judgement(connection, judgement)

    def page_of(self, candidate: CandidateId) -> str:
        """The address of the page of a hit; "" when it has none."""
        with self.database.read() as connection:
            return page_of(connection, candidate)

    def coverage_judgements(self, candidate: CandidateId) -> tuple[CoverageJudgement, ...]:
        """All decisions on a hit, the last one last."""
        query = (
            select(coverage_judgements)
            .where(_JUDGED.candidate_id == candidate)
            .order_by(_JUDGED.at, _JUDGED.id)
        )
        return self._rows(query, _judgement)


def unjudged(connection: Connection, since: datetime, limit: int) -> tuple[CoverageQuestion, ...]:
    return _open(connection, _UNASKED, since, limit)


def _open(
    connection: Connection, query: TextClause, since: datetime, limit: int
) -> tuple[CoverageQuestion, ...]:
    found = connection.execute(query, {"since": micros(since), "limit": limit}).all()
    articles = article_texts(connection, sorted({row.article_id for row in found}))
    return tuple(
        CoverageQuestion(
            candidate=CandidateId(row.id),
            article=articles[row.article_id],
            title=row.named or row.title,
            source=row.source,
            text=row.body,
            similarity=row.likeness or 0.0,
        )
        for row in found
        if row.article_id in articles
    )


def put_judgement(connection: Connection, judgement: CoverageJudgement) -> bool:
    state = CandidateState.ACCEPTED if judgement.accepted else CandidateState.DECLINED
    moved = connection.execute(
        update(coverage_candidates)
        .where(_HITS.id == judgement.candidate, rows.in_state(CandidateState.FETCHED))
        .values(state=str(state), at=judgement.at)
    )
    if not moved.rowcount:
        return False
    said = judgement.answer
    mine = (_JUDGED.candidate_id == judgement.candidate) & (_JUDGED.maker == judgement.maker)
    connection.execute(delete(coverage_judgements).where(mine))
    connection.execute(
        insert(coverage_judgements).values(
            candidate_id=judgement.candidate,
            at=judgement.at,
            gate=str(judgement.gate),
            maker=judgement.maker,
            similarity=judgement.similarity,
            score=said.score,
            same_event=said.same_event,
            confidence=said.confidence,
            quality=said.quality,
            abstained=said.abstain,
            accepted=judgement.accepted,
            reason=said.reason,
        )
    )
    return True


def page_of(connection: Connection, candidate: CandidateId) -> str:
    """The address of the page of a hit; "" when it has none."""
    query = (
        select(coverage_pages.c.url)
        .join(coverage_candidates, _HITS.page_id == coverage_pages.c.id)
        .where(_HITS.id == candidate)
    )
    return connection.scalar(query) or ""


def judged(connection: Connection, candidates: Sequence[int]) -> dict[int, CoverageJudgement]:
    """The last decision on each of some hits."""
    query = (
        select(coverage_judgements)
        .where(_JUDGED.candidate_id.in_(list(candidates)))
        .order_by(_JUDGED.at, _JUDGED.id)
    )
    return {row.candidate_id: _judgement(row) for row in connection.execute(query)}


def _judgement(row: Row[Any]) -> CoverageJudgement:
    at: datetime = row.at
    return CoverageJudgement(
        candidate=CandidateId(row.candidate_id),
        at=at,
        gate=Gate(row.gate),
        maker=row.maker,
        similarity=row.similarity,
        answer=CoverageAnswer(
            score=row.score,
            same_event=row.same_event,
            confidence=row.confidence,
            quality=row.quality,
            abstain=row.abstained,
            reason=row.reason,
        ),
        accepted=row.accepted,
    )
