"""What is still to be sent, and how it stands. Each is sent by one process at a time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.settling import settle, state_of
from newsloom.digests.store.tables import digest_sendings, digests
from newsloom.digests.values import (
    KeptDigest,
    Sending,
    SendingState,
)
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import DigestId, SendingId, UserId

_SENDINGS = digest_sendings.c


class Outbox(Aggregate):
    """What is still to be sent."""

    def claim_sending(self, now: datetime, until: datetime) -> Sending | None:
        """One that is due and that nobody sends; it is held until then."""
        due = (
            select(digest_sendings)
            .where(_SENDINGS.state == "waiting", _SENDINGS.at <= now)
            .order_by(_SENDINGS.at, _SENDINGS.id)
        )
        row = claim_first(self.database, digest_sendings, due, now, until)
        if row is None:
            return None
        target = Target(Way(row.way), row.target)
        return Sending(SendingId(row.id), DigestId(row.digest_id), target, row.token, row.attempts)

    def sent(self, sending: SendingId, now: datetime) -> None:
        """The other side has taken it."""
        settle(self.database, digest_sendings, sending, state="sent", at=now)

    def send_later(self, sending: SendingId, at: datetime, error: str) -> None:
        """It failed, and is tried again then."""
        settle(self.database, digest_sendings, sending, state="waiting", at=at, error=error)

    def give_up_sending(self, sending: SendingId, now: datetime, error: str) -> None:
        """It failed for good."""
        settle(self.database, digest_sendings, sending, state="failed", at=now, error=error)

    def sendings(self, digest: DigestId) -> tuple[SendingState, ...]:
        """How it stands with each sending of a digest."""
        query = select(digest_sendings).where(_SENDINGS.digest_id == digest).order_by(_SENDINGS.id)
        return self._rows(query, state_of)

    def unsent(self, user: UserId, since: datetime) -> tuple[SendingState, ...]:
        """What failed for good since then, and what waits after a failure, of a reader."""
        query = (
            select(digest_sendings)
            .join(digests, digests.c.id == _SENDINGS.digest_id)
            .where(
                digests.c.user_id == user,
                digests.c.made_at >= since,
                _SENDINGS.state != "sent",
                _SENDINGS.attempts > 0,
            )
            .order_by(_SENDINGS.id)
        )
        return self._rows(query, state_of)

    def digest_to_send(self, sending: Sending) -> tuple[KeptDigest, UserId] | None:
        """The digest of a sending, and whose it is."""
        from newsloom.digests.store.archive import Archive

        query = select(digests.c.user_id).where(digests.c.id == sending.digest)
        with self.database.read() as connection:
            user = connection.scalar(query)
        if user is None:
            return None
        kept = Archive(self.database, self._now).digest(UserId(user), sending.digest)
        return None if kept is None else (kept, UserId(user))
