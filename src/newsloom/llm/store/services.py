"""Services outside: whether they answer, and the tokens they may still cost. Asks none itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.llm.store.tables import services, spending
from newsloom.llm.values import ServiceState, Spent


class Services(Aggregate):
    """Services outside, and the tokens that each purpose spent there."""

    def service(self, name: str) -> ServiceState:
        """How it does; of one never asked, nothing is known."""
        with self.database.read() as connection:
            return service_state(connection, name)

    def reserve_tokens(
        self, name: str, purpose: str, day: int, tokens: int, allowed: Callable[[Spent], bool]
    ) -> bool:
        """Count tokens as spent by a purpose that day, if `allowed` says so of what was spent."""
        with self.database.write() as connection:
            state = service_state(connection, name)
            if state.day != day:
                state = replace(state, day=day, tokens=0)
            by_purpose = _spent_by_purpose(connection, name, day)
            if not allowed(Spent(state.tokens, by_purpose)):
                return False
            put_service(connection, replace(state, tokens=state.tokens + tokens))
            _put_spent(connection, name, purpose, day, by_purpose.get(purpose, 0) + tokens)
            return True


def unspend(connection: Connection, name: str, purpose: str, day: int, tokens: int) -> None:
    """Within a write transaction: so many of the tokens that a purpose reserved were not spent."""
    known = _spent_by_purpose(connection, name, day)
    if purpose in known:
        _put_spent(connection, name, purpose, day, max(known[purpose] - tokens, 0))


def _spent_by_purpose(connection: Connection, name: str, day: int) -> Mapping[str, int]:
    query = select(spending.c.purpose, spending.c.tokens).where(
        spending.c.service == name, spending.c.day == day
    )
    return {row.purpose: row.tokens for row in connection.execute(query)}


def _put_spent(connection: Connection, name: str, purpose: str, day: int, tokens: int) -> None:
    mine = (spending.c.service == name) & (spending.c.purpose == purpose)
    changed = connection.execute(update(spending).where(mine).values(day=day, tokens=tokens))
    if not changed.rowcount:
        row = {"service": name, "purpose": purpose, "day": day, "tokens": tokens}
        connection.execute(insert(spending).values(row))


def service_state(connection: Connection, name: str) -> ServiceState:
    query = select(services).where(services.c.name == name)
    row = connection.execute(query).mappings().one_or_none()
    return ServiceState(name) if row is None else ServiceState(**row)


def put_service(connection: Connection, state: ServiceState) -> None:
    values = _values(state)
    changed = connection.execute(
        update(services).where(services.c.name == state.name).values(values)
    )
    if not changed.rowcount:
        connection.execute(insert(services).values(values))


def _values(state: ServiceState) -> Mapping[str, Any]:
    return {column.name: getattr(state, column.name) for column in services.columns}
