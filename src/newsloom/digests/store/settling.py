"""How it stands with what is sent: of digests and of briefs, whose outboxes are alike."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, update

from newsloom.digests.values import SendingState
from newsloom.kernel.db.aggregate import Transactions
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import SendingId


def settle(
    database: Transactions,
    outbox: Table,
    sending: SendingId,
    *,
    state: str,
    at: datetime,
    error: str = "",
) -> None:
    """What came of an attempt; nobody holds the sending any more. `error`: the attempt failed."""
    with database.write() as connection:
        connection.execute(
            update(outbox)
            .where(outbox.c.id == sending)
            .values(
                state=state,
                at=at,
                error=error,
                attempts=outbox.c.attempts + int(bool(error)),
                held_by="",
                held_until=None,
            )
        )


def state_of(row: Row[Any]) -> SendingState:
    """A row of an outbox."""
    target = Target(Way(row.way), row.target)
    return SendingState(target, row.state, row.attempts, row.at, row.error)
