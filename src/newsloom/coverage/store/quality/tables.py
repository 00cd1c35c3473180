"""Tables of the quality of domains. They are of all readers: pages are fetched once for all."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, Table, Text

from newsloom.kernel.db.columns import Moment
from newsloom.kernel.db.schema import count, metadata

# Counts of an hour, added to in place: two processes that record at once lose nothing, what was
# recorded can be counted anew under other settings, and a busy domain has few rows. Pruned by age.
domain_outcomes = Table(
    "domain_outcomes",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("at", Moment, primary_key=True, autoincrement=False),  # the beginning of the hour
    Column("kind", Text, primary_key=True),  # of FailureKind; empty: a success
    Column("times", Integer, nullable=False),
    Column("judged", Float, nullable=False),  # sum of the judge's scores
    count("scored"),
    sqlite_with_rowid=False,
)

# The last block of a domain: a decision that stays, whatever is pruned above.
domain_blocks = Table(
    "domain_blocks",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("times", Integer, nullable=False),
    Column("lifted_at", Moment),
    sqlite_with_rowid=False,
)

# A rule may be of a name below what somebody registered.
domain_rules = Table(
    "domain_rules",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("rule", Text, nullable=False),
    Column("set_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# How often a domain was among the results of searches, by day.
domain_hits = Table(
    "domain_hits",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("at", Moment, primary_key=True, autoincrement=False),  # the beginning of the day
    Column("times", Integer, nullable=False),
    sqlite_with_rowid=False,
)
