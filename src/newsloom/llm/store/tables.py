"""Tables of services outside: how they do, what they cost, what language models were asked."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Integer,
    Table,
    Text,
)

from newsloom.kernel.db.columns import Id, Moment
from newsloom.kernel.db.schema import count, metadata, text_column

# Services outside: whether they answer, and what they have cost today.
services = Table(
    "services",
    metadata,
    Column("name", Text, primary_key=True),
    Column("ok_at", Moment),
    Column("failed_at", Moment),
    count("failures"),  # in a row
    Column("open_until", Moment),  # not asked again before
    text_column("problem"),
    Column("day", Integer, nullable=False, server_default="0"),  # the one `tokens` counts
    Column("tokens", BigInteger, nullable=False, server_default="0"),
)


# Every question put to a language model: what it was asked about, with what, and what came of it.
# What each purpose of asking a language model has spent of the day's tokens: part of the service's.
spending = Table(
    "spending",
    metadata,
    Column("service", Text, primary_key=True),
    Column("purpose", Text, primary_key=True),
    Column("day", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
)


model_calls = Table(
    "model_calls",
    metadata,
    Column("id", Id, primary_key=True),
    Column("service", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("purpose", Text, nullable=False),  # "sensitivity"
    text_column("prompt_version"),  # "rubric@1"
    Column("maker", Text, nullable=False),  # model and version of the prompt
    text_column("subject_kind"),  # what it was about: "article", "17"
    text_column("subject_id"),
    # The same for the same question, whatever the subject.
    Column("question_hash", Text, nullable=False, server_default="", index=True),
    count("tokens_in"),
    count("tokens_out"),
    Column("seconds", Float, nullable=False),
    Column("verdict", Text, nullable=False),  # "ok", "reused", or why the answer was not used
    text_column("answer"),  # as it came, cut
)
