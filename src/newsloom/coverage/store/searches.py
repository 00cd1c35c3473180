"""Articles that were chosen, and how far their searches are. Each step is from one state only, so
that doing it twice changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, text, update

from newsloom.coverage.store import rows
from newsloom.coverage.store.tables import coverage_answers, coverage_searches, coverage_vectors
from newsloom.coverage.values import CandidateState, CoverageSearch, Hit, Prepared, SearchState
from newsloom.kernel.db.columns import Json, Moment, beginning, micros, row_title
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId, UserId

_SEARCHES = coverage_searches.c
_DONE = (str(SearchState.RANKED), str(SearchState.FAILED))

# Of most articles there is none, which every page of an article asks.
_SEARCHED = text("SELECT 1 FROM coverage_searches WHERE article_id = :article")
_ADD_HIT = text("""
    INSERT INTO coverage_candidates (article_id, key, link_key, link, title, source, source_url,
        published_at, provider, state, at)
    VALUES (:article_id, :key, :link_key, :link, :title, :source, :source_url, :published,
        :provider, :state, :at)
    ON CONFLICT DO NOTHING
""")


class Searches(Aggregate):
    """Searches for chosen articles."""

    def choose_coverage(
        self,
        user: UserId,
        articles: Sequence[ArticleId],
        because: str,
        now: datetime,
        *,
        again_before: datetime | None = None,
    ) -> tuple[ArticleId, ...]:
        """Begin their searches; those that were begun now. One that was chosen before is begun
        again only if that was before `again_before` and it is done."""
        with self.database.write() as connection:
            return tuple(
                article
                for article in dict.fromkeys(articles)
                if _begin(connection, user, article, because, now, again_before)
            )

    def chosen_since(self, user: UserId, because: str, since: datetime) -> int:
        """How many articles of a reader were chosen for that reason."""
        query = select(func.count()).where(
            _SEARCHES.user_id == user, _SEARCHES.because == because, _SEARCHES.chosen_at >= since
        )
        return self._value(query, int) or 0

    def coverage_search(self, article: ArticleId) -> CoverageSearch | None:
        if not self._value(_SEARCHED, int, article=article):
            return None
        query = select(coverage_searches).where(_SEARCHES.article_id == article)
        return self._one(query, rows.search)

    def coverage_searches(
        self, state: SearchState, now: datetime, limit: int
    ) -> tuple[CoverageSearch, ...]:
        """Those in a state that may be gone on with, of readers who want it, the oldest first."""
        query = (
            select(coverage_searches)
            .where(_SEARCHES.state == str(state), _SEARCHES.next_at <= now, rows.wanted())
            .order_by(_SEARCHES.next_at, _SEARCHES.article_id)
            .limit(limit)
        )
        return self._rows(query, rows.search)

    def put_prepared(self, article: ArticleId, prepared: Prepared, by: str, now: datetime) -> bool:
        """The queries of an article that had none."""
        with self.database.write() as connection:
            return put_prepared(connection, article, prepared, by, now)

    def put_off_coverage(
        self, article: ArticleId, next_at: datetime, problem: str, *, failed: bool = False
    ) -> None:
        """It is not gone on with before then; `failed`, it is not gone on with at all."""
        values = {"tries": _SEARCHES.tries + 1, "next_at": next_at, "problem": problem}
        if failed:
            values["state"] = str(SearchState.FAILED)
        self._change(
            update(coverage_searches)
            .where(_SEARCHES.article_id == article, _SEARCHES.state == str(SearchState.PREPARED))
            .values(values)
        )

    def put_hits(
        self, article: ArticleId, hits: Sequence[Hit], now: datetime, problem: str = ""
    ) -> bool:
        """What was found for an article; hits it has already stay as they are."""
        with self.database.write() as connection:
            moved = connection.execute(
                update(coverage_searches)
                .where(
                    _SEARCHES.article_id == article, _SEARCHES.state == str(SearchState.PREPARED)
                )
                .values(state=str(SearchState.SEARCHED), problem=problem)
            )
            if moved.rowcount and hits:
                state = {"article_id": article, "state": CandidateState.FOUND, "at": micros(now)}
                connection.execute(_ADD_HIT, [{**rows.hit_values(one), **state} for one in hits])
            return bool(moved.rowcount)

    def coverage_list(
        self, user: UserId, limit: int
    ) -> tuple[tuple[CoverageSearch, str, int, int], ...]:
        """A reader's chosen articles, the last first: title, hits, and reports found."""
        asked = text(f"""
            SELECT s.*, a.title, {beginning("a.id", "a.title")},
                (SELECT COUNT(*) FROM coverage_candidates c WHERE c.article_id = s.article_id)
                    AS hits,
                (SELECT COUNT(*) FROM coverage_candidates c
                    WHERE c.article_id = s.article_id AND c.state = 'accepted') AS accepted
            FROM coverage_searches s
            JOIN articles a ON a.id = s.article_id
            WHERE s.user_id = :user ORDER BY s.chosen_at DESC, s.article_id DESC LIMIT :limit
        """)  # noqa: S608
        query = asked.columns(chosen_at=Moment, next_at=Moment, prepared=Json())
        with self.database.read() as connection:
            found = connection.execute(query, {"user": user, "limit": limit})
            return tuple(
                (rows.search(row), row_title(row), row.hits, row.accepted) for row in found
            )


def put_prepared(
    connection: Connection, article: ArticleId, prepared: Prepared, by: str, now: datetime
) -> bool:
    moved = connection.execute(
        update(coverage_searches)
        .where(_SEARCHES.article_id == article, _SEARCHES.state == str(SearchState.CHOSEN))
        .values(
            prepared=rows.prepared_values(prepared),
            prepared_by=by,
            state=str(SearchState.PREPARED),
            next_at=now,
        )
    )
    return bool(moved.rowcount)


def _begin(
    connection: Connection,
    user: UserId,
    article: ArticleId,
    because: str,
    now: datetime,
    again_before: datetime | None,
) -> bool:
    mine = _SEARCHES.article_id == article
    known = connection.execute(select(coverage_searches).where(mine)).one_or_none()
    fresh = {"user_id": user, "because": because, "chosen_at": now, "next_at": now}
    if known is None:
        connection.execute(
            insert(coverage_searches).values(
                article_id=article, state=str(SearchState.CHOSEN), **fresh
            )
        )
        return True
    if again_before is None or known.state not in _DONE or known.chosen_at >= again_before:
        return False
    state = SearchState.CHOSEN if known.prepared is None else SearchState.PREPARED
    connection.execute(
        update(coverage_searches).where(mine).values(state=str(state), tries=0, problem="", **fresh)
    )
    return True


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
