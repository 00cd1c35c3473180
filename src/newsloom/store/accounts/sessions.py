"""Sessions: the browsers that are signed in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Row, bindparam, delete, insert, select, update

from newsloom.accounts import lifetimes
from newsloom.store.accounts.tables import accounts, sessions
from newsloom.store.aggregate import Aggregate
from newsloom.types import OpenSession, Role, SessionId, UserId

_SESSIONS = sessions.c
_WITH_ACCOUNT = select(sessions, accounts.c.name, accounts.c.role).join(
    accounts, accounts.c.user_id == _SESSIONS.user_id
)
# Asked by every request: put together once.
_BY_DIGEST = _WITH_ACCOUNT.where(_SESSIONS.digest == bindparam("digest"))

MOST_AGENT = 200


class Sessions(Aggregate):
    """Sessions, known by the digest of their token."""

    def open_session(
        self, user: UserId, digest: str, now: datetime, address: str, agent: str, old: str = ""
    ) -> None:
        """Begin one, in the place of the one with the digest `old`; those long over are deleted."""
        with self.database.write() as connection:
            over = (_SESSIONS.ends_at <= now) | (
                _SESSIONS.seen_at <= now - lifetimes.SESSION_IDLE - lifetimes.COARSE
            )
            connection.execute(delete(sessions).where(over | (_SESSIONS.digest == old)))
            connection.execute(
                insert(sessions).values(
                    user_id=user,
                    digest=digest,
                    made_at=now,
                    seen_at=now,
                    ends_at=now + lifetimes.SESSION_LONGEST,
                    address=address,
                    agent=agent[:MOST_AGENT],
                )
            )

    def session(self, digest: str, now: datetime) -> OpenSession | None:
        """None: there is none, or it is over."""
        with self.database.read() as connection:
            row = connection.execute(_BY_DIGEST, {"digest": digest}).one_or_none()
        if row is None or not lifetimes.alive(row.seen_at, row.ends_at, now):
            return None
        return _session(row)

    def sessions_of(self, user: UserId, now: datetime) -> tuple[OpenSession, ...]:
        """Those that still count, the last used first."""
        query = _WITH_ACCOUNT.where(_SESSIONS.user_id == user).order_by(
            _SESSIONS.seen_at.desc(), _SESSIONS.id.desc()
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            _session(row) for row in rows if lifetimes.alive(row.seen_at, row.ends_at, now)
        )

    def session_seen(self, session: SessionId, now: datetime) -> None:
        with self.database.write() as connection:
            mine = _SESSIONS.id == session
            connection.execute(update(sessions).where(mine).values(seen_at=now))

    def end_session(self, user: UserId, session: SessionId) -> bool:
        """False: the user has none of that number."""
        mine = (_SESSIONS.user_id == user) & (_SESSIONS.id == session)
        with self.database.write() as connection:
            return connection.execute(delete(sessions).where(mine)).rowcount == 1

    def end_sessions(self, user: UserId, but: SessionId | None = None) -> int:
        """End all, or all but one; how many that were."""
        mine = _SESSIONS.user_id == user
        if but is not None:
            mine &= _SESSIONS.id != but
        with self.database.write() as connection:
            return connection.execute(delete(sessions).where(mine)).rowcount


def _session(row: Row[tuple[object, ...]]) -> OpenSession:
    return OpenSession(
        id=SessionId(row.id),
        user=UserId(row.user_id),
        name=row.name,
        role=Role(row.role),
        made_at=row.made_at,
        seen_at=row.seen_at,
        ends_at=row.ends_at,
        address=row.address,
        agent=row.agent,
    )
