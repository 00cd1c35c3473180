"""The store by aggregate: a class in each folder, and one unit of work over all."""

from __future__ import annotations

import inspect
from collections import Counter
from contextlib import suppress

from sqlalchemy import create_mock_engine
from sqlalchemy.schema import DDLElement

from newsloom.articles.store.reader_tables import states
from newsloom.kernel.db.schema import metadata

from .builders import AGGREGATES, NOW


def test_each_aggregate_is_a_class_in_a_store_module(store) -> None:
    for name in AGGREGATES:
        kind = type(getattr(store, name))
        assert "store" in kind.__module__.split(".")
        assert inspect.getdoc(kind)


def test_no_part_of_an_aggregate_hides_a_method_of_another(store) -> None:
    hidden = [
        f"{name}.{method}"
        for name in AGGREGATES
        for method, often in Counter(
            method
            for part in type(getattr(store, name)).__mro__
            for method in vars(part)
            if not method.startswith("_")
        ).items()
        if often > 1 and method not in {"hand_out", "remember", "still"}
    ]
    assert hidden == []


class _Stopped(Exception):
    """Half way."""


def test_a_unit_of_work_is_one_transaction(store, reader) -> None:
    with suppress(_Stopped), store.write() as tx:
        tx.reading.subscribe(reader, "https://one.test/", NOW)
        tx.models.add_interest(reader, "trains", NOW)
        assert len(tx.lists.subscriptions(reader)) == 1
        raise _Stopped
    assert store.lists.subscriptions(reader) == ()
    assert store.models.interests(reader) == ()
    with store.write() as tx:
        tx.reading.subscribe(reader, "https://one.test/", NOW)
        tx.models.add_interest(reader, "trains", NOW)
    assert len(store.lists.subscriptions(reader)) == 1
    assert len(store.models.interests(reader)) == 1


def test_postgresql_is_told_which_rows_an_index_is_of() -> None:
    """Where tables are made there; only then is its dialect imported."""
    made: list[str] = []

    def make(statement: DDLElement, *_values: object) -> None:
        made.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine("postgresql+psycopg://", make)
    metadata.create_all(engine, checkfirst=False)
    indexes = {line.split()[2 + ("UNIQUE" in line)]: line for line in made if "INDEX" in line}
    partial = [one for table in metadata.tables.values() for one in table.indexes if one.info]
    assert len(partial) >= 7
    assert any(one.table is states for one in partial)
    for one in partial:
        assert " WHERE " in indexes[one.name], one.name
