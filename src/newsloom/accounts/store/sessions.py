"""Sessions: the browsers that are signed in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from newsloom.accounts import lifetimes
from newsloom.accounts.store.tables import accounts, sessions
from newsloom.accounts.values import OpenSession, SessionId
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

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
        found = self._one(_BY_DIGEST, OpenSession, digest=digest)
        return found if found and lifetimes.alive(found.seen_at, found.ends_at, now) else None

    def sessions_of(self, user: UserId, now: datetime) -> tuple[OpenSession, ...]:
        """Those that still count, the last used first."""
        query = _WITH_ACCOUNT.where(_SESSIONS.user_id == user).order_by(
            _SESSIONS.seen_at.desc(), _SESSIONS.id.desc()
        )
        found = self._rows(query, OpenSession)
        return tuple(one for one in found if lifetimes.alive(one.seen_at, one.ends_at, now))

    def session_seen(self, session: SessionId, now: datetime) -> None:
        self._change(update(sessions).where(_SESSIONS.id == session).values(seen_at=now))

    def end_session(self, user: UserId, session: SessionId) -> bool:
        """False: the user has none of that number."""
        mine = (_SESSIONS.user_id == user) & (_SESSIONS.id == session)
        return self._change(delete(sessions).where(mine)) == 1

    def end_sessions(self, user: UserId, but: SessionId | None = None) -> int:
        """End all, or all but one; how many that were."""
        mine = _SESSIONS.user_id == user
        if but is not None:
            mine &= _SESSIONS.id != but
        return self._change(delete(sessions).where(mine))
