"""What every table is made with: the one catalogue, names of constraints, usual columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TextClause,
    event,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateColumn
from sqlalchemy.util import OrderedSet

from newsloom.kernel.db.columns import Id

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def some_rows(
    name: str, *columns: Any, where: ColumnElement[bool] | TextClause, unique: bool = False
) -> Index:
    """An index of the rows that meet a condition.

    PostgreSQL is told of it when tables are made there: to say so here would import its dialect,
    which takes as long as all these tables.
    """
    return Index(name, *columns, unique=unique, sqlite_where=where, info={"where": where})


@event.listens_for(Index, "after_parent_attach")
def _note_order(index: Index, table: Table) -> None:
    """Indexes are made in the order in which they are declared; SQLAlchemy has them in a set."""
    table.info.setdefault("indexes", []).append(index)


@event.listens_for(metadata, "before_create")
def _prepare_indexes(catalogue: MetaData, connection: Connection, **_how: Any) -> None:
    for table in catalogue.tables.values():
        table.indexes = OrderedSet(table.info.get("indexes", ()))
    if connection.dialect.name == "postgresql":
        for table in catalogue.tables.values():
            for index in table.indexes:
                if "where" in index.info:
                    index.dialect_options["postgresql"]["where"] = index.info["where"]


@compiles(CreateColumn, "postgresql")
def _by_bytes(element: CreateColumn, compiler: Any, **how: Any) -> str:
    """Texts are compared byte by byte in every database: the order of names must not depend on
    where it runs. Not a property of the type, which is also what values are cast to."""
    made = str(compiler.visit_create_column(element, **how))
    return made.replace(" TEXT", ' TEXT COLLATE "C"', 1)


def text_column(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def ref(name: str, target: str, **more: Any) -> Column[int]:
    return Column(name, Id, ForeignKey(target), nullable=False, **more)
