"""Hosts that are left alone for a while, and clocks that were wrong. Decides no pause."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, text

from newsloom.feeds.values.polling import Pause
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import FeedId

# The longer of two pauses holds.
_PAUSE = text("""
    INSERT INTO pauses (host, at, until, because) VALUES (:host, :at, :until, :because)
    ON CONFLICT (host) DO UPDATE SET at = excluded.at, because = excluded.because,
        until = CASE WHEN excluded.until > pauses.until THEN excluded.until
            ELSE pauses.until END
""")
_LEFT_ALONE = text("SELECT host, until FROM pauses WHERE until > :now")
_OVER = text("DELETE FROM pauses WHERE until <= :now")
_FAILING = text("""
    SELECT id FROM feeds WHERE host = :host AND failures > 0
    AND (status = 0 OR status >= 500) AND polled_at > :since LIMIT :most
""")

# Whether anything stands further ahead than it can: the last poll is the newest by its number.
_AHEAD = text("""
    SELECT EXISTS (SELECT 1 FROM feeds WHERE next_poll_at > :furthest)
    OR EXISTS (SELECT 1 FROM pauses WHERE until > :furthest OR at > :slack)
    OR COALESCE((SELECT at FROM polls ORDER BY id DESC LIMIT 1), 0) > :slack
    OR EXISTS (SELECT 1 FROM host_turns WHERE until > :slack OR asked_at > :slack)
""")
_WAKE = text("""
    UPDATE feeds SET next_poll_at = :now, not_before = NULL
    WHERE next_poll_at > :now AND (next_poll_at > :furthest OR polled_at > :slack)
""")
_FORGET = text("DELETE FROM pauses WHERE until > :furthest OR at > :slack")
_FORGET_TURNS = text("DELETE FROM host_turns WHERE until > :slack OR asked_at > :slack")


class Pauses(Aggregate):
    """Hosts that asked to be left alone."""

    def pauses(self, now: datetime) -> Mapping[str, datetime]:
        """Hosts that are left alone, and until when."""
        with self.database.read() as connection:
            rows = connection.execute(_LEFT_ALONE, {"now": micros(now)})
            return {row.host: moment(row.until) for row in rows}

    def pause_host(self, pause: Pause) -> None:
        """Leave a host alone, or for longer than it is."""
        with self.database.write() as connection:
            put(connection, pause)

    def wake(self, now: datetime, *, furthest: datetime, slack: datetime) -> None:
        """Make due what a clock that was wrong put off: what waits beyond `furthest`, or was asked
        after `slack`. For every pass, and cheap when there is none of it."""
        values = {"now": micros(now), "furthest": micros(furthest), "slack": micros(slack)}
        with self.database.read() as connection:
            ahead = connection.scalar(_AHEAD, values)
        if ahead:
            with self.database.write() as connection:
                connection.execute(_WAKE, values)
                connection.execute(_FORGET, values)
                connection.execute(_FORGET_TURNS, values)


def put(connection: Connection, pause: Pause) -> None:
    """Leave a host alone. Pauses that are over go."""
    connection.execute(_OVER, {"now": micros(pause.at)})
    connection.execute(
        _PAUSE,
        {
            "host": pause.host,
            "at": micros(pause.at),
            "until": micros(pause.until),
            "because": pause.because,
        },
    )


def failing(connection: Connection, host: str, since: datetime, most: int) -> set[FeedId]:
    """Feeds of a host that have been failing since then, `most` at most."""
    values = {"host": host, "since": micros(since), "most": most}
    return {FeedId(feed) for feed in connection.scalars(_FAILING, values)}
