"""The audit of sign-ins, and what throttles guesses: shared by all processes on one store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, text

from newsloom.accounts import lifetimes, throttle
from newsloom.accounts.store.tables import accounts, sign_in_failures, sign_ins
from newsloom.accounts.values import SignIn, SignInOutcome, SignInWay
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import UserId

_SIGN_INS = sign_ins.c
_FAILURES = text("SELECT times, last_at FROM sign_in_failures WHERE key = :key")
_COUNT = text("""
    INSERT INTO sign_in_failures (key, times, last_at) VALUES (:key, :times, :at)
    ON CONFLICT (key) DO UPDATE SET times = excluded.times, last_at = excluded.last_at
""")
_TAKE_BACK = text("UPDATE sign_in_failures SET times = times - 1 WHERE key = :key AND times > 0")


class Audit(Aggregate):
    """Attempts to sign in."""

    def take_attempt(self, counts: Sequence[throttle.Counted], now: datetime) -> timedelta:
        """Count an attempt as failed and give nothing, or how long it must wait, uncounted.

        The password is looked at only afterwards, so attempts at once, in however many processes,
        do not slip through together.
        """
        with self.database.read() as connection:
            waiting = _longest_wait(connection, counts, now)
        if waiting:
            return waiting  # most attempts of a flood, which must not hold up what writes
        with self.database.write() as connection:
            waiting = _longest_wait(connection, counts, now)
            if waiting:
                return waiting
            for one in counts:
                new = throttle.counted(_failures(connection, one.key), one.pace, now)
                given = {"key": one.key, "times": new.count, "at": micros(new.last_at)}
                connection.execute(_COUNT, given)
            old = sign_in_failures.c.last_at <= now - throttle.DAY
            connection.execute(delete(sign_in_failures).where(old))
            return timedelta()

    def attempt_succeeded(self, counts: Sequence[throttle.Counted]) -> None:
        """Of the first, which is the name's, all is forgiven; of the rest this attempt.

        Who has an account of their own must not be able to guess at others' for ever by signing in
        between.
        """
        with self.database.write() as connection:
            for one in counts[:1]:
                own = sign_in_failures.c.key == one.key
                connection.execute(delete(sign_in_failures).where(own))
            for one in counts[1:]:
                connection.execute(_TAKE_BACK, {"key": one.key})

    def record_sign_in(
        self,
        user: UserId | None,
        address: str,
        way: SignInWay,
        outcome: SignInOutcome,
        now: datetime,
    ) -> None:
        """Write one down; those older than the audit is kept are deleted."""
        with self.database.write() as connection:
            connection.execute(delete(sign_ins).where(_SIGN_INS.at < now - lifetimes.AUDIT))
            connection.execute(
                insert(sign_ins).values(
                    at=now,
                    user_id=user,
                    address=address,
                    network=throttle.network_of(address),
                    way=way.value,
                    outcome=outcome.value,
                )
            )

    def sign_ins(self, limit: int, user: UserId | None = None) -> tuple[SignIn, ...]:
        """The newest, of all or of one."""
        query = (
            select(sign_ins, func.coalesce(accounts.c.name, "").label("name"))
            .outerjoin(accounts, accounts.c.user_id == _SIGN_INS.user_id)
            .order_by(_SIGN_INS.at.desc(), _SIGN_INS.id.desc())
            .limit(limit)
        )
        if user is not None:
            query = query.where(_SIGN_INS.user_id == user)
        return self._rows(query, SignIn)

    def signed_in_from(self, user: UserId, address: str) -> bool:
        """Whether a user signed in from that network, as far back as the audit goes."""
        query = select(_SIGN_INS.id).where(
            _SIGN_INS.user_id == user,
            _SIGN_INS.network == throttle.network_of(address),
            _SIGN_INS.outcome == SignInOutcome.OK.value,
        )
        return self._value(query.limit(1), int) is not None


def _failures(connection: Connection, key: str) -> throttle.Failures | None:
    row = connection.execute(_FAILURES, {"key": key}).one_or_none()
    return None if row is None else throttle.Failures(row.times, moment(row.last_at))


def _longest_wait(
    connection: Connection, counts: Sequence[throttle.Counted], now: datetime
) -> timedelta:
    waits = (throttle.wait(_failures(connection, one.key), one.pace, now) for one in counts)
    return max(waits, default=timedelta())
