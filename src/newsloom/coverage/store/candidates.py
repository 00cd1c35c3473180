"""Hits: ranked once all are there, then each on its own way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from newsloom.coverage.store import rows
from newsloom.coverage.store.tables import coverage_candidates, coverage_searches
from newsloom.coverage.values import CandidateState, CoverageHit, SearchState
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import ArticleId, CandidateId, UserId

_HITS, _SEARCHES = coverage_candidates.c, coverage_searches.c


class Candidates(Aggregate):
    """Hits of searches."""

    def candidates(self, article: ArticleId) -> tuple[CoverageHit, ...]:
        """All of an article, the best ranked first."""
        query = (
            select(coverage_candidates)
            .where(_HITS.article_id == article)
            .order_by(_HITS.place.is_(None), _HITS.place, _HITS.id)
        )
        return self._rows(query, rows.candidate)

    def candidates_in(self, state: CandidateState, limit: int) -> tuple[CoverageHit, ...]:
        """Those in a state, of readers who want it, the longest waiting first."""
        query = (
            select(coverage_candidates)
            .join(coverage_searches, _SEARCHES.article_id == _HITS.article_id)
            .where(rows.in_state(state), rows.wanted())
            .order_by(_HITS.at, _HITS.place, _HITS.id)
            .limit(limit)
        )
        return self._rows(query, rows.candidate)

    def put_ranked(
        self,
        article: ArticleId,
        ranked: Sequence[tuple[CandidateId, float, int | None]],
        now: datetime,
    ) -> bool:
        """Likeness and place of the hits that have none yet; without a place one is left out."""
        with self.database.write() as connection:
            moved = connection.execute(
                update(coverage_searches)
                .where(
                    _SEARCHES.article_id == article, _SEARCHES.state == str(SearchState.SEARCHED)
                )
                .values(state=str(SearchState.RANKED))
            )
            if not moved.rowcount:
                return False
            for candidate, similarity, place in ranked:
                state = CandidateState.LEFT_OUT if place is None else CandidateState.RANKED
                connection.execute(
                    update(coverage_candidates)
                    .where(_HITS.id == candidate, rows.in_state(CandidateState.FOUND))
                    .values(similarity=similarity, place=place, state=str(state), at=now)
                )
            return True

    def put_resolved(
        self, candidate: CandidateId, url: str, domain: str, problem: str, now: datetime
    ) -> bool:
        """Where a hit leads; without an address it stays the search service's link."""
        state = CandidateState.RESOLVED if url else CandidateState.UNRESOLVED
        changed = self._change(
            update(coverage_candidates)
            .where(_HITS.id == candidate, rows.in_state(CandidateState.RANKED))
            .values(url=url, domain=domain, problem=problem, state=str(state), at=now)
        )
        return changed > 0

    def right_places(self, user: UserId, provider: str, since: datetime) -> tuple[int, ...]:
        """At which places hits of a service stood that turned out right for a reader."""
        query = (
            select(_HITS.place)
            .join(coverage_searches, _SEARCHES.article_id == _HITS.article_id)
            .where(
                rows.in_state(CandidateState.ACCEPTED),
                _SEARCHES.user_id == user,
                _HITS.provider == provider,
                _HITS.place.is_not(None),
                _HITS.at >= since,
            )
            .order_by(_HITS.id)
        )
        return self._column(query, int)
