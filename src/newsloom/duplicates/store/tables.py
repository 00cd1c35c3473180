"""The tables of duplicates: keys to find candidates by, signatures, decisions, clusters."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, LargeBinary, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import metadata, ref, text_column

# Where candidates are looked up, for all layers: `key` is a 64-bit hash of the layer's name and its
# key, a sixth of the size of most URLs; whoever asks compares what comes back anyway. No foreign
# key: a row whose article says something else by now is harmless, and checking cost a third of the
# time of writing one.
dedup_keys = Table(
    "dedup_keys",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", Id, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# The newest of them, moved into `dedup_keys` many at a time, in the order of the keys. Written one
# batch of articles at a time, every key touched a page of its own: 16 keys an article cost 174 us
# at 500,000 articles, and grew with their number.
fresh_keys = Table(
    "fresh_keys",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", Id, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# What the later layers see of each original; `digest` is that of the text it was made of.
signatures = Table(
    "signatures",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    Column("digest", BigInteger, nullable=False),
    text_column("agency"),  # whose wire copy it is; see duplicates/syndication.py
    Column("signature", LargeBinary, nullable=False),
    Index(None, "maker_id", "article_id"),
)

# The names in an article, where a decision needed them.
entities = Table(
    "entities",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    Column("digest", BigInteger, nullable=False),
    Column("names", Text, nullable=False),  # JSON: [[kind, name], ...]
)

# Whose neighbours were asked for reports of the same event; `digest` is that of the text then.
same_event_marks = Table(
    "same_event_marks",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("maker_id", Id, nullable=False),
    Column("digest", BigInteger, nullable=False),
    Index(None, "maker_id", "article_id"),
)

# Decisions about pairs of originals, the greater id first.
links = Table(
    "links",
    metadata,
    ref("article_id", "articles.id", primary_key=True),
    ref("other_id", "articles.id", primary_key=True, index=True),
    Column("relation", Text, nullable=False),
    Column("evidence", Text, nullable=False),  # JSON: [[layer, score, detail], ...]
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# The originals that share a cluster with another. `text_id` names those that say the same.
clusters = Table(
    "clusters",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("cluster_id", Id, nullable=False),
    Column("text_id", Id, nullable=False),
    Index(None, "cluster_id", "article_id"),
    sqlite_with_rowid=False,
)

# Pairs that a reader has said are not the same, the greater id first.
separations = Table(
    "separations",
    metadata,
    ref("article_id", "articles.id", primary_key=True),
    ref("other_id", "articles.id", primary_key=True, index=True),
    ref("user_id", "users.id"),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)
