"""Invitations: each makes one account, once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select

from newsloom.accounts.store.identities import connect
from newsloom.accounts.store.members import make_account
from newsloom.accounts.store.tables import invitations
from newsloom.accounts.values import Invitation, InvitationId, Role
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_INVITATIONS = invitations.c


class Invitations(Aggregate):
    """Invitations, known by the digest of their token."""

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
