"""The roles of the store are imported when they are needed, and are the ones that mypy sees."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import create_mock_engine
from sqlalchemy.schema import DDLElement

from newsloom.ports import Store
from newsloom.store import roles
from newsloom.store.schema import metadata
from newsloom.store.tables import states


def role(place: str) -> type:
    module, _, name = place.partition(":")
    found: type = getattr(import_module(f"newsloom.store.{module}"), name)
    return found


def own(kind: type) -> set[str]:
    return {name for one in kind.__mro__ for name in vars(one) if not name.startswith("__")}


def test_mypy_sees_the_roles_there_are() -> None:
    tree = ast.parse(Path(roles.__file__).read_text(encoding="utf-8"))
    bases = [
        {base.id for base in one.bases if isinstance(base, ast.Name)}
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef) and one.bases
    ]
    assert bases == [{place.partition(":")[2] for place in roles.ROLES}]


def test_no_two_roles_have_a_method_of_one_name() -> None:
    """The first would hide the second."""
    held: dict[str, type] = {}
    for place in roles.ROLES:
        kind = role(place)
        for name in own(kind) - own(object):
            function = getattr(kind, name)
            assert getattr(held.setdefault(name, kind), name) is function, name


def test_every_method_of_the_port_is_found(store) -> None:
    wanted = {name for name in own(Store) if not name.startswith("_")}
    assert len(wanted) > 100
    for name in wanted:
        assert callable(getattr(store, name)), name


def test_what_no_role_has_is_not_found(store) -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = store.nothing_of_the_kind
    assert not hasattr(store, "__nothing__")


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
