"""App passwords: what programs sign in with, one for each, kept as digests alone."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select, text, update

from newsloom.accounts import lifetimes
from newsloom.accounts.store.tables import accounts, app_passwords
from newsloom.accounts.values import AppPassword, AppPasswordId, UserAccount
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import moment
from newsloom.kernel.ids import UserId

_PASSWORDS = app_passwords.c
# Two indexes, each asked once, on both databases. An account that is removed has none.
_WHOSE = text("""
    SELECT p.user_id, p.id FROM app_passwords p
    WHERE p.digest = :digest OR p.fever_digest = :digest
""")
_USED = text("SELECT used_at FROM app_passwords WHERE id = :id")


class AppPasswords(Aggregate):
    """App passwords, of users who have an account."""

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
