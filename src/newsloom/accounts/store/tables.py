"""Tables of accounts. No secret is kept that opens anything: only hashes and digests of them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import metadata, ref, text_column

# A user without a row here cannot sign in; without any row, nobody needs to.
accounts = Table(
    "accounts",
    metadata,
    ref("user_id", "users.id", primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),  # folded, see accounts/names.py
    Column("role", Text, nullable=False),
    text_column("password_hash"),  # as argon2 writes it; empty: no password opens it
    Column("made_at", Moment, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False),
    Column("ends_at", Moment, nullable=False, index=True),
    text_column("address"),
    text_column("agent"),
)

# Who signs in at an OpenID Connect provider, by what it knows them as; `name` is what it called
# them then, and is only shown.
identities = Table(
    "identities",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    ref("user_id", "users.id", index=True),
    text_column("name"),
    Column("made_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Each can be found by what a client of either protocol sends, in one query.
app_passwords = Table(
    "app_passwords",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False, unique=True),
    Column("fever_digest", Text, nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    Column("used_at", Moment),
    Index(None, "user_id", "name", unique=True),
)

# Answers of the JSON API to requests that had an Idempotency-Key.
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request", Text, nullable=False),  # a digest of its method, path and body
    Column("at", Moment, nullable=False),
    Column("status", Integer),  # NULL: not answered yet, or never
    text_column("body"),
    sqlite_with_rowid=False,
)

# An accepted or withdrawn invitation is deleted: the audit says that it was accepted.
invitations = Table(
    "invitations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    # NULL: made at the command line.
    Column("made_by", Id, ForeignKey("users.id"), index=True),
    Column("made_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

# The audit. NULL: no such name.
sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    Column("user_id", Id, ForeignKey("users.id")),
    text_column("address"),
    text_column("network"),
    Column("way", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Index(None, "user_id", "at"),
)

# What throttles guesses, by name and by network; see accounts/throttle.py.
sign_in_failures = Table(
    "sign_in_failures",
    metadata,
    Column("key", Text, primary_key=True),
    Column("times", Integer, nullable=False),
    Column("last_at", Moment, nullable=False, index=True),
    sqlite_with_rowid=False,
)
