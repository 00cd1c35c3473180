"""Pages of publishers that were asked for. One is asked for once, whichever articles it is for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, insert, select, update

from newsloom.coverage.store import rows
from newsloom.coverage.store.tables import coverage_candidates, coverage_pages
from newsloom.coverage.values import CandidateState, CoveragePage
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import CandidateId, CoveragePageId

_PAGES, _HITS = coverage_pages.c, coverage_candidates.c


class Pages(Aggregate):
    """Pages that were fetched."""

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
