"""`store.coverage`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row, bindparam, func, insert, select, text, update

from newsloom.coverage.relevance import sureness
from newsloom.coverage.store import rows
from newsloom.coverage.store.judgements import Judgements, judged
from newsloom.coverage.store.searches import HOUR, Answers, Searches
from newsloom.coverage.store.tables import (
    coverage_answers,
    coverage_candidates,
    coverage_pages,
    coverage_readers,
    coverage_rejections,
    coverage_searches,
)
from newsloom.coverage.values import (
    CandidateState,
    CoverageHit,
    CoverageJudgement,
    CoveragePage,
    CoverageStatus,
    Covered,
    RepeatedSource,
    SearchState,
)
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.sql import CHUNK
from newsloom.kernel.ids import ArticleId, CandidateId, CoveragePageId, UserId
from newsloom.ranking.ports import Vectors
from newsloom.ranking.store.vectors import STORED

# What readers see of related coverage, and what they say of it.

_HITS_SHOWN, _SEARCHES_shown = coverage_candidates.c, coverage_searches.c
_READERS_SHOWN, _REJECTED = coverage_readers.c, coverage_rejections.c

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


# Hits: ranked once all are there, then each on its own way.

_HITS_CANDIDATES, _SEARCHES = coverage_candidates.c, coverage_searches.c


# Pages of publishers that were asked for. One is asked for once, whichever articles it is for.

_PAGES, _HITS = coverage_pages.c, coverage_candidates.c


# Vectors of hits' headlines: the same headline comes back with every query.

_FOUND = text(
    "SELECT key, vector FROM coverage_vectors WHERE maker_id = :maker AND key IN :keys"
).bindparams(bindparam("keys", expanding=True))
_PUT = text("""
    INSERT INTO coverage_vectors (maker_id, key, at, vector) VALUES (:maker, :key, :at, :vector)
    ON CONFLICT (maker_id, key) DO UPDATE SET at = excluded.at
""")


# Whether a reader wants related coverage searched for: nobody does who has not said so.

_READERS = coverage_readers.c
_WANTED = text("SELECT at FROM coverage_readers WHERE user_id = :user AND wanted = TRUE")


class CoverageStore(Searches, Answers, Judgements):
    """Who wants related coverage, what was searched for, found, fetched, and decided."""

    def coverage_wanted(self, user: UserId) -> datetime | None:
        """Since when a reader wants it; None: they do not."""
        return self._value(_WANTED, datetime, user=user)

    def coverage_readers(self) -> tuple[UserId, ...]:
        """Who wants it."""
        query = select(_READERS.user_id).where(_READERS.wanted.is_(True)).order_by(_READERS.user_id)
        return self._column(query, UserId)

    def switch_coverage(self, user: UserId, *, on: bool, now: datetime) -> bool:
        """Whether anything changed."""
        with self.database.write() as connection:
            mine = _READERS.user_id == user
            known = connection.execute(select(_READERS.wanted).where(mine)).one_or_none()
            if known is None:
                connection.execute(insert(coverage_readers).values(user_id=user, wanted=on, at=now))
                return on
            if known.wanted is on:
                return False
            connection.execute(update(coverage_readers).where(mine).values(wanted=on, at=now))
            return True

    def candidates(self, article: ArticleId) -> tuple[CoverageHit, ...]:
        """All of an article, the best ranked first."""
        query = (
            select(coverage_candidates)
            .where(_HITS_CANDIDATES.article_id == article)
            .order_by(_HITS_CANDIDATES.place.is_(None), _HITS_CANDIDATES.place, _HITS_CANDIDATES.id)
        )
        return self._rows(query, rows.candidate)

    def candidates_in(self, state: CandidateState, limit: int) -> tuple[CoverageHit, ...]:
        """Those in a state, of readers who want it, the longest waiting first."""
        query = (
            select(coverage_candidates)
            .join(coverage_searches, _SEARCHES.article_id == _HITS_CANDIDATES.article_id)
            .where(rows.in_state(state), rows.wanted())
            .order_by(_HITS_CANDIDATES.at, _HITS_CANDIDATES.place, _HITS_CANDIDATES.id)
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
                    .where(_HITS_CANDIDATES.id == candidate, rows.in_state(CandidateState.FOUND))
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
            .where(_HITS_CANDIDATES.id == candidate, rows.in_state(CandidateState.RANKED))
            .values(url=url, domain=domain, problem=problem, state=str(state), at=now)
        )
        return changed > 0

    def right_places(self, user: UserId, provider: str, since: datetime) -> tuple[int, ...]:
        """At which places hits of a service stood that turned out right for a reader."""
        query = (
            select(_HITS_CANDIDATES.place)
            .join(coverage_searches, _SEARCHES.article_id == _HITS_CANDIDATES.article_id)
            .where(
                rows.in_state(CandidateState.ACCEPTED),
                _SEARCHES.user_id == user,
                _HITS_CANDIDATES.provider == provider,
                _HITS_CANDIDATES.place.is_not(None),
                _HITS_CANDIDATES.at >= since,
            )
            .order_by(_HITS_CANDIDATES.id)
        )
        return self._column(query, int)

    def coverage_page(self, key: str) -> CoveragePage | None:
        query = select(coverage_pages).where(_PAGES.key == key)
        return self._one(query, rows.page)

    def begin_page(self, key: str, url: str, now: datetime, next_at: datetime) -> CoveragePage:
        """Write down that a page is asked for, before it is: one that is killed has asked."""
        values = {"url": url, "at": now, "next_at": next_at, "problem": "it was not fetched whole"}
        with self.database.write() as connection:
            moved = connection.execute(
                update(coverage_pages)
                .where(_PAGES.key == key)
                .values(tries=_PAGES.tries + 1, **values)
            )
            if not moved.rowcount:
                connection.execute(insert(coverage_pages).values(key=key, tries=1, **values))
            found = connection.execute(select(coverage_pages).where(_PAGES.key == key))
            return rows.page(found.one())

    def put_coverage_page(self, page: CoveragePage) -> None:
        """What came of asking for it."""
        self._change(
            update(coverage_pages)
            .where(_PAGES.id == page.id)
            .values(
                address=page.address,
                title=page.title,
                at=page.at,
                next_at=page.next_at,
                failure=page.failure,
                problem=page.problem,
                body=page.text,
            )
        )

    def put_fetched(
        self,
        candidates: Sequence[CandidateId],
        page: CoveragePageId | None,
        state: CandidateState,
        problem: str,
        now: datetime,
    ) -> int:
        """What the page of resolved hits came to; how many of them waited for it."""
        moved = 0
        with self.database.write() as connection:
            for candidate in candidates:
                done = connection.execute(
                    update(coverage_candidates)
                    .where(_HITS.id == candidate, rows.in_state(CandidateState.RESOLVED))
                    .values(page_id=page, state=str(state), problem=problem, at=now)
                )
                moved += done.rowcount
        return moved

    def twin_of(self, candidate: CandidateId, address: str) -> bool:
        """Whether another hit of the same article was fetched from that address."""
        other = select(_HITS.article_id).where(_HITS.id == candidate).scalar_subquery()
        query = (
            select(func.count())
            .select_from(coverage_candidates)
            .join(coverage_pages, _PAGES.id == _HITS.page_id)
            .where(
                _HITS.article_id == other,
                _HITS.id != candidate,
                _PAGES.address == address,
                _HITS.state.in_(
                    [str(one) for one in (CandidateState.FETCHED, CandidateState.ACCEPTED)]
                ),
            )
        )
        return bool(self._value(query, int))

    def hit_vectors(self, producer: str, keys: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        """Unit-length rows of those that are known."""
        found: dict[str, NDArray[np.float32]] = {}
        with self.database.read() as connection:
            number = producers.known(connection, producer)
            for start in range(0, len(keys), CHUNK):
                some = {"maker": number, "keys": list(keys[start : start + CHUNK])}
                for row in connection.execute(_FOUND, some):
                    found[row.key] = np.frombuffer(row.vector, STORED).astype(np.float32)
        return {key: row / (float(np.linalg.norm(row)) or 1.0) for key, row in found.items()}

    def put_hit_vectors(
        self, producer: str, keys: Sequence[str], vectors: Vectors, now: datetime
    ) -> None:
        """Keep them, one row for each key."""
        if not keys:
            return
        with self.database.write() as connection:
            number = producers.numbered(connection, producer)
            values = [
                {"maker": number, "key": key, "at": micros(now), "vector": row.tobytes()}
                for key, row in zip(keys, vectors.astype(STORED), strict=True)
            ]
            connection.execute(_PUT, values)

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
        query = select(_HITS_SHOWN.article_id, _HITS_SHOWN.url).where(_HITS_SHOWN.id == candidate)
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
        mine = _SEARCHES_shown.user_id == user
        lately = mine & (_SEARCHES_shown.chosen_at >= now - MONTH)
        waiting = _SEARCHES_shown.state.in_(
            [str(one) for one in SearchState if one not in {SearchState.RANKED, SearchState.FAILED}]
        )
        states = (
            select(_HITS_SHOWN.state, func.count())
            .join(coverage_searches, _SEARCHES_shown.article_id == _HITS_SHOWN.article_id)
            .where(lately)
            .group_by(_HITS_SHOWN.state)
        )
        with self.database.read() as connection:

            def count(condition: Any) -> int:
                return int(connection.execute(select(func.count()).where(condition)).scalar_one())

            on = connection.scalar(
                select(_READERS_SHOWN.at).where(
                    _READERS_SHOWN.user_id == user, _READERS_SHOWN.wanted.is_(True)
                )
            )
            by_state = {row[0]: int(row[1]) for row in connection.execute(states)}
            return CoverageStatus(
                on=on is not None,
                since=on,
                searches=count(coverage_answers.c.at > now - HOUR),
                waiting=count(mine & waiting),
                articles=count(lately),
                accepted=by_state.get(str(CandidateState.ACCEPTED), 0),
                states=tuple(
                    (one.value, by_state[one.value])
                    for one in CandidateState
                    if one.value in by_state
                ),
            )
