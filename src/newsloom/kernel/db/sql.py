"""The verbs of the store: what a statement finds as values, and how many rows it changes.

`as_` says what becomes of a row: a dataclass is filled by the names of columns, any other callable
gets the row. A field takes the column of its name, or else the one with `_id` or `_at` behind it;
without either it keeps its default. Times, truth, enumerations and lists in JSON become what the
field is declared as, whether the statement knew their types or not. Knows no table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, lru_cache, partial
from types import UnionType
from typing import Any, NewType, TypeVar, get_args, get_origin, get_type_hints

from sqlalchemy import Connection, Dialect, Executable, Row, TextClause, bindparam

from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import portable

T = TypeVar("T")


def rows(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> tuple[T, ...]:
    """All that a query finds."""
    result = connection.execute(query, _bound(query, values))
    build = _builder(as_, tuple(result.keys())) if is_dataclass(as_) else as_
    return tuple([build(row) for row in result.all()])


def one(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> T | None:
    """The first row that a query finds; None: there is none."""
    result = connection.execute(query, _bound(query, values))
    row = result.first()
    if row is None:
        return None
    build: Callable[..., T] = _builder(as_, tuple(row._fields)) if is_dataclass(as_) else as_
    return build(row)


def column(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> tuple[T, ...]:
    """The first value of each row."""
    convert = _converter(as_)
    found = connection.scalars(query, _bound(query, values)).all()
    return tuple(found if convert is None else map(convert, found))


def value(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> T | None:
    """The first value of the first row; None: there is no row, or it is NULL."""
    found = connection.scalar(query, _bound(query, values))
    convert = _converter(as_)
    return found if convert is None else convert(found)  # type: ignore[no-any-return]


def change(connection: Connection, statement: Executable, /, **values: Any) -> int:
    """How many rows a statement inserted, updated or deleted."""
    return connection.execute(statement, _bound(statement, values)).rowcount


def _bound(statement: Executable, values: dict[str, Any]) -> dict[str, Any]:
    """A statement in words does not know the types of its values."""
    if not isinstance(statement, TextClause):
        return values
    return {name: micros(one) if isinstance(one, datetime) else one for name, one in values.items()}


@lru_cache(maxsize=1_024)
def _builder(kind: Any, names: tuple[str, ...]) -> Callable[[Row[Any]], Any]:
    """Makes a dataclass of a row with those columns."""
    declared, taken = get_type_hints(kind), []
    for field in fields(kind):
        named = (field.name, f"{field.name}_id", f"{field.name}_at")
        at = next((names.index(name) for name in named if name in names), None)
        if at is not None:
            taken.append((field.name, at, _converter(declared[field.name])))
        elif field.default is MISSING and field.default_factory is MISSING:
            raise TypeError(f"No column for {kind.__name__}.{field.name} among {names}.")

    def build(row: Row[Any]) -> Any:
        return kind(
            **{
                name: row[at] if convert is None else convert(row[at])
                for name, at, convert in taken
            }
        )

    return build


@cache
def _converter(kind: Any) -> Callable[[Any], Any] | None:
    """Makes of a column's value what a field is declared as; None: it is that already."""
    if get_origin(kind) is UnionType:
        (kind,) = [one for one in get_args(kind) if one is not type(None)]
    if isinstance(kind, NewType):
        return _converter(kind.__supertype__)
    plain = get_origin(kind) or kind
    make: Callable[[Any], Any]
    if plain is datetime:
        make = _moment
    elif plain is tuple:
        make = partial(_listed, _converter(get_args(kind)[0]))
    elif plain is bool or (isinstance(plain, type) and issubclass(plain, Enum)):
        make = plain
    else:
        return None
    return lambda value: None if value is None else make(value)


def _moment(value: datetime | int) -> datetime:
    return value if isinstance(value, datetime) else moment(value)


def _listed(convert: Callable[[Any], Any] | None, value: str | list[Any]) -> tuple[Any, ...]:
    found = json.loads(value) if isinstance(value, str) else value
    return tuple(found if convert is None else map(convert, found))


# Below the least that any SQLite or PostgreSQL takes as parameters of one statement.
CHUNK = 500


def many(query: str) -> TextClause:
    """A query with an IN :ids, for rows_of."""
    return portable(query).bindparams(bindparam("ids", expanding=True))


def rows_of(
    connection: Connection, query: TextClause, ids: Sequence[int], **values: Any
) -> list[Row[Any]]:
    """What a query with an IN of ids finds, asked in parts."""
    found: list[Row[Any]] = []
    for start in range(0, len(ids), CHUNK):
        asked = ids[start : start + CHUNK]
        words, names = _for_driver(query, connection.dialect, len(asked))
        if names is None:
            result = connection.execute(query, {**values, "ids": list(asked)})
        else:
            bound: list[Any] = []
            for name in names:
                bound += asked if name == _IDS else (values[name],)
            result = connection.exec_driver_sql(words, tuple(bound))
        # All at once: going through a result asks the driver for one row after the other.
        found += result.all()
    return found


_IDS = "ids"
_EXPANDED = f"__[POSTCOMPILE_{_IDS}]"


@lru_cache(maxsize=2_048)
def _for_driver(
    query: TextClause, dialect: Dialect, count: int
) -> tuple[str, tuple[str, ...] | None]:
    """A query with an IN of so many ids as the driver takes it, and the names of its values in
    order. SQLAlchemy writes the ids out anew for each execution, which took as long as all else.

    No names: other values have to be written out too, and it must be left to SQLAlchemy.
    """
    words, names = _compiled(query, dialect)
    if names is None:
        return "", None
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    return words.replace(_EXPANDED, ", ".join([mark] * count)), names


@lru_cache(maxsize=1_024)
def _compiled(query: TextClause, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    compiled = query.compile(dialect=dialect)
    words, names = str(compiled), compiled.positiontup
    others = "__[POSTCOMPILE_" in words.replace(_EXPANDED, "")
    by_place = names is not None and dialect.paramstyle in {"qmark", "format"}
    return (words, tuple(names)) if names and by_place and not others else ("", None)
