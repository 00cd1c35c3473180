"""Spoken briefs: schedules, the archive, the outbox, places of listening, pronunciations.

Revision ID: 0035
Revises: 0034
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _moment(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "brief_schedules",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.SmallInteger(), nullable=False),
        sa.Column("weekdays", sa.JSON(none_as_null=True), nullable=False),
        _text("zone"),
        sa.Column("wish", sa.JSON(none_as_null=True), nullable=False),
        _moment("next_at"),
        _words("held_by"),
        sa.Column("held_until", sa.BigInteger()),
        _moment("begun_at"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_brief_schedules_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_brief_schedules"),
    )
    op.create_index("ix_brief_schedules_user_id", "brief_schedules", ["user_id"])
    op.create_index("ix_brief_schedules_next_at", "brief_schedules", ["next_at"])
    op.create_table(
        "brief_targets",
        sa.Column("id", ID, nullable=False),
        sa.Column("schedule_id", ID, nullable=False),
        _text("way"),
        _text("target"),
        _text("token"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["brief_schedules.id"], name="fk_brief_targets_schedule_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_brief_targets"),
        sa.UniqueConstraint("token", name="uq_brief_targets_token"),
    )
    op.create_index("ix_brief_targets_schedule_id", "brief_targets", ["schedule_id"])
    _archive()
    _outbox()
    _of_readers()


def _archive() -> None:
    op.create_table(
        "briefs",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("schedule_id", ID),
        _text("language"),
        _text("title"),
        _moment("end_at"),
        _moment("made_at"),
        _text("state"),
        _moment("ready_at"),
        _words("voice"),
        sa.Column("script", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("memory", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("answered", sa.JSON(none_as_null=True)),
        sa.Column("sound", sa.JSON(none_as_null=True)),
        _words("problem"),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        _words("held_by"),
        sa.Column("held_until", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_briefs_user_id"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["brief_schedules.id"], name="fk_briefs_schedule_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_briefs"),
    )
    op.create_index("ix_briefs_user_id_made_at", "briefs", ["user_id", "made_at"])
    op.create_index("ix_briefs_state_ready_at", "briefs", ["state", "ready_at"])
    has_schedule = sa.text("schedule_id IS NOT NULL")
    op.create_index(
        "ix_briefs_once",
        "briefs",
        ["schedule_id", "end_at", "language"],
        unique=True,
        sqlite_where=has_schedule,
        postgresql_where=has_schedule,
    )


def _outbox() -> None:
    op.create_table(
        "brief_sendings",
        sa.Column("id", ID, nullable=False),
        sa.Column("brief_id", ID, nullable=False),
        _text("way"),
        _text("target"),
        _text("token"),
        _text("state"),
        _moment("at"),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        _words("error"),
        _words("held_by"),
        sa.Column("held_until", sa.BigInteger()),
        sa.ForeignKeyConstraint(["brief_id"], ["briefs.id"], name="fk_brief_sendings_brief_id"),
        sa.PrimaryKeyConstraint("id", name="pk_brief_sendings"),
    )
    op.create_index("ix_brief_sendings_brief_id", "brief_sendings", ["brief_id"])
    op.create_index("ix_brief_sendings_state_at", "brief_sendings", ["state", "at"])


def _of_readers() -> None:
    op.create_table(
        "brief_places",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("brief_id", ID, nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        _moment("at"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_brief_places_user_id"),
        sa.ForeignKeyConstraint(["brief_id"], ["briefs.id"], name="fk_brief_places_brief_id"),
        sa.PrimaryKeyConstraint("user_id", "brief_id", name="pk_brief_places"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pronunciations",
        sa.Column("user_id", ID, nullable=False),
        _text("language"),
        _text("written"),
        _text("spoken"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_pronunciations_user_id"),
        sa.PrimaryKeyConstraint("user_id", "language", "written", name="pk_pronunciations"),
        sqlite_with_rowid=False,
    )
