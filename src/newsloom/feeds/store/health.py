"""How a reader's feeds are: states, history, moves; what they set of a feed. Decides nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, func, or_, select, text, update

from newsloom.articles.store.reader_tables import subscriptions
from newsloom.digests.values import FeedReport
from newsloom.feeds.store import feed_moves
from newsloom.feeds.store.hints import read_hints, read_pace
from newsloom.feeds.store.tables import feeds, moves, polls, verdicts
from newsloom.feeds.values.health import FeedState, Moving
from newsloom.feeds.values.polling import FeedHealth, Move, PastPoll, PollTally, Verdict
from newsloom.feeds.values.published import Damage
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import FeedId, UserId

# As health.reliability.tally counts them.
TALLIED = """
    p.feed_id, COUNT(*) AS polls,
        SUM(CASE WHEN p.outcome IN ('changed', 'unchanged', 'unreadable') THEN 1 ELSE 0 END)
            AS answered,
        SUM(CASE WHEN p.articles > 0 OR p.outcome = 'unreadable' THEN 1 ELSE 0 END) AS documents,
        SUM(CASE WHEN (p.articles > 0 OR p.outcome = 'unreadable') AND p.problem = ''
            THEN 1 ELSE 0 END) AS sound,
        SUM(p.articles) AS articles, SUM(p.misdated) AS misdated
"""
_TALLIES = portable(f"""
    SELECT {TALLIED} FROM polls p WHERE p.feed_id IN numbers_in(:named) GROUP BY p.feed_id
""")  # noqa: S608
_REASONS = portable("""
    SELECT p.feed_id, p.reason FROM numbers_in(:named) n CROSS JOIN polls p
    WHERE p.id = (SELECT MAX(id) FROM polls WHERE feed_id = n.value)
""")
_HELD = portable("""
    SELECT h.feed_id, COUNT(*) FROM holds h
    WHERE h.feed_id IN numbers_in(:named) GROUP BY h.feed_id
""")
_NEWLY = portable("""
    SELECT f.id FROM subscriptions s CROSS JOIN feeds f WHERE s.user_id = :user AND f.id = s.feed_id
    AND f.state IN names_in(:states)
    AND (f.state_seen_at IS NULL OR f.state_seen_at < f.state_at)
""")

# Moves shown of one reader's feeds, the newest first.
MOST_MOVES = 200


MOST_PAST_POLLS = 100

# A feed has succeeded when the last of its polls in the window did.
_REPORT = text("""
    SELECT COUNT(*) AS polled, SUM(feeds.new) AS new, SUM(feeds.duplicates) AS duplicates,
        SUM(CASE WHEN l.outcome IN ('changed', 'unchanged') THEN 1 ELSE 0 END) AS succeeded
    FROM (
        SELECT MAX(p.id) AS last, SUM(p.new) AS new, SUM(p.duplicates) AS duplicates
        FROM subscriptions c JOIN polls p ON p.feed_id = c.feed_id
        WHERE c.user_id = :user AND p.at > :begin AND p.at <= :end
        GROUP BY p.feed_id
    ) AS feeds JOIN polls l ON l.id = feeds.last
""")


class Health(Aggregate):
    """How feeds are, their past polls and their moves."""

    def health(self, user: UserId, those: Sequence[FeedId] | None = None) -> tuple[FeedHealth, ...]:
        """Every feed the reader follows, or those of them, in no order."""
        query = (
            select(feeds, subscriptions.c.title.label("own_title"), subscriptions.c.category)
            .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
            .where(subscriptions.c.user_id == user)
        )
        if those is not None:
            named = portable("SELECT value FROM numbers_in(:those) AS t").bindparams(
                those=json.dumps(list(those))
            )
            query = query.where(feeds.c.id.in_(named))
        with self.database.read() as connection:
            rows = connection.execute(query).mappings().all()
            values = {"named": json.dumps([row["id"] for row in rows])}
            found = connection.execute(_TALLIES, values).mappings()
            names = PollTally.__dataclass_fields__
            tallies = {
                row["feed_id"]: PollTally(**{name: row[name] for name in names}) for row in found
            }
            reasons = dict(sql.rows(connection, _REASONS, tuple, **values))
            held = dict(sql.rows(connection, _HELD, tuple, **values))
            said = _verdicts(connection, user)
            moved = _unseen(connection, user)
        return tuple(
            _health(
                row,
                tallies.get(row["id"], PollTally()),
                reasons.get(row["id"], ""),
                held.get(row["id"], 0),
                said.get(row["id"]),
                moved.get(row["id"]),
            )
            for row in rows
        )

    def unseen_health(self, user: UserId, states: Sequence[FeedState]) -> tuple[FeedId, ...]:
        """Feeds that came to be so, or moved, since the reader last said that they know."""
        values = {"user": user, "states": json.dumps(states)}
        with self.database.read() as connection:
            found = {*sql.column(connection, _NEWLY, FeedId, **values), *_unseen(connection, user)}
        return tuple(FeedId(one) for one in sorted(found))

    def past_polls(self, user: UserId, feed: FeedId) -> tuple[PastPoll, ...]:
        """The newest first."""
        query = (
            select(polls)
            .join(subscriptions, subscriptions.c.feed_id == polls.c.feed_id)
            .where(polls.c.feed_id == feed, subscriptions.c.user_id == user)
            .order_by(polls.c.id.desc())
            .limit(MOST_PAST_POLLS)
        )
        return self._rows(query, PastPoll)

    def report(self, user: UserId, begin: datetime, end: datetime) -> FeedReport:
        """What became of the polls of a reader's feeds in a window."""
        values = {"user": user, "begin": micros(begin), "end": micros(end)}
        with self.database.read() as connection:
            row = connection.execute(_REPORT, values).one()
        return FeedReport(
            polled=row.polled or 0,
            succeeded=row.succeeded or 0,
            errors=(row.polled or 0) - (row.succeeded or 0),
            new_articles=int(row.new or 0),
            duplicates=int(row.duplicates or 0),
        )

    def moves(self, user: UserId) -> tuple[Move, ...]:
        """Of the reader's feeds, and of those that became part of them; the newest first."""
        with self.database.read() as connection:
            return _moves(connection, user)

    def take_back_move(self, user: UserId, number: int, at: datetime) -> bool:
        """The address as it was, which is then kept whatever it redirects to. A feed that had
        become part of another is parted from it, with its followers and articles of then.

        False when there is no such move of the reader's, or another feed has the address by now.
        """
        with self.database.write() as connection:
            mine = {one.id for one in _moves(connection, user)}
            return number in mine and feed_moves.take_back(connection, number, at)

    def see_health(self, user: UserId, feed: FeedId | None, at: datetime) -> None:
        """The reader has seen how a feed is, or all of them: what was told so far is told."""
        own = select(subscriptions.c.feed_id).where(subscriptions.c.user_id == user)
        if feed is not None:
            own = own.where(subscriptions.c.feed_id == feed)
        with self.database.write() as connection:
            connection.execute(update(feeds).where(feeds.c.id.in_(own)).values(state_seen_at=at))
            about = or_(moves.c.feed_id.in_(own), moves.c.merged_id.in_(own))
            connection.execute(
                update(moves).where(about, moves.c.seen_at.is_(None)).values(seen_at=at)
            )

    def set_floor(self, feed: FeedId, floor: timedelta | None, next_poll: datetime | None) -> None:
        """The least time between two polls of a feed; None: as the settings say.

        It is asked at `next_poll` unless it is asked sooner; None leaves its time.
        """
        changed: dict[str, Any] = {"floor": floor}
        with self.database.write() as connection:
            connection.execute(update(feeds).where(feeds.c.id == feed).values(**changed))
            if next_poll is not None:
                connection.execute(
                    update(feeds)
                    .where(feeds.c.id == feed, feeds.c.next_poll_at > next_poll)
                    .values(next_poll_at=next_poll)
                )


def _verdicts(connection: Connection, user: UserId) -> Mapping[int, Verdict]:
    """The last word on each feed, unless it was taken back."""
    last = (
        select(func.max(verdicts.c.id))
        .join(subscriptions, subscriptions.c.feed_id == verdicts.c.feed_id)
        .where(subscriptions.c.user_id == user)
        .group_by(verdicts.c.feed_id)
    )
    query = select(verdicts).where(verdicts.c.id.in_(last), verdicts.c.undone_at.is_(None))
    return {row.feed_id: Verdict(row.at, row.same) for row in connection.execute(query)}


# Of anybody's feeds: what every page asks first.
_ANY_UNSEEN = text("SELECT COUNT(*) FROM moves WHERE seen_at IS NULL AND undone_at IS NULL")
_OWN = select(subscriptions.c.feed_id).where(subscriptions.c.user_id == bindparam("user"))
_MOVES = (
    select(*(column for column in moves.c if column is not moves.c.joined))
    .where(or_(moves.c.feed_id.in_(_OWN), moves.c.merged_id.in_(_OWN)))
    .order_by(moves.c.id.desc())
    .limit(MOST_MOVES)
)


def _moves(connection: Connection, user: UserId) -> tuple[Move, ...]:
    found = []
    for row in connection.execute(_MOVES, {"user": user}):
        followed = any(one["user"] == user for one in row.followers or ())
        if row.merged_id is None or followed:
            found.append(
                Move(
                    row.id,
                    FeedId(row.feed_id),
                    row.at,
                    row.from_url,
                    row.to_url,
                    row.because,
                    None if row.merged_id is None else FeedId(row.merged_id),
                    row.seen_at is not None,
                    row.undone_at,
                )
            )
    return tuple(found)


def _unseen(connection: Connection, user: UserId) -> Mapping[int, Move]:
    """The last moves of a reader's feeds that nobody has seen."""
    if not sql.value(connection, _ANY_UNSEEN, int):
        return {}
    found: dict[int, Move] = {}
    for one in _moves(connection, user):
        if not one.seen and one.undone_at is None:
            found.setdefault(one.merged_id or one.feed_id, one)
    return found


def _health(
    row: RowMapping,
    tally: PollTally,
    reason: str,
    held: int,
    verdict: Verdict | None,
    moved: Move | None,
) -> FeedHealth:
    state, since = FeedState(row["state"]), row["state_at"]
    # A feed goes on being polled at its new address; that it moved is told until it is seen.
    if state in {FeedState.HEALTHY, FeedState.MOVED}:
        state = FeedState.HEALTHY if moved is None else FeedState.MOVED
        since = since if moved is None else moved.at
    seen = row["state_seen_at"]
    return FeedHealth(
        feed_id=FeedId(row["id"]),
        url=row["url"],
        title=row["own_title"] or row["title"] or row["url"],
        category=row["category"],
        state=state,
        since=since,
        seen=since is None or (seen is not None and seen >= since),
        site_url=row["site_url"],
        problem=row["problem"],
        failures=row["failures"],
        unreadable=row["unreadable"],
        unchanged=row["unchanged"],
        damaged=row["damaged"],
        damage=Damage(row["damage"]),
        status=row["status"],
        polled_at=row["polled_at"],
        ok_at=row["ok_at"],
        changed_at=row["changed_at"],
        next_poll_at=row["next_poll_at"],
        reason=reason,
        interval=row["interval"],
        floor=row["floor"],
        full_text=row["full_text"],
        pace=read_pace(row["pace"]),
        hints=read_hints(row["hints"]),
        moving=Moving(row["moved_to"], row["moved_at"], row["moved_times"])
        if row["moved_at"]
        else None,
        moved=moved,
        held_at=row["held_at"],
        held_because=row["held_because"],
        held=held,
        verdict=verdict,
        tally=tally,
    )
