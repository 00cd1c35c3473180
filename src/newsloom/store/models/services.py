"""Services outside: whether they answer, and the tokens they may still cost. Asks none itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from newsloom.store.aggregate import Aggregate
from newsloom.store.tables import services
from newsloom.types import ServiceState


class Services(Aggregate):
    """Services that are paid by the token: budgets and circuit breakers."""

    def service(self, name: str) -> ServiceState:
        """How it does; of one never asked, nothing is known."""
        with self.database.read() as connection:
            return service_state(connection, name)

    def reserve_tokens(self, name: str, day: int, tokens: int, limit: int) -> bool:
        """Count tokens as spent that day, if they do not pass the limit (0: none)."""
        with self.database.write() as connection:
            state = service_state(connection, name)
            if state.day != day:
                state = replace(state, day=day, tokens=0)
            if limit and state.tokens + tokens > limit:
                return False
            put_service(connection, replace(state, tokens=state.tokens + tokens))
            return True


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
