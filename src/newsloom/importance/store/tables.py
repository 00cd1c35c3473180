"""Tables of sources: what was measured of each, in which feeds it is, and readers' own tiers."""

from __future__ import annotations

from sqlalchemy import Column, Float, SmallInteger, Table, Text

from newsloom.kernel.db.columns import Moment
from newsloom.kernel.db.schema import count, metadata, ref


def _rate(name: str) -> Column[float]:
    return Column(name, Float, nullable=False)


# Made anew as a whole, once a day; see measures.py.
source_facts = Table(
    "source_facts",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("measured_at", Moment, nullable=False),
    count("articles"),
    _rate("days"),
    _rate("authored"),
    _rate("revised"),
    _rate("corrected"),
    _rate("corroborated"),
    _rate("followed"),
    _rate("trackers"),
    _rate("reliability"),
    sqlite_with_rowid=False,
)

# Whose articles a feed carries, of the same moment.
source_feeds = Table(
    "source_feeds",
    metadata,
    ref("feed_id", "feeds.id", primary_key=True),
    Column("domain", Text, primary_key=True),
    count("articles"),
    sqlite_with_rowid=False,
)

source_tiers = Table(
    "source_tiers",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("domain", Text, primary_key=True),
    Column("tier", SmallInteger, nullable=False),
    Column("set_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
