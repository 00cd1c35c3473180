"""`store.accounts`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, text, update

from newsloom.accounts import lifetimes, throttle
from newsloom.accounts.store.members import Members, any_account, make_account
from newsloom.accounts.store.persons import Persons
from newsloom.accounts.store.tables import (
    accounts,
    app_passwords,
    identities,
    invitations,
    sessions,
    sign_in_failures,
    sign_ins,
)
from newsloom.accounts.values import (
    AppPassword,
    AppPasswordId,
    ConnectedIdentity,
    Invitation,
    InvitationId,
    OpenSession,
    Role,
    SessionId,
    SignIn,
    SignInOutcome,
    SignInWay,
    UserAccount,
)
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import UserId

# The audit of sign-ins, and what throttles guesses: shared by all processes on one store.

_SIGN_INS = sign_ins.c
_FAILURES = text("SELECT times, last_at FROM sign_in_failures WHERE key = :key")
_COUNT = text("""
    INSERT INTO sign_in_failures (key, times, last_at) VALUES (:key, :times, :at)
    ON CONFLICT (key) DO UPDATE SET times = excluded.times, last_at = excluded.last_at
""")
_TAKE_BACK = text("UPDATE sign_in_failures SET times = times - 1 WHERE key = :key AND times > 0")


def _failures(connection: Connection, key: str) -> throttle.Failures | None:
    row = connection.execute(_FAILURES, {"key": key}).one_or_none()
    return None if row is None else throttle.Failures(row.times, moment(row.last_at))


def _longest_wait(
    connection: Connection, counts: Sequence[throttle.Counted], now: datetime
) -> timedelta:
    waits = (throttle.wait(_failures(connection, one.key), one.pace, now) for one in counts)
    return max(waits, default=timedelta())


# Identities at OpenID Connect providers, and the accounts that they open.

_IDENTITIES = identities.c


def connect(
    connection: Connection, user: UserId, issuer: str, subject: str, name: str, now: datetime
) -> bool:
    """As Identities.connect_identity, in the caller's transaction."""
    whose = select(_IDENTITIES.user_id).where(
        _IDENTITIES.issuer == issuer, _IDENTITIES.subject == subject
    )
    held = connection.scalar(whose)
    if held is None:
        connection.execute(
            insert(identities).values(
                issuer=issuer, subject=subject, user_id=user, name=name, made_at=now
            )
        )
    return held is None or held == user


# Invitations: each makes one account, once.

_INVITATIONS = invitations.c


# App passwords: what programs sign in with, one for each, kept as digests alone.

_PASSWORDS = app_passwords.c
# Two indexes, each asked once, on both databases. An account that is removed has none.
_WHOSE = text("""
    SELECT p.user_id, p.id FROM app_passwords p
    WHERE p.digest = :digest OR p.fever_digest = :digest
""")
_USED = text("SELECT used_at FROM app_passwords WHERE id = :id")


# Sessions: the browsers that are signed in.

_SESSIONS = sessions.c
_WITH_ACCOUNT = select(sessions, accounts.c.name, accounts.c.role).join(
    accounts, accounts.c.user_id == _SESSIONS.user_id
)
# Asked by every request.
_BY_DIGEST = text("""
    SELECT s.id, s.user_id, a.name, a.role, s.made_at, s.seen_at, s.ends_at, s.address, s.agent
    FROM sessions s JOIN accounts a ON a.user_id = s.user_id WHERE s.digest = :digest
""")

MOST_AGENT = 200


class AccountStore(Members, Persons):
    """Who may sign in, and how."""

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

    def add_app_password(
        self, account: UserAccount, name: str, digest: str, fever_digest: str, now: datetime
    ) -> AppPasswordId | None:
        """None: the user has one of that name, or no account any more."""
        with self.database.write() as connection:
            has_account = select(accounts.c.user_id).where(accounts.c.user_id == account.user)
            taken = select(_PASSWORDS.id).where(
                _PASSWORDS.user_id == account.user, _PASSWORDS.name == name
            )
            if connection.scalar(has_account) is None or connection.scalar(taken) is not None:
                return None
            made = insert(app_passwords).values(
                user_id=account.user,
                name=name,
                digest=digest,
                fever_digest=fever_digest,
                made_at=now,
            )
            return AppPasswordId(connection.execute(made.returning(_PASSWORDS.id)).scalar_one())

    def app_passwords(self, user: UserId) -> tuple[AppPassword, ...]:
        """A user's, by name."""
        query = (
            select(_PASSWORDS.id, _PASSWORDS.name, _PASSWORDS.made_at, _PASSWORDS.used_at)
            .where(_PASSWORDS.user_id == user)
            .order_by(_PASSWORDS.name)
        )
        return self._rows(
            query,
            AppPassword,
        )

    def revoke_app_password(self, user: UserId, number: AppPasswordId) -> bool:
        """False: the user has none of that number."""
        mine = (_PASSWORDS.user_id == user) & (_PASSWORDS.id == number)
        return self._change(delete(app_passwords).where(mine)) == 1

    def app_password_user(self, digest: str) -> tuple[UserId, AppPasswordId] | None:
        """Whose app password it is; `digest` is accounts.tokens.digest of what a client sent.

        That is the app password itself, or a Fever key in lower case. None: nobody's.
        """
        return self._one(_WHOSE, tuple, digest=digest)

    def app_password_used(self, number: AppPasswordId, now: datetime) -> None:
        """Note the use, roughly: most calls read and write nothing."""
        with self.database.read() as connection:
            last = connection.scalar(_USED, {"id": number})
        if lifetimes.worth_noting(None if last is None else moment(last), now):
            with self.database.write() as connection:
                mine = _PASSWORDS.id == number
                connection.execute(update(app_passwords).where(mine).values(used_at=now))

    def invite(
        self, digest: str, role: Role, made_by: UserId | None, now: datetime, expires_at: datetime
    ) -> None:
        with self.database.write() as connection:
            connection.execute(delete(invitations).where(_INVITATIONS.expires_at <= now))
            connection.execute(
                insert(invitations).values(
                    digest=digest,
                    role=role.value,
                    made_by=made_by,
                    made_at=now,
                    expires_at=expires_at,
                )
            )

    def invitations(self, now: datetime) -> tuple[Invitation, ...]:
        """Those that can still be accepted, the newest first."""
        query = (
            select(invitations)
            .where(_INVITATIONS.expires_at > now)
            .order_by(_INVITATIONS.id.desc())
        )
        return self._rows(query, Invitation)

    def invited(self, digest: str, now: datetime) -> bool:
        """Whether a token still makes an account."""
        query = select(_INVITATIONS.id).where(
            _INVITATIONS.digest == digest, _INVITATIONS.expires_at > now
        )
        return self._value(query, int) is not None

    def accept_invitation(
        self,
        digest: str,
        name: str,
        password_hash: str,
        now: datetime,
        identity: tuple[str, str, str] | None = None,
    ) -> UserId | None:
        """Make the account and use the invitation up, together. `identity` (issuer, subject, name)
        opens the account too.

        None, and nothing changed: the invitation is used or over, or the name is taken; `invited`
        tells which.
        """
        query = select(_INVITATIONS.id, _INVITATIONS.role).where(
            _INVITATIONS.digest == digest, _INVITATIONS.expires_at > now
        )
        with self.database.write() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            made = make_account(connection, name, Role(row.role), password_hash, now, None)
            if made is not None:
                connection.execute(delete(invitations).where(_INVITATIONS.id == row.id))
                if identity is not None:
                    connect(connection, made, *identity, now)
            return made

    def withdraw_invitation(self, number: InvitationId) -> bool:
        """False: there is none of that number."""
        return self._change(delete(invitations).where(_INVITATIONS.id == number)) == 1

    def account_of_identity(self, issuer: str, subject: str) -> UserAccount | None:
        query = (
            select(accounts)
            .join(identities, _IDENTITIES.user_id == accounts.c.user_id)
            .where(_IDENTITIES.issuer == issuer, _IDENTITIES.subject == subject)
        )
        return self._one(query, UserAccount)

    def identities_of(self, user: UserId) -> tuple[ConnectedIdentity, ...]:
        """Those of one account, the oldest first."""
        query = (
            select(identities)
            .where(_IDENTITIES.user_id == user)
            .order_by(_IDENTITIES.made_at, _IDENTITIES.subject)
        )
        return self._rows(query, ConnectedIdentity)

    def connect_identity(
        self, user: UserId, issuer: str, subject: str, name: str, now: datetime
    ) -> bool:
        """Let an identity open an account; False: it opens another one."""
        with self.database.write() as connection:
            return connect(connection, user, issuer, subject, name, now)

    def disconnect_identity(self, user: UserId, issuer: str, subject: str) -> bool:
        """False: that account has no such identity."""
        changed = self._change(
            delete(identities).where(
                _IDENTITIES.user_id == user,
                _IDENTITIES.issuer == issuer,
                _IDENTITIES.subject == subject,
            )
        )
        return changed == 1

    def add_account_of_identity(
        self, name: str, first_user: UserId, issuer: str, subject: str, called: str, now: datetime
    ) -> UserId | None:
        """Make an account without a password. The first of all is an administrator's and takes over
        `first_user`. None: the name is taken."""
        with self.database.write() as connection:
            first = not any_account(connection)
            role, user = (Role.ADMIN, first_user) if first else (Role.READER, None)
            made = make_account(connection, name, role, "", now, user)
            if made is not None:
                connect(connection, made, issuer, subject, called, now)
            return made

    def take_attempt(self, counts: Sequence[throttle.Counted], now: datetime) -> timedelta:
        """Count an attempt as failed. Returns how long it must wait instead, uncounted, or zero.

        Call it before you check the password: attempts at the same time, in any number of
        processes, are then counted one by one.
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
