"""`store.models`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from newsloom.articles.store.derived import article_texts, categories
from newsloom.articles.store.reader_tables import TEACHING
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.sql import many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.llm.store.calls import Calls, Services
from newsloom.ranking.store.tables import encoder_switches, evaluations, forgettings, interests
from newsloom.ranking.store.trained import Trained
from newsloom.ranking.values.models import (
    EncoderInUse,
    Evaluation,
    Forgetting,
    ImplicitNegative,
    Interest,
    Label,
)
from newsloom.reading.store.marks import GROUPS, WITHDRAWING, change_taste
from newsloom.reading.values.reading import EventKind, Reading

# What a reader's model may learn from: standing events, and interests. Weighs nothing.

# Every event that teaches or takes back, but for what was undone or forgotten. What takes back
# holds even then: nobody wants to be taught by what they withdrew.
_TOLD = text(f"""
    SELECT e.article_id, e.kind, e.at, e.via FROM events e
    WHERE e.user_id = :user AND {TEACHING} AND (
        e.kind IN ('unrate', 'unstar') OR NOT EXISTS (
            SELECT 1 FROM forgettings f WHERE f.user_id = e.user_id AND f.lifted_at IS NULL
            AND e.at >= f.since AND e.at < f.until
        )
    )
    ORDER BY e.id
""")  # noqa: S608

_NEGATIVE = {EventKind.DISLIKE, EventKind.SKIPPED}


_EDITS = text("SELECT term, factor FROM interest_edits WHERE user_id = :user ORDER BY term")
_DROP = text("DELETE FROM interest_edits WHERE user_id = :user AND term = :term")
_KEEP = text("""
    INSERT INTO interest_edits (user_id, term, factor, at) VALUES (:user, :term, :factor, :at)
    ON CONFLICT (user_id, term) DO UPDATE SET factor = excluded.factor, at = excluded.at
""")


def _latest_events(connection: Connection, user: UserId) -> list[Row[Any]]:
    """The latest event of each article and group, in the order of events; none that withdraws."""
    latest: dict[tuple[int, str], Row[Any]] = {}
    for row in sql.fetch(connection, _TOLD, {"user": user}):
        kind = EventKind(row.kind)
        place = row.article_id, GROUPS[kind]
        latest.pop(place, None)
        if kind not in WITHDRAWING:
            latest[place] = row
    return list(latest.values())


# What a reader passed over without a word, when they were there, what tells of one thing.
#
# Weighs nothing: classify.passed_over says what it is worth.

_DAY = 86_400_000_000  # microseconds

# Nothing was ever said of them, not even taken back, and they were not opened: that would say
# that the title worked. What was read when it was first seen may have been read with joy. What came
# in a forgotten stretch teaches nothing either. An article of another program was in its list since
# it came out, whenever Newsloom first saw it.
_PASSED_OVER = text("""
    SELECT s.article_id, s.read, CASE WHEN EXISTS (
        SELECT 1 FROM bridge_entries b JOIN bridge_accounts c ON c.id = b.account_id
        WHERE b.article_id = s.article_id AND c.user_id = s.user_id
    ) THEN s.dated_at ELSE o.first_seen_at END AS came, EXISTS (
        SELECT 1 FROM events r WHERE r.user_id = s.user_id AND r.article_id = s.article_id
        AND r.kind = 'read' AND r.undone_by IS NULL
    ) AS alone
    FROM states s JOIN articles o ON o.id = s.article_id
    WHERE s.user_id = :user AND s.read = :read AND s.rating = 0 AND s.starred = FALSE
    AND NOT EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.kind IN ('like', 'dislike', 'star', 'opened', 'finished', 'skipped')
    )
    AND (s.read = FALSE OR EXISTS (
        SELECT 1 FROM events e WHERE e.user_id = s.user_id AND e.article_id = s.article_id
        AND e.kind IN ('read', 'bulk read') AND e.undone_by IS NULL AND e.at > o.first_seen_at
    ))
    AND NOT EXISTS (
        SELECT 1 FROM forgettings f WHERE f.user_id = s.user_id AND f.lifted_at IS NULL
        AND o.first_seen_at >= f.since AND o.first_seen_at < f.until
    )
    ORDER BY s.dated_at DESC, s.article_id DESC LIMIT :limit
""")
_VISITS = text(f"""
    SELECT MAX(e.at) AS at FROM events e
    WHERE e.user_id = :user AND e.via <> 'import' AND NOT EXISTS (
        SELECT 1 FROM forgettings f WHERE f.user_id = e.user_id AND f.lifted_at IS NULL
        AND e.at >= f.since AND e.at < f.until
    )
    GROUP BY e.at / {_DAY} ORDER BY 1
""")  # noqa: S608 - a number of ours
_STORIES = many("SELECT article_id, story_id AS number FROM story_members WHERE article_id IN :ids")
_CLUSTERS = many("SELECT article_id, cluster_id AS number FROM clusters WHERE article_id IN :ids")


# When a reader read what was published: facts for the correction by observed delays.

# An article first seen later than this after it was published was waiting in its feed when that
# was subscribed to: its delay is the feed's age here, not the reader's.
BACKLOG = timedelta(days=1)

# The first thing that says it was read, and by what. What was read without an event (an import)
# has no moment and is left out.
_READINGS = text("""
    SELECT s.feed_id, s.dated_at, s.read, e.kind, e.at
    FROM states s
    JOIN articles a ON a.id = s.article_id
    LEFT JOIN events e ON e.id = (
        SELECT MIN(x.id) FROM events x
        WHERE x.user_id = s.user_id AND x.article_id = s.article_id AND x.undone_by IS NULL
        AND x.kind IN ('read', 'opened', 'finished', 'bulk read', 'like', 'dislike')
    )
    WHERE s.user_id = :user AND s.dated_at >= :since AND s.dated_at < :until
    AND a.first_seen_at - s.dated_at <= :backlog
    ORDER BY s.article_id
""")


# Stretches of time a reader took out of what their model learns from. Deletes no event.

_STRETCHES = text(f"""
    SELECT f.id, f.since, f.until, f.at, f.lifted_at, (
        SELECT COUNT(*) FROM events e
        WHERE e.user_id = f.user_id AND {TEACHING} AND e.kind NOT IN ('unrate', 'unstar')
        AND e.at >= f.since AND e.at < f.until
    ) AS events
    FROM forgettings f WHERE f.user_id = :user ORDER BY f.id
""")  # noqa: S608


def _stretches(connection: Connection, user: UserId) -> tuple[Forgetting, ...]:
    return sql.rows(connection, _STRETCHES, Forgetting, user=user)


# Which encoder's vectors answer. Every switch is kept; decides nothing.


_NEWEST = text("""
    SELECT name, model_id, dimensions, at AS since FROM encoder_switches ORDER BY id DESC LIMIT 1
""")
_TASTE = text("SELECT taste FROM users WHERE id = :user")
_INTERESTS = text("SELECT id, text, added_at FROM interests WHERE user_id = :user ORDER BY id")


# What was measured of readers' models, kept for ever. Measures nothing.


class ModelStore(Trained, Services, Calls):
    """What models learn from, what they became, and what language models were asked."""

    def labels(self, user: UserId) -> tuple[Label, ...]:
        """What stands of every event that may teach, by article and kind, oldest first: not
        withdrawn, undone or forgotten. classify.label_weights says what it comes to."""
        with self.database.read() as connection:
            rows = _latest_events(connection, user)
            ids = list(dict.fromkeys(row.article_id for row in rows))
            found = article_texts(connection, ids)
            shelves = categories(connection, user, ids)
        return tuple(
            Label(
                article=found[row.article_id],
                category=shelves.get(row.article_id, ""),
                positive=row.kind not in _NEGATIVE,
                at=moment(row.at),
                kind=EventKind(row.kind),
                via=row.via,
            )
            for row in rows
        )

    def evidence(self, user: UserId) -> list[tuple[ArticleId, EventKind, str]]:
        """The article, kind and way of the same events, which costs no look at an article."""
        with self.database.read() as connection:
            rows = _latest_events(connection, user)
        return [(ArticleId(row.article_id), EventKind(row.kind), row.via) for row in rows]

    def labels_mark(self, user: UserId) -> str:
        """Changes whenever labels(), interests() or the feeds' categories could have."""
        return str(self._value(_TASTE, int, user=user))

    def interests(self, user: UserId) -> tuple[Interest, ...]:
        return self._rows(_INTERESTS, Interest, user=user)

    def add_interest(self, user: UserId, text: str, now: datetime) -> Interest:
        with self.database.write() as connection:
            made = connection.execute(
                insert(interests).values(user_id=user, text=text, added_at=now)
            )
            change_taste(connection, user)
            key = made.inserted_primary_key
            assert key is not None
            return Interest(int(key[0]), text, now)

    def remove_interest(self, user: UserId, interest_id: int) -> bool:
        with self.database.write() as connection:
            gone = connection.execute(
                delete(interests).where(interests.c.user_id == user, interests.c.id == interest_id)
            )
            change_taste(connection, user)
            return gone.rowcount == 1

    def interest_edits(self, user: UserId) -> Mapping[str, float]:
        """What the weight of each edited topic is multiplied by."""
        return dict(self._rows(_EDITS, tuple, user=user))

    def edit_interest(self, user: UserId, term: str, factor: float | None, now: datetime) -> None:
        """None takes the edit back."""
        with self.database.write() as connection:
            if factor is None:
                connection.execute(_DROP, {"user": user, "term": term})
            else:
                values = {"user": user, "term": term, "factor": factor, "at": micros(now)}
                connection.execute(_KEEP, values)

    def implicit_negatives(self, user: UserId, limit: int) -> tuple[ImplicitNegative, ...]:
        """The newest `limit` of the read and as many of the unread, of which nothing was ever
        said."""
        with self.database.read() as connection:
            rows = [
                row
                for read in (True, False)
                for row in connection.execute(
                    _PASSED_OVER, {"user": user, "read": read, "limit": limit}
                )
            ]
            ids = [row.article_id for row in rows]
            found = article_texts(connection, ids)
            shelves = categories(connection, user, ids)
        return tuple(
            ImplicitNegative(
                article=found[row.article_id],
                category=shelves.get(row.article_id, ""),
                came=moment(row.came),
                read=bool(row.read),
                alone=bool(row.alone),
            )
            for row in rows
        )

    def visits(self, user: UserId) -> tuple[datetime, ...]:
        """The last moment of each day (UTC) on which the reader did anything, oldest first."""
        with self.database.read() as connection:
            rows = connection.execute(_VISITS, {"user": user})
            return tuple(moment(row.at).astimezone(UTC) for row in rows)

    def group_names(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, tuple[str, ...]]:
        """Names of the story and the event that each belongs to; what is in none is absent."""
        found: dict[ArticleId, list[str]] = defaultdict(list)
        with self.database.read() as connection:
            for name, statement in (("story", _STORIES), ("event", _CLUSTERS)):
                for row in rows_of(connection, statement, articles):
                    found[ArticleId(row.article_id)].append(f"{name} {row.number}")
        return {article: tuple(names) for article, names in found.items()}

    def exclude_period(
        self, user: UserId, since: datetime, until: datetime, at: datetime
    ) -> Forgetting:
        """Events from `since` to before `until` teach nothing any more."""
        with self.database.write() as connection:
            connection.execute(
                insert(forgettings).values(user_id=user, since=since, until=until, at=at)
            )
            change_taste(connection, user)
            return _stretches(connection, user)[-1]

    def forgettings(self, user: UserId) -> tuple[Forgetting, ...]:
        """Every stretch ever forgotten, those lifted again too."""
        with self.database.read() as connection:
            return _stretches(connection, user)

    def lift_forgetting(self, user: UserId, number: int, at: datetime) -> bool:
        """Let a stretch teach again; False when none of that number is in force."""
        mine = (
            (forgettings.c.user_id == user)
            & (forgettings.c.id == number)
            & forgettings.c.lifted_at.is_(None)
        )
        with self.database.write() as connection:
            lifted = connection.execute(update(forgettings).where(mine).values(lifted_at=at))
            if lifted.rowcount:
                change_taste(connection, user)
            return lifted.rowcount == 1

    def add_evaluation(
        self, user: UserId, at: datetime, model_id: str, protocol: str, report: Mapping[str, Any]
    ) -> None:
        """Keep what was measured of a model: plain metric names to what JSON can hold."""
        self._change(
            insert(evaluations).values(
                user_id=user, at=at, model_id=model_id, protocol=protocol, report=dict(report)
            )
        )

    def evaluations(
        self, user: UserId, protocol: str | None = None, limit: int = 100
    ) -> tuple[Evaluation, ...]:
        """The newest first, of one protocol or of all."""
        query = select(evaluations).where(evaluations.c.user_id == user)
        if protocol is not None:
            query = query.where(evaluations.c.protocol == protocol)
        query = query.order_by(evaluations.c.id.desc()).limit(limit)
        return self._rows(query, Evaluation)

    def readings(self, user: UserId, since: datetime, until: datetime) -> tuple[Reading, ...]:
        """Articles published from `since` to `until`, and when they were read, if by `until`.

        Without those that were old news when their feed was first polled.
        """
        values = {
            "user": user,
            "since": micros(since),
            "until": micros(until),
            "backlog": BACKLOG // timedelta(microseconds=1),
        }
        with self.database.read() as connection:
            rows = connection.execute(_READINGS, values).all()
        return tuple(
            Reading(FeedId(row.feed_id), moment(row.dated_at))
            if row.at is None or row.at >= values["until"]
            else Reading(
                FeedId(row.feed_id),
                moment(row.dated_at),
                moment(row.at),
                row.kind == EventKind.BULK_READ,
            )
            for row in rows
            if row.at is not None or not row.read
        )

    def encoder_in_use(self) -> EncoderInUse | None:
        """None: nobody ever chose another than the shipped one."""
        return self._one(_NEWEST, EncoderInUse)

    def use_encoder(self, name: str, model_id: str, dimensions: int, at: datetime) -> bool:
        """Whether that was not so before."""
        with self.database.write() as connection:
            now = sql.one(connection, _NEWEST, EncoderInUse)
            if now is not None and now.model_id == model_id:
                return False
            connection.execute(
                insert(encoder_switches).values(
                    name=name, model_id=model_id, dimensions=dimensions, at=at
                )
            )
            return True
