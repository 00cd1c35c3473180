"""Tables of what models learn from, what they became, and what language models were asked."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
    text,
)

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.schema import metadata, ref, some_rows, text_column

interests = Table(
    "interests",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("text", Text, nullable=False),
    Column("added_at", Moment, nullable=False),
)

models = Table(
    "models",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("kind", Text, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("trained_at", Moment, nullable=False),
    Column("metrics", Json()),
    Column("active", Boolean, nullable=False, server_default=false()),
    Column("payload", LargeBinary, nullable=False),
    Column("trainer", Text, nullable=False, server_default="head"),
    text_column("verdict"),  # why it was promoted, or why not
    Column("promoted_at", Moment),  # NULL: never in force
    Column("withdrawn_at", Moment),  # NULL: the reader never went back from it
    text_column("made_of"),  # names all that training depended on
    Column("judge", LargeBinary),  # the same training without the frozen labels
    text_column("judge_sha256"),  # as `sha256`: it is its own judge; empty: nothing was held out
    Index(None, "user_id", "kind", "id"),
)
# One in force, whatever the code does.
some_rows(
    "ix_models_in_force",
    models.c.user_id,
    models.c.kind,
    unique=True,
    where=text("active = TRUE"),
)

# Stretches of time whose events a reader took out of what their model learns from.
forgettings = Table(
    "forgettings",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("at", Moment, nullable=False),
    Column("lifted_at", Moment),  # NULL: in force
)

# What was measured of a reader's model, kept for ever: `/you` draws it.
evaluations = Table(
    "evaluations",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    Column("at", Moment, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("protocol", Text, nullable=False),
    Column("report", Json(), nullable=False),
    Index(None, "user_id", "id"),
)

# Whose vectors answer: the newest row. No row: those of the shipped encoder.
encoder_switches = Table(
    "encoder_switches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),  # as the settings called it
    Column("model_id", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("at", Moment, nullable=False),
)
