"""The verbs of the store: what a statement finds as values, and how many rows it changes.

`as_` says what becomes of a row: a dataclass is filled by the names of columns, any other callable
gets the row. A field takes the column of its name, or else the one with `_id` or `_at` behind it;
without either it keeps its default; beside a column `beginning` a title is that of `row_title`.
Times, truth, enumerations and lists in JSON become what the field is declared as, whether the
statement knew their types or not. An aggregate of the store has the same verbs, each in one
transaction. Knows no table.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, lru_cache, partial
from operator import attrgetter, itemgetter
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    NewType,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from sqlalchemy import Connection, Dialect, Executable, Table, TextClause, bindparam, text
from sqlalchemy.types import NullType

from newsloom.kernel.db.columns import micros, moment, row_title
from newsloom.kernel.db.dialects import portable

if TYPE_CHECKING:
    from pathlib import Path

    from newsloom.kernel.db.engine import Database

T = TypeVar("T")
_FIRST = itemgetter(0)


def rows(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> tuple[T, ...]:
    """All that a query finds."""
    found = fetch(connection, query, values)
    if not is_dataclass(as_):
        return tuple([as_(row) for row in found])
    return tuple(map(_builder(as_, found[0]._fields), found)) if found else ()


def one(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> T | None:
    """The first row that a query finds; None: there is none."""
    for row in fetch(connection, query, values, most=1):
        build: Callable[..., T] = _builder(as_, row._fields) if is_dataclass(as_) else as_
        return build(row)
    return None


def column(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> tuple[T, ...]:
    """The first value of each row."""
    convert = _converter(as_)
    found: Iterable[Any] = map(_FIRST, fetch(connection, query, values))
    if convert is None:
        return tuple(found)
    made: list[Any] = [None if one is None else convert(one) for one in found]
    return tuple(made)


def value(
    connection: Connection, query: Executable, as_: Callable[..., T], /, **values: Any
) -> T | None:
    """The first value of the first row; None: there is no row, or it is NULL."""
    convert = _converter(as_)
    for found, *_ in fetch(connection, query, values, most=1):
        return found if convert is None or found is None else convert(found)  # type: ignore[no-any-return]
    return None


def change(connection: Connection, statement: Executable, /, **values: Any) -> int:
    """How many rows a statement inserted, updated or deleted."""
    for name, one in values.items():
        # A statement in words does not know the types of its values.
        if isinstance(one, datetime) and isinstance(statement, TextClause):
            values[name] = micros(one)
    return connection.execute(statement, values).rowcount


def upsert(table: Table) -> TextClause:
    """A statement that puts a whole row in the place of the one with its primary key."""
    names, keys = table.columns.keys(), table.primary_key.columns.keys()
    changed = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)})"  # noqa: S608
        f" VALUES ({', '.join(f':{name}' for name in names)})"
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changed}"
    )


@lru_cache(maxsize=1_024)
def _builder(kind: Any, names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Makes a dataclass of a row with those columns."""
    declared, taken = get_type_hints(kind), []
    for field in fields(kind):
        named = (field.name, f"{field.name}_id", f"{field.name}_at")
        if field.name == "title" and "beginning" in names:
            continue
        at = next((names.index(name) for name in named if name in names), None)
        if at is not None:
            taken.append((field.name, at, _converter(declared[field.name])))
        elif field.default is MISSING and field.default_factory is MISSING:
            raise TypeError(f"No column for {kind.__name__}.{field.name} among {names}.")

    titled = "beginning" in names

    def build(row: Any) -> Any:
        values = {
            name: found if (found := row[at]) is None or convert is None else convert(found)
            for name, at, convert in taken
        }
        return kind(**values, title=row_title(row)) if titled else kind(**values)

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
    return make


def _moment(value: datetime | int) -> datetime:
    return value if isinstance(value, datetime) else moment(value)


def _listed(convert: Callable[[Any], Any] | None, value: str | list[Any]) -> tuple[Any, ...]:
    found = json.loads(value) if isinstance(value, str) else value
    return tuple([one if convert is None or one is None else convert(one) for one in found])


# Below the least that any SQLite or PostgreSQL takes as parameters of one statement.
CHUNK = 500


def many(query: str) -> TextClause:
    """A query with an IN :ids, for rows_of."""
    return portable(query).bindparams(bindparam("ids", expanding=True))


def rows_of(
    connection: Connection, query: TextClause, ids: Sequence[int] | Sequence[str], **values: Any
) -> list[Any]:
    """What a query with an IN of ids finds, asked in parts."""
    found: list[Any] = []
    for start in range(0, len(ids), CHUNK):
        found += fetch(connection, query, {**values, _IDS: ids[start : start + CHUNK]})
    return found


def rows_by(
    connection: Connection, query: TextClause, column: str, ids: Sequence[int], **values: Any
) -> dict[Any, Any]:
    """The same by the value of a column; of several with one value the last."""
    found = rows_of(connection, query, ids, **values)
    return dict(zip(map(attrgetter(column), found), found, strict=True))


def fetch(
    connection: Connection, query: Executable, values: Mapping[str, Any], *, most: int = 0
) -> list[Any]:
    """The rows that a query finds, as named tuples; with `most` no more than so many.

    A query in words goes straight to the driver: SQLAlchemy took five times as long for it, and
    more for its rows. Where somebody listens to statements they go through SQLAlchemy.
    """
    words, names = "", None
    if isinstance(query, TextClause):
        # A query in words does not know the types of its values.
        values = dict(values)
        for name, one in values.items():
            if isinstance(one, datetime):
                values[name] = micros(one)
        if not connection.dispatch.before_cursor_execute:
            words, names = _for_driver(query, connection.dialect, len(values.get(_IDS, ())))
    if names is None:
        with connection.execute(query, values) as result:
            return list(result.fetchmany(most) if most else result.all())
    bound: list[Any] = []
    for name in names:
        bound += values[name] if name == _IDS else (values[name],)
    driver: Any = connection.connection.driver_connection
    cursor = driver.execute(words, bound)
    make = _row_maker(tuple(map(_FIRST, cursor.description)))
    return list(map(make, cursor.fetchmany(most) if most else cursor.fetchall()))


@lru_cache(maxsize=1_024)
def _row_maker(names: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    """What makes a row of its values."""
    kind: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
    make: Callable[[Iterable[Any]], Any] = kind._make
    return make


_IDS = "ids"
_EXPANDED = f"__[POSTCOMPILE_{_IDS}]"


@lru_cache(maxsize=2_048)
def _for_driver(
    query: TextClause, dialect: Dialect, count: int
) -> tuple[str, tuple[str, ...] | None]:
    """A query with an IN of so many ids as the driver takes it, and the names of its values in
    order. SQLAlchemy writes the ids out anew for each execution, which took as long as all else.

    No names: it must be left to SQLAlchemy, since a value has a type or a default of the query's,
    or has to be written out too.
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
    plain = "__[POSTCOMPILE_" not in words.replace(_EXPANDED, "") and all(
        one.required and (name == _IDS or isinstance(one.type, NullType))
        for name, one in compiled.binds.items()
    )
    by_place = names is not None and dialect.paramstyle in {"qmark", "format"}
    return (words, tuple(names)) if names is not None and by_place and plain else ("", None)


# Where an aggregate reads and writes.
Transactions: TypeAlias = "Database | OneTransaction"


class Aggregate:
    """Methods that each are one transaction, or a part of the unit of work they are called in."""

    def __init__(self, database: Transactions, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now

    def _rows(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> tuple[T, ...]:
        """As `rows`, and so on with the others: in a transaction of its own."""
        with self.database.read() as connection:
            return rows(connection, query, as_, **values)

    def _one(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> T | None:
        with self.database.read() as connection:
            return one(connection, query, as_, **values)

    def _column(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> tuple[T, ...]:
        with self.database.read() as connection:
            return column(connection, query, as_, **values)

    def _value(self, query: Executable, as_: Callable[..., T], /, **values: Any) -> T | None:
        with self.database.read() as connection:
            return value(connection, query, as_, **values)

    def _change(self, statement: Executable, /, **values: Any) -> int:
        with self.database.write() as connection:
            return change(connection, statement, **values)


class OneTransaction:
    """An open write transaction in the place of the database: what is called in it joins it."""

    def __init__(self, connection: Connection, database: Transactions) -> None:
        self._connection = connection
        self._database = database

    def cached(self, make: Callable[[Path | None], T]) -> T:
        return self._database.cached(make)

    def translate_errors(self) -> AbstractContextManager[None]:
        return self._database.translate_errors()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def claim(self) -> Iterator[Connection]:
        yield self._connection
