"""What readers see of related coverage, and what they say of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, insert, select, text

from newsloom.coverage.relevance import sureness
from newsloom.coverage.store.answers import HOUR
from newsloom.coverage.store.judgements import judged
from newsloom.coverage.store.tables import (
    coverage_answers,
    coverage_candidates,
    coverage_readers,
    coverage_rejections,
    coverage_searches,
)
from newsloom.coverage.values import (
    CandidateState,
    CoverageJudgement,
    CoverageStatus,
    Covered,
    RepeatedSource,
    SearchState,
)
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import ArticleId, CandidateId, UserId

_HITS, _SEARCHES = coverage_candidates.c, coverage_searches.c
_READERS, _REJECTED = coverage_readers.c, coverage_rejections.c

_SHOWN = text("""
    SELECT c.id, c.title, c.source, c.link, c.url, c.domain, c.published_at, c.state, c.similarity,
        COALESCE(p.address, '') AS address
    FROM coverage_candidates c
    LEFT JOIN coverage_pages p ON p.id = c.page_id
    WHERE c.article_id = :article
    AND (c.state = 'accepted' OR (c.state = 'unresolved' AND c.similarity >= :alike))
    AND NOT EXISTS (
        SELECT 1 FROM coverage_rejections r WHERE r.candidate_id = c.id AND r.user_id = :user
    )
    ORDER BY c.state, c.similarity DESC, c.id
""").columns(published_at=coverage_candidates.c.published_at.type)
_REPEATED = text("""
    SELECT c.domain, MIN(c.source) AS name, COUNT(DISTINCT c.article_id) AS times
    FROM coverage_candidates c JOIN coverage_searches s ON s.article_id = c.article_id
    WHERE s.user_id = :user AND c.state = 'accepted' AND c.at >= :since AND c.domain <> ''
    AND NOT EXISTS (
        SELECT 1 FROM coverage_rejections r WHERE r.candidate_id = c.id AND r.user_id = :user
    )
    GROUP BY c.domain HAVING COUNT(DISTINCT c.article_id) >= :times
    ORDER BY times DESC, c.domain
""")
MONTH = timedelta(days=30)


class Shown(Aggregate):
    """Reports elsewhere, as readers see them."""

    def covered(self, user: UserId, article: ArticleId, alike: float) -> tuple[Covered, ...]:
        """What else reports an article, the surest first. A hit whose page is not known is there
        when its headline is alike by that much."""
        values = {"user": user, "article": article, "alike": alike}
        with self.database.read() as connection:
            found = connection.execute(_SHOWN, values).all()
            decided = judged(connection, [row.id for row in found])
        shown = [_covered(row, decided.get(row.id)) for row in found]
        return tuple(sorted(shown, key=lambda one: (one.unresolved, -one.sure)))

    def reject_coverage(
        self, user: UserId, candidate: CandidateId, now: datetime
    ) -> tuple[ArticleId, str] | None:
        """A reader says that it is not the same: its article, and the page's address. None: there
        is no such hit, or they said so before."""
        query = select(_HITS.article_id, _HITS.url).where(_HITS.id == candidate)
        before = select(_REJECTED.at).where(
            _REJECTED.user_id == user, _REJECTED.candidate_id == candidate
        )
        with self.database.write() as connection:
            row = connection.execute(query).one_or_none()
            if row is None or connection.execute(before).one_or_none() is not None:
                return None
            connection.execute(
                insert(coverage_rejections).values(user_id=user, candidate_id=candidate, at=now)
            )
            return ArticleId(row.article_id), row.url

    def repeated_sources(
        self, user: UserId, since: datetime, times: int
    ) -> tuple[RepeatedSource, ...]:
        """Publishers that reported what several of the reader's articles report."""
        return self._rows(
            _REPEATED,
            RepeatedSource,
            user=user,
            since=since,
            times=times,
        )

    def coverage_status(self, user: UserId, now: datetime) -> CoverageStatus:
        """How it stands."""
        mine = _SEARCHES.user_id == user
        lately = mine & (_SEARCHES.chosen_at >= now - MONTH)
        waiting = _SEARCHES.state.in_(
            [str(one) for one in SearchState if one not in {SearchState.RANKED, SearchState.FAILED}]
        )
        states = (
            select(_HITS.state, func.count())
            .join(coverage_searches, _SEARCHES.article_id == _HITS.article_id)
            .where(lately)
            .group_by(_HITS.state)
        )
        with self.database.read() as connection:

            def count(condition: Any) -> int:
                return int(connection.execute(select(func.count()).where(condition)).scalar_one())

            on = connection.scalar(
                select(_READERS.at).where(_READERS.user_id == user, _READERS.wanted.is_(True))
            )
            by_state = {row[0]: int(row[1]) for row in connection.execute(states)}
            return CoverageStatus(
                on=on is not None,
                since=on,
                searches=count(coverage_answers.c.at > now - HOUR),
                waiting=count(mine & waiting),
                articles=count(lately),
                accepted=by_state.get(str(CandidateState.ACCEPTED), 0),
                states=_in_order(by_state),
            )


def _in_order(by_state: dict[str, int]) -> tuple[tuple[str, int], ...]:
    names: Sequence[str] = [str(one) for one in CandidateState]
    return tuple((name, by_state[name]) for name in names if name in by_state)


def _covered(row: Row[Any], decided: CoverageJudgement | None) -> Covered:
    unresolved = row.state == str(CandidateState.UNRESOLVED)
    sure = row.similarity or 0.0
    if decided is not None:
        sure = sureness(decided.answer)
    return Covered(
        candidate=CandidateId(row.id),
        title=row.title,
        source=row.source,
        domain=row.domain,
        url=row.link if unresolved else row.address or row.url,
        published=row.published_at,
        sure=min(max(sure, 0.0), 1.0),
        gate=None if decided is None else decided.gate,
        unresolved=unresolved,
        reason="" if decided is None else decided.answer.reason,
    )
