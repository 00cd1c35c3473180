"""Rows as values: a dataclass is filled by names, whatever the statement knew of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import pytest
from sqlalchemy import TextClause, select, text

from newsloom.accounts.store.tables import users
from newsloom.briefs.store.tables import brief_schedules
from newsloom.kernel.db import sql
from newsloom.kernel.ids import UserId

from .builders import HOUR, NOW


class Zone(StrEnum):
    UTC = "UTC"


@dataclass(frozen=True, slots=True)
class Turn:
    user: UserId
    weekdays: tuple[int, ...]
    zone: Zone
    next: datetime
    held_until: datetime | None
    words: str = "the default"


@dataclass(frozen=True)
class Person:
    id: UserId
    known: bool
    made: datetime
    seen_at: datetime | None = None


@pytest.fixture
def connection(store):
    with store.database.write() as connection:
        values = {"name": "ann", "made_at": NOW}
        connection.execute(users.insert().values(id=7, **values))
        connection.execute(
            brief_schedules.insert().values(
                user_id=7, at=60, weekdays=[0, 6], zone="UTC", wish={}, next_at=NOW, begun_at=NOW
            )
        )
        yield connection


WORDS = "SELECT * FROM brief_schedules WHERE next_at >= :since"


@pytest.mark.parametrize("query", [select(brief_schedules), text(WORDS)], ids=["core", "words"])
def test_a_row_becomes_what_the_fields_are_declared_as(connection, query):
    values = {"since": NOW} if isinstance(query, TextClause) else {}
    expected = Turn(UserId(7), (0, 6), Zone.UTC, NOW, None)
    assert sql.rows(connection, query, Turn, **values) == (expected,)
    assert sql.one(connection, query, Turn, **values) == expected
    assert sql.one(connection, query, lambda row: row.zone, **values) == "UTC"


def test_what_is_not_there_is_none(connection):
    assert sql.rows(connection, text(WORDS), Turn, since=NOW + HOUR) == ()
    assert sql.one(connection, text(WORDS), Turn, since=NOW + HOUR) is None
    assert sql.value(connection, select(users.c.id).where(users.c.id == 1), UserId) is None


def test_single_values(connection):
    made = text("SELECT made_at FROM users WHERE made_at <= :now")
    assert sql.value(connection, made, datetime, now=NOW) == NOW
    assert sql.column(connection, made, datetime, now=NOW) == (NOW,)
    assert sql.column(connection, select(users.c.id), UserId) == (7,)
    known = text("SELECT id, made_at, CAST(1 AS INTEGER) AS known FROM users")
    person = sql.one(connection, known, Person)
    assert (person, person and person.known is True) == (Person(UserId(7), True, NOW), True)


def test_how_many_rows_change(connection):
    named = text("UPDATE users SET made_at = :now WHERE name = :name")
    assert [sql.change(connection, named, name=one, now=NOW) for one in ("ann", "bob")] == [1, 0]


def test_a_field_without_a_column_is_refused(connection):
    with pytest.raises(TypeError, match=r"No column for Turn.user among \('id', 'name'"):
        sql.rows(connection, select(users), Turn)
