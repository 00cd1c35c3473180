"""Accounts: who may sign in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, text, update

from newsloom.accounts.store.tables import accounts, idempotency_keys, sessions, users
from newsloom.accounts.values import KEY_LIFETIME, KeyedAnswer, KeyedRequest, Role, UserAccount
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import UserId

_ANY = text("SELECT 1 FROM accounts LIMIT 1")
_ACCOUNTS = accounts.c
_KEYS = idempotency_keys.c


class Members(Aggregate):
    """Accounts. Names are given as accounts.names folds them."""

    def any_account(self) -> bool:
        """Whether anybody must sign in."""
        with self.database.read() as connection:
            return any_account(connection)

    def account_named(self, name: str) -> UserAccount | None:
        return self._one(select(accounts).where(_ACCOUNTS.name == name), UserAccount)

    def account_of(self, user: UserId) -> UserAccount | None:
        return self._one(select(accounts).where(_ACCOUNTS.user_id == user), UserAccount)

    def accounts(self) -> tuple[UserAccount, ...]:
        """All, by name."""
        return self._rows(select(accounts).order_by(_ACCOUNTS.name), UserAccount)

    def add_account(
        self, name: str, role: Role, password_hash: str, now: datetime, user: UserId | None = None
    ) -> UserId | None:
        """Make an account, of a user who is there or of a new one of that name.

        None: the name is taken, by an account or a user, or that user has one.
        """
        with self.database.write() as connection:
            return make_account(connection, name, role, password_hash, now, user)

    def add_first_account(
        self, name: str, password_hash: str, now: datetime, user: UserId
    ) -> UserId | None:
        """An administrator's, of a user who is there; None: there is an account already."""
        with self.database.write() as connection:
            if any_account(connection):
                return None
            return make_account(connection, name, Role.ADMIN, password_hash, now, user)

    def set_password(self, user: UserId, password_hash: str) -> None:
        """A new password; every session of the user ends."""
        with self.database.write() as connection:
            mine = _ACCOUNTS.user_id == user
            connection.execute(update(accounts).where(mine).values(password_hash=password_hash))
            connection.execute(delete(sessions).where(sessions.c.user_id == user))

    def rehash_password(self, user: UserId, old: str, new: str) -> None:
        """The same password hashed anew, unless it was changed meanwhile. Sessions stay."""
        mine = (_ACCOUNTS.user_id == user) & (_ACCOUNTS.password_hash == old)
        self._change(update(accounts).where(mine).values(password_hash=new))

    def set_role(self, user: UserId, role: Role) -> bool:
        """False, and nothing changed, where no administrator would be left."""
        with self.database.write() as connection:
            if role is not Role.ADMIN and only_admin(connection, user):
                return False
            mine = _ACCOUNTS.user_id == user
            connection.execute(update(accounts).where(mine).values(role=role.value))
            return True

    def claim_key(self, wanted: KeyedRequest, now: datetime) -> KeyedAnswer | None:
        """Note a request that is to be done once; None: it is new. Keys that are older than
        KEY_LIFETIME are forgotten."""
        mine = (_KEYS.user_id == wanted.user) & (_KEYS.key == wanted.key)
        with self.database.write() as connection:
            connection.execute(delete(idempotency_keys).where(_KEYS.at < now - KEY_LIFETIME))
            row = connection.execute(select(idempotency_keys).where(mine)).one_or_none()
            if row is not None:
                return KeyedAnswer(row.request, row.status, row.body)
            connection.execute(
                insert(idempotency_keys).values(
                    user_id=wanted.user, key=wanted.key, request=wanted.request, at=now
                )
            )
            return None

    def put_keyed_answer(self, wanted: KeyedRequest, status: int | None, body: str = "") -> None:
        """What was answered; status None: nothing was done, and the key may be used again."""
        mine = (_KEYS.user_id == wanted.user) & (_KEYS.key == wanted.key)
        answered = update(idempotency_keys).where(mine).values(status=status, body=body)
        self._change(delete(idempotency_keys).where(mine) if status is None else answered)


def any_account(connection: Connection) -> bool:
    return connection.scalar(_ANY) is not None


def make_account(
    connection: Connection,
    name: str,
    role: Role,
    password_hash: str,
    now: datetime,
    user: UserId | None,
) -> UserId | None:
    """As Members.add_account, in the caller's transaction."""
    taken = connection.scalar(select(_ACCOUNTS.user_id).where(_ACCOUNTS.name == name))
    if user is None:
        if taken or connection.scalar(select(users.c.id).where(users.c.name == name)):
            return None
        made = insert(users).values(name=name, made_at=now).returning(users.c.id)
        user = UserId(connection.execute(made).scalar_one())
    elif taken or connection.scalar(select(_ACCOUNTS.name).where(_ACCOUNTS.user_id == user)):
        return None
    connection.execute(
        insert(accounts).values(
            user_id=user, name=name, role=role.value, password_hash=password_hash, made_at=now
        )
    )
    return user


def only_admin(connection: Connection, user: UserId) -> bool:
    """Whether a user is an administrator, and nobody else is."""
    query = select(_ACCOUNTS.user_id).where(_ACCOUNTS.role == Role.ADMIN.value)
    return list(connection.scalars(query)) == [user]
