"""The tables of shared work: ranges that workers hold, and articles that are left out."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, text_column

# One row for each batch that a worker holds, or that waits to be tried again: there is no queue,
# what is pending follows from the results. A range is the places of its first and last article, in
# the order of the stage; see work/values.py. A row without a token waits, and nobody
# holds it.
work_batches = Table(
    "work_batches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("stage", Text, nullable=False),
    Column("scope", BigInteger, nullable=False),  # a reader, or 0
    Column("low", BigInteger, nullable=False),
    Column("low_id", Id, nullable=False),
    Column("high", BigInteger, nullable=False),
    Column("high_id", Id, nullable=False),
    Column("size", Integer, nullable=False),
    text_column("token"),
    text_column("owner"),
    Column("until", Moment, nullable=False),
    count("attempts"),
    Index(None, "stage", "scope"),
)

# Articles that a stage failed on, each alone. `version` tells the text it failed on.
work_failures = Table(
    "work_failures",
    metadata,
    Column("stage", Text, primary_key=True),
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", Id, primary_key=True, autoincrement=False),
    Column("place", BigInteger, nullable=False),
    Column("version", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Column("retry_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
