"""Where what a schedule makes is sent: of digests and of briefs, whose tables are alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, delete, insert, select

from newsloom.kernel.db import sql
from newsloom.kernel.db.aggregate import Transactions
from newsloom.kernel.delivery.values import Target


def targets_of(connection: Connection, table: Table, schedule: int) -> list[Row[Any]]:
    """The rows of a schedule, in the order they were added."""
    query = select(table).where(table.c.schedule_id == schedule).order_by(table.c.id)
    return list(connection.execute(query))


def targets_in(connection: Connection, table: Table, schedule: int) -> tuple[Target, ...]:
    """The targets of a schedule."""
    query = _target(table).where(table.c.schedule_id == schedule).order_by(table.c.id)
    return sql.rows(connection, query, Target)


def add_targets(
    connection: Connection,
    table: Table,
    schedule: int,
    targets: Collection[Target],
    tokens: Collection[str],
) -> None:
    """`tokens` has one for each target."""
    for target, token in zip(targets, tokens, strict=True):
        connection.execute(
            insert(table).values(
                schedule_id=schedule, way=str(target.way), target=target.to, token=token
            )
        )


def target_at(connection: Connection, table: Table, token: str) -> Target | None:
    """What a secret address ends; None: nothing, or no more."""
    return sql.one(connection, _target(table).where(table.c.token == token), Target)


def leave(database: Transactions, table: Table, outbox: Table, token: str) -> Target | None:
    """End the sendings of a secret address, and what is not sent yet; None: there is none."""
    with database.write() as connection:
        found = target_at(connection, table, token)
        if found is not None:
            waiting = (outbox.c.token == token) & (outbox.c.state == "waiting")
            connection.execute(delete(outbox).where(waiting))
            connection.execute(delete(table).where(table.c.token == token))
        return found


def _target(table: Table) -> Select[Any]:
    return select(table.c.way, table.c.target.label("to"))
