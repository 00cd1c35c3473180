"""Column types the tables share: times as whole microseconds, ids. Holds no table."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import JSON, BigInteger, Dialect, Integer, Row
from sqlalchemy.types import TypeDecorator

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


# Points of importance are whole numbers in the database: sums of them are the same everywhere.
MICRO = 1_000_000


def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC, exactly: a float of seconds would lose some."""
    return (moment - EPOCH) // _MICROSECOND


def moment(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=value)


class Moment(TypeDecorator[datetime]):
    """An aware datetime in UTC, kept as an integer, which every database compares alike."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else micros(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else moment(value)


class Span(TypeDecorator[timedelta]):
    """A length of time in whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else value // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> timedelta | None:  # noqa: ARG002
        return None if value is None else timedelta(microseconds=value)


# SQLite numbers rows by itself only in a column declared INTEGER; elsewhere ids take 64 bits.
Id = BigInteger().with_variant(Integer(), "sqlite")


class Json(TypeDecorator[Any]):
    """A value as JSON; None is NULL. Statements in words get and give it as text, everywhere."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        # postgres_engine.py keeps the driver from reading it.
        return json.loads(value) if dialect.name == "postgresql" and value is not None else value


def beginning(article: str, title: str = "f.title") -> str:
    """SQL for the first words of an article without a title, as the column `beginning`."""
    return f"""
    CASE WHEN {title} <> '' THEN '' ELSE COALESCE((
        SELECT substr(b.lead, 1, 400) FROM texts b WHERE b.article_id = {article}
    ), '') END AS beginning"""  # noqa: S608


def row_title(row: Row[Any]) -> str:
    """The title of a row that has a column `beginning` too; without one, its first words."""
    if row.title:
        return str(row.title)
    from newsloom.kernel.text.html import headline  # slow to import, and most have a title

    return headline("", row.beginning)
