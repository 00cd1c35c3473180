"""Tables of accounts. No secret is kept that opens anything: only hashes and digests of them."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, Table, Text

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import count, metadata, ref, text_column

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


users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("made_at", Moment, nullable=False),
    # Counts every change of what this reader's model learns from; see labels.py.
    count("taste"),
    # Days in which a score halves, for sensitivity 1 to 5; NULL: as the settings say.
    Column("half_lives", Json()),
    # How fast recency fades an hour in importance; NULL: as the settings say.
    Column("fade", Float),
    # The daily training: when it was last begun, and what it came to, in words.
    Column("trained_at", Moment),
    text_column("trained_words"),
    # The last arrival number of this reader's articles, and when it was taken; see states.py.
    Column("arrivals", Id, nullable=False, server_default="0"),
    Column("arrived_at", Moment, nullable=False, server_default="0"),
)

# What a reader chose: a scope is "" for everywhere, "feed:12" or "category:News".
preferences = Table(
    "preferences",
    metadata,
    Column("user_id", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("scope", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("chosen", Text, nullable=False),
    sqlite_with_rowid=False,
)

saved_lists = Table(
    "saved_lists",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id"), nullable=False, index=True),
    text_column("name"),
    text_column("place"),  # as web.list_view writes it
    Column("token", Text, nullable=False, server_default="", index=True),  # of its feed; "": none
    Column("made_at", Moment, nullable=False),
)
