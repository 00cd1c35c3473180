"""Tables of briefs: schedules, the archive, the outbox, where readers stopped, pronunciations."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, SmallInteger, Table, Text, text

from newsloom.kernel.db.columns import Id, Json, Moment
from newsloom.kernel.db.leases import lease_columns
from newsloom.kernel.db.schema import count, metadata, ref, some_rows, text_column
from newsloom.kernel.delivery.store import sending_table, target_table

brief_schedules = Table(
    "brief_schedules",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id", index=True),
    Column("at", SmallInteger, nullable=False),  # minutes after midnight, local
    Column("weekdays", Json(), nullable=False),
    Column("zone", Text, nullable=False),
    Column("wish", Json(), nullable=False),  # languages, minutes, voices
    Column("next_at", Moment, nullable=False, index=True),
    *lease_columns(),
    Column("begun_at", Moment, nullable=False),
)

brief_targets = target_table("brief_targets", "brief_schedules")

briefs = Table(
    "briefs",
    metadata,
    Column("id", Id, primary_key=True),
    ref("user_id", "users.id"),
    # NULL: it was asked for once, or the schedule is gone.
    Column("schedule_id", Id, ForeignKey("brief_schedules.id")),
    Column("language", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("end_at", Moment, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("state", Text, nullable=False),  # a BriefState
    # While it is written: until then a language model may still answer.
    Column("ready_at", Moment, nullable=False),
    text_column("voice"),  # that the reader asked for; "": as the settings have it
    Column("script", Json(), nullable=False),  # as briefs/written.py has it
    Column("memory", Json(), nullable=False),  # as digests/written.py has it
    Column("answered", Json()),  # what a language model has answered for, taken or not
    Column("sound", Json()),  # NULL: none yet, or removed for its age
    text_column("problem"),
    count("attempts"),  # at making its sound, that failed
    *lease_columns(),  # of who makes its sound
    Index(None, "user_id", "made_at"),
    Index(None, "state", "ready_at"),
)
some_rows(
    "ix_briefs_once",
    briefs.c.schedule_id,
    briefs.c.end_at,
    briefs.c.language,
    unique=True,
    where=text("schedule_id IS NOT NULL"),
)

brief_sendings = sending_table("brief_sendings", "brief_id", "briefs")

# Where a reader stopped listening, on whatever device.
brief_places = Table(
    "brief_places",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    ref("brief_id", "briefs.id", primary_key=True),
    Column("seconds", Float, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

pronunciations = Table(
    "pronunciations",
    metadata,
    ref("user_id", "users.id", primary_key=True),
    Column("language", Text, primary_key=True),  # "": any
    Column("written", Text, primary_key=True),
    Column("spoken", Text, nullable=False),
    sqlite_with_rowid=False,
)
