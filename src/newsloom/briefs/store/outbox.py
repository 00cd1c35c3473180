"""Briefs that are still to be sent, and how it stands. Each is sent by one process at a time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from newsloom.briefs.store.rows import kept_of
from newsloom.briefs.store.tables import brief_sendings, briefs
from newsloom.briefs.values.briefs import BriefId, BriefSending, BriefState, KeptBrief
from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.settling import settle, state_of
from newsloom.digests.values import SendingState
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import SendingId, UserId

_SENDINGS = brief_sendings.c
# One whose sound failed is sent too: its script can be read.
_DONE = (BriefState.READY.value, BriefState.FAILED.value)


class BriefOutbox(Aggregate):
    """Briefs that are still to be sent."""

    def claim_brief_sending(self, now: datetime, until: datetime) -> BriefSending | None:
        """One that is due and that nobody sends; it is held until then."""
        due = (
            select(brief_sendings)
            .join(briefs, briefs.c.id == _SENDINGS.brief_id)
            .where(_SENDINGS.state == "waiting", _SENDINGS.at <= now, briefs.c.state.in_(_DONE))
            .order_by(_SENDINGS.at, _SENDINGS.id)
        )
        row = claim_first(self.database, brief_sendings, due, now, until)
        if row is None:
            return None
        target = Target(Way(row.way), row.target)
        return BriefSending(
            SendingId(row.id), BriefId(row.brief_id), target, row.token, row.attempts
        )

    def brief_sent(self, sending: SendingId, now: datetime) -> None:
        """The other side has taken it."""
        settle(self.database, brief_sendings, sending, state="sent", at=now)

    def send_brief_later(self, sending: SendingId, at: datetime, error: str) -> None:
        """It failed, and is tried again then."""
        settle(self.database, brief_sendings, sending, state="waiting", at=at, error=error)

    def give_up_brief_sending(self, sending: SendingId, now: datetime, error: str) -> None:
        """It failed for good."""
        settle(self.database, brief_sendings, sending, state="failed", at=now, error=error)

    def brief_sendings(self, brief: BriefId) -> tuple[SendingState, ...]:
        """How it stands with each sending of a brief."""
        query = select(brief_sendings).where(_SENDINGS.brief_id == brief).order_by(_SENDINGS.id)
        return self._rows(query, state_of)

    def unsent_briefs(self, user: UserId, since: datetime) -> tuple[SendingState, ...]:
        """What failed for good since then, and what waits after a failure, of a reader."""
        query = (
            select(brief_sendings)
            .join(briefs, briefs.c.id == _SENDINGS.brief_id)
            .where(
                briefs.c.user_id == user,
                briefs.c.made_at >= since,
                _SENDINGS.state != "sent",
                _SENDINGS.attempts > 0,
            )
            .order_by(_SENDINGS.id)
        )
        return self._rows(query, state_of)

    def brief_to_send(self, sending: BriefSending) -> KeptBrief | None:
        """The brief of a sending; None: it is gone."""
        query = select(briefs).where(briefs.c.id == sending.brief)
        return self._one(query, kept_of)
