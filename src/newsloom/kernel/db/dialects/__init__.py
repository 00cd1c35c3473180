"""What SQLite and PostgreSQL say differently, a module for each; everything else is said once.

A statement names a form as if it were a function, and each dialect writes it out when the statement
is compiled:

    numbers_in(:those)      a JSON list of whole numbers as a table with one column, `value`
    names_in(:those)        the same of texts
    numbers_by_name(:those) a JSON object of whole numbers as a table with `key` and `value`
    greatest(a, b, ...)     the largest of several values, none of which may be NULL
    distinct_list(text)     an aggregate: every different text, with commas between
    inlined(:number)        a whole number that is bound, or written out where plans depend on it
    apart()                 at the end of a SELECT in brackets: planned without what is around it
    claiming(table)         at the end of a SELECT: no rows of that table that another is claiming,
                            and nobody else claims these before the transaction ends
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, cast

from sqlalchemy import Connection, Integer, Table, TextClause, bindparam
from sqlalchemy.ext.compiler import compiles

from newsloom.kernel.db.phrases import Words


class FullText(Protocol):
    """Full text of one database: words in, SQL out, for queries over the states `s`.

    A match is bound as `:match`. Every name is one of plain SQL.
    """

    TABLE: str  # finds the texts that match, to be joined with `s`
    JOINED: str  # the condition of that join
    NEWEST_FIRST: str
    STANDING: str  # how well a text matches, a whole number: the higher the better

    def among(self, name: str) -> str:
        """A condition on `s`: its article's text matches. All that match are found once."""

    def each(self, name: str) -> str:
        """The same, asked of one article at a time."""

    def expression(self, words: Words) -> str:
        """One word or phrase, as it is bound."""

    def match(self, wanted: Sequence[Sequence[Words]], unwanted: Sequence[Words]) -> str:
        """What has one of each of the wanted, which are some, and none of the unwanted."""

    def count(self, connection: Connection, match: str, most: int) -> int:
        """How many texts match, of all readers'; counted no further than `most`."""

    def rank(self, connection: Connection, match: str, article: int) -> int | None:
        """How well one text matches now; None when it does not."""

    def put(self, connection: Connection, texts: Sequence[Mapping[str, Any]]) -> None:
        """Make texts findable, in place of what was: rows with article_id, title, lead, rest."""


class Dialect(Protocol):
    """A database's own forms."""

    NAMES: Mapping[str, str]  # a function's name: its name there
    FORMS: Mapping[str, str]  # a form's name: what it is written as; {} is what is in the brackets
    FULL_TEXT: FullText
    WRITES_OUT: bool  # numbers that are to be inlined, rather than binding them

    def allocate_ids(self, connection: Connection, table: str, count: int) -> int:
        """The first of so many new numbers of rows, in a transaction that alone writes."""

    def lock_names(self, connection: Connection, names: Collection[str]) -> Collection[str]:
        """Those of the names that no other open transaction has; nobody else gets them until this
        one ends. Waits for nothing; now and then a name is refused that nobody has."""

    def numbered(self, connection: Connection, table: Table) -> None:
        """Number new rows of a table above those that were put there with their numbers."""

    def announce(self, connection: Connection, words: str) -> None:
        """Once the transaction commits, tell other processes that listen; elsewhere nobody does."""


# The modules, by SQLAlchemy's names of the databases. PostgreSQL's is loaded when one is used.
DIALECTS = {
    "sqlite": "newsloom.kernel.db.dialects.sqlite",
    "postgresql": "newsloom.kernel.db.dialects.postgres",
}


def of(name: str) -> Dialect:
    """The dialect of a database, by SQLAlchemy's name of it."""
    module: ModuleType = import_module(DIALECTS[name])
    return cast(Dialect, module)


def allocate_ids(connection: Connection, table: str, count: int) -> int:
    """The first of so many new numbers of rows, in a transaction that alone writes."""
    return of(connection.dialect.name).allocate_ids(connection, table, count)


def lock_names(connection: Connection, names: Collection[str]) -> Collection[str]:
    """Those of the names that no other open transaction has, and none gets until this one ends."""
    return of(connection.dialect.name).lock_names(connection, names)


def numbered(connection: Connection, table: Table) -> None:
    """Number new rows of a table above those that were put there with their numbers."""
    of(connection.dialect.name).numbered(connection, table)


def announce(connection: Connection, words: str) -> None:
    """Once the transaction commits, tell other processes that listen, where any can."""
    of(connection.dialect.name).announce(connection, words)


def full_text(connection: Connection) -> FullText:
    return of(connection.dialect.name).FULL_TEXT


class Portable(TextClause):
    """A statement in words that may name forms."""

    inherit_cache = True


@lru_cache(1_024)
def portable(query: str) -> Portable:
    """A statement in words that may name the forms above; the same one for the same words, so that
    it is compiled once."""
    return Portable(query)


_FORM = re.compile(
    r"\b(numbers_in|names_in|numbers_by_name|distinct_list|apart|claiming|inlined)\(([^()]*)\)"
)
_INLINED = re.compile(r"\binlined\(:(\w+)\)")
_NAME = re.compile(r"\b(greatest)(?=\()")


def written(query: str, dialect: Dialect) -> str:
    """A statement in the words of one database."""
    query = _FORM.sub(lambda found: dialect.FORMS[found[1]].format(found[2]), query)
    return _NAME.sub(lambda found: dialect.NAMES[found[1]], query)


@compiles(Portable)
def _compile(statement: Portable, compiler: Any, **how: Any) -> str:
    dialect = of(compiler.dialect.name)
    plain = statement._clone()  # noqa: SLF001 - with the values it binds
    plain.text = written(statement.text, dialect)
    if dialect.WRITES_OUT:
        plain._bindparams = statement._bindparams | {  # noqa: SLF001 - the clone shares them
            name: bindparam(name, type_=Integer, literal_execute=True)
            for name in _INLINED.findall(statement.text)
        }
    return cast(str, compiler.visit_textclause(plain, **how))
