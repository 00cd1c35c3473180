"""Each question put to a language model, once it was answered or not: the audit rows.

An answer, its audit row, what it cost and how the service does are one transaction: a kill leaves
all of them or none. What an answer is, and where it is kept, the caller knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from sqlalchemy import Connection, delete, func, insert, select, update

from newsloom.kernel.db.sql import CHUNK, Aggregate
from newsloom.llm.store.tables import model_calls, services, spending
from newsloom.llm.values import OK, REUSED, UNUSABLE, CallTotals, ModelCall, ServiceState, Spent

# Audit rows kept: a month of seed 000's traffic (700 articles a day). Answers are a few hundred
# characters, so this is some 10 MB.
MOST_CALLS = 20_000

# Calls of a day that are counted, by their numbers: looked at for each page that is shown.
MOST_A_DAY = 5_000

# Used answers that are compared: so many in a row never were letter by letter alike by chance.
ALIKE = 30

# Verdicts of answers that were used.
_USED = (OK, REUSED)


class Calls(Aggregate):
    """What language models were asked, and the audit of it."""

    def unusable_answers(self, producer: str, since: datetime) -> Mapping[str, int]:
        """How many answers to each question could not be used since then; by question hash."""
        calls = model_calls.c
        query = (
            select(calls.question_hash, func.count())
            .where(calls.maker == producer, calls.at >= since, calls.verdict.startswith(UNUSABLE))
            .group_by(calls.question_hash)
        )
        return dict(self._rows(query, tuple))

    def used_answers(self, producer: str, hashes: Sequence[str]) -> Mapping[str, str]:
        """The newest used answer to each of those questions that has one; by question hash."""
        calls = model_calls.c
        found: dict[str, str] = {}
        with self.database.read() as connection:
            for start in range(0, len(hashes), CHUNK):
                query = (
                    select(calls.question_hash, calls.answer)
                    .where(calls.question_hash.in_(hashes[start : start + CHUNK]))
                    .where(calls.maker == producer, calls.verdict.in_(_USED))
                    .order_by(calls.id)
                )
                found |= {row.question_hash: row.answer for row in connection.execute(query)}
        return found

    def settle_call(
        self,
        call: ModelCall,
        *,
        day: int,
        returned: int,
        after: Callable[[ServiceState], ServiceState],
        keep: Callable[[Connection], bool] | None = None,
    ) -> bool:
        """Keep what a call came to, and by `keep` its answer; whether `keep` says it did.

        `returned` of the tokens reserved that day were not spent (negative: more were); `after`
        says how the service does now, from how it did.
        """
        with self.database.write() as connection:
            state = after(service_state(connection, call.service))
            if state.day == day:
                state = replace(state, tokens=max(state.tokens - returned, 0))
            put_service(connection, state)
            unspend(connection, call.service, call.purpose, day, returned)
            kept = keep is not None and keep(connection)
            _save(connection, call)
            return kept

    def reuse_answer(self, call: ModelCall, keep: Callable[[Connection], bool]) -> bool:
        """Keep an answer given before, with an audit row if `keep` says that it did."""
        with self.database.write() as connection:
            kept = keep(connection)
            if kept:
                _save(connection, call)
            return kept

    def totals(self, producer: str, since: datetime) -> CallTotals:
        """What the questions of this maker came to since then; reused answers are no news."""
        newest_id = select(func.max(model_calls.c.id)).scalar_subquery()
        mine = (model_calls.c.maker == producer) & (model_calls.c.id > newest_id - MOST_A_DAY)
        said = model_calls.c.verdict == OK
        used = model_calls.c.verdict.in_(_USED)
        recent = mine & (model_calls.c.at >= since)
        newest = (
            select(model_calls.c.answer)
            .where(mine, said)
            .order_by(model_calls.c.id.desc())
            .limit(ALIKE)
        )
        with self.database.read() as connection:
            answers = connection.scalars(newest).all()
            return CallTotals(
                calls=connection.scalar(select(func.count()).where(recent)) or 0,
                used=connection.scalar(select(func.count()).where(recent, used)) or 0,
                alike=sum(1 for _ in takewhile(lambda one: one == answers[0], answers)),
            )


def _save(connection: Connection, call: ModelCall) -> None:
    row = {
        column.name: getattr(call, column.name)
        for column in model_calls.columns
        if column is not model_calls.c.id
    }
    key = connection.execute(insert(model_calls).values(row)).inserted_primary_key
    assert key is not None
    connection.execute(delete(model_calls).where(model_calls.c.id <= key[0] - MOST_CALLS))


# Services outside: whether they answer, and the tokens they may still cost. Asks none itself.


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
    values = {column.name: getattr(state, column.name) for column in services.columns}
    changed = connection.execute(
        update(services).where(services.c.name == state.name).values(values)
    )
    if not changed.rowcount:
        connection.execute(insert(services).values(values))
