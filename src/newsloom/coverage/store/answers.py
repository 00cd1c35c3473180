"""What search services were asked, and what they answered: bounded by the hour, kept for hours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, insert, select, update

from newsloom.coverage.store import rows
from newsloom.coverage.store.tables import coverage_answers, coverage_vectors
from newsloom.coverage.values import Hit
from newsloom.kernel.db.aggregate import Aggregate

_ANSWERS = coverage_answers.c
HOUR = timedelta(hours=1)


class Answers(Aggregate):
    """Searches that were sent."""

    def cached_answer(self, key: str, since: datetime) -> tuple[Hit, ...] | None:
        """What was answered to a search since then; None: it is to be asked."""
        query = (
            select(_ANSWERS.hits)
            .where(_ANSWERS.key == key, _ANSWERS.at >= since, _ANSWERS.hits.is_not(None))
            .order_by(_ANSWERS.id.desc())
            .limit(1)
        )
        return self._one(query, lambda found: tuple(map(rows.hit, found.hits)))

    def reserve_search(self, key: str, provider: str, now: datetime, most: int) -> int | None:
        """Write down that a search is sent now; None when `most` were within the last hour."""
        sent = select(func.count()).where(_ANSWERS.at > now - HOUR)
        with self.database.write() as connection:
            if int(connection.execute(sent).scalar_one()) >= most:
                return None
            row = insert(coverage_answers).values(key=key, provider=provider, at=now)
            number: int = connection.execute(row.returning(_ANSWERS.id)).scalar_one()
            return number

    def put_answer(self, number: int, hits: Sequence[Hit] | None, problem: str = "") -> None:
        """What came of it; None: no answer that can be used."""
        said = None if hits is None else [rows.hit_values(one) for one in hits]
        self._change(
            update(coverage_answers).where(_ANSWERS.id == number).values(hits=said, problem=problem)
        )

    def forget_answers(self, before: datetime) -> None:
        """Drop answers and vectors of hits that are older."""
        with self.database.write() as connection:
            connection.execute(delete(coverage_answers).where(_ANSWERS.at < before))
            connection.execute(delete(coverage_vectors).where(coverage_vectors.c.at < before))
