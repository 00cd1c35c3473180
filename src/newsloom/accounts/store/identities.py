"""Identities at OpenID Connect providers, and the accounts that they open."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from newsloom.accounts.store.members import any_account, make_account
from newsloom.accounts.store.tables import accounts, identities
from newsloom.accounts.values import ConnectedIdentity, Role, UserAccount
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_IDENTITIES = identities.c


class Identities(Aggregate):
    """Who a provider knows by which subject, which it gives to nobody else (Core, 2)."""

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
