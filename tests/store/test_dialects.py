"""Every statement of the store is one that each database can take."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import psycopg
import pytest
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

import preloaded
from newsloom.kernel.db.dialects import DIALECTS, of, portable, written
from newsloom.kernel.db.dialects import fts5 as fulltext
from newsloom.ranking.store.nearest import pgvector
from newsloom.store import Store

from .builders import NOW
from .conftest import Backend, Postgres

pytestmark = pytest.mark.each_sqlite

# Of SQLite alone, as the module says.
ITS_OWN = {fulltext.__name__}
_NOT_TYPED = "42P18"  # a value that may be of any type; the driver says which


def statements() -> Iterator[tuple[str, TextClause]]:
    """Every statement in words that a module of a store or of kernel.db keeps, with its name."""
    for module in {*preloaded.STORE, *preloaded.DATABASE} - ITS_OWN:
        for name, value in vars(importlib.import_module(module)).items():
            for one in _each(value):
                yield f"{module}.{name}", one


def _each(value: Any) -> Iterator[TextClause]:
    if isinstance(value, TextClause):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _each(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from _each(one)


def numbered(statement: TextClause) -> str:
    """A statement as PREPARE takes it."""
    words = str(statement.compile(dialect=PGDialect_psycopg(paramstyle="named")))
    words = re.sub(r"\(__\[POSTCOMPILE_(\w+)\]\)", r"(:\1)", words)
    counted = iter(range(1, 1000))
    return re.sub(r"(?<![:\w]):[a-z]\w*", lambda _found: f"${next(counted)}", words)


def test_every_statement_can_be_prepared(backend: Backend | Postgres, path) -> None:
    """Also those that no other test comes to. SQLite's come to it as they are written."""
    if isinstance(backend, Backend):
        pytest.skip("of PostgreSQL alone")
    refused, number = {}, 0
    with closing(backend.open(path)) as store, store.database.read() as connection:
        without = () if pgvector.there(connection) else (pgvector.__name__,)
        raw: Any = connection.connection.driver_connection
        for number, (name, one) in enumerate(statements()):
            try:
                with raw.transaction():
                    raw.execute(f"PREPARE p{number} AS {numbered(one)}")
            except psycopg.Error as error:
                if error.sqlstate != _NOT_TYPED and not name.startswith(without):
                    refused[name] = str(error)
    assert refused == {}
    assert number > 150


def test_a_statement_is_written_anew_for_each_database() -> None:
    one = portable("SELECT value FROM numbers_in(:those) AS n LIMIT inlined(:most)")
    first, *_, last = [
        str(one.compile(dialect=dialect()))
        for dialect in (SQLiteDialect, PGDialect_psycopg, SQLiteDialect)
    ]
    assert first == last


@pytest.mark.parametrize("name", DIALECTS)
def test_every_form_is_written_by_every_dialect(name: str) -> None:
    other = of(next(one for one in DIALECTS if one != name))
    assert of(name).FORMS.keys() == other.FORMS.keys()
    assert of(name).NAMES.keys() == other.NAMES.keys()
    for form in of(name).FORMS:
        assert f"{form}(" not in written(f"SELECT {form}(:x)", of(name))


def test_lists_of_nothing_are_asked_for(store) -> None:
    """PostgreSQL wants to know of what kind the things are that are not there."""
    assert store.sites.fetched_pages([]) == frozenset()
    assert store.sites.paused_hosts([], NOW) == frozenset()
    assert store.feeds.health(store.users.user("reader", NOW), ()) == ()


def test_a_number_is_written_out_where_plans_depend_on_it(store: Store) -> None:
    """Bound anew with each execution, whether or not it is in the words of the statement."""
    numbers = portable("SELECT value FROM numbers_in(:those) AS n ORDER BY value LIMIT inlined(:n)")
    with store.database.read() as connection:
        for most in (1, 3, 2):
            found = connection.execute(numbers, {"those": "[5, 6, 7, 8]", "n": most}).scalars()
            assert found.all() == [5, 6, 7, 8][:most]
        words = str(numbers.compile(dialect=connection.dialect))
    assert ("POSTCOMPILE" in words) == (connection.dialect.name == "postgresql")
