"""Digests: schedules, archive, outbox, secret addresses of feeds. How rare terms are. An index for
lists by importance.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "digest_schedules",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.SmallInteger(), nullable=False),
        sa.Column("weekday", sa.SmallInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("held_by", sa.Text(), server_default="", nullable=False),
        sa.Column("held_until", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_digest_schedules_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_digest_schedules"),
    )
    op.create_index("ix_digest_schedules_user_id", "digest_schedules", ["user_id"])
    op.create_index("ix_digest_schedules_next_at", "digest_schedules", ["next_at"])
    op.create_table(
        "digest_targets",
        sa.Column("id", ID, nullable=False),
        sa.Column("schedule_id", ID, nullable=False),
        sa.Column("way", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["digest_schedules.id"], name="fk_digest_targets_schedule_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_digest_targets"),
        sa.UniqueConstraint("token", name="uq_digest_targets_token"),
    )
    op.create_index("ix_digest_targets_schedule_id", "digest_targets", ["schedule_id"])
    op.create_table(
        "digests",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("schedule_id", ID),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("end_at", sa.BigInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("ready_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("memory", sa.JSON(), nullable=False),
        sa.Column("answered", sa.JSON()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_digests_user_id"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["digest_schedules.id"], name="fk_digests_schedule_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_digests"),
    )
    op.create_index("ix_digests_user_id_made_at", "digests", ["user_id", "made_at"])
    has_schedule = sa.text("schedule_id IS NOT NULL")
    op.create_index(
        "ix_digests_once",
        "digests",
        ["schedule_id", "end_at"],
        unique=True,
        sqlite_where=has_schedule,
        postgresql_where=has_schedule,
    )
    op.create_table(
        "digest_sendings",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest_id", ID, nullable=False),
        sa.Column("way", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("held_by", sa.Text(), server_default="", nullable=False),
        sa.Column("held_until", sa.BigInteger()),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name="fk_digest_sendings_digest_id"),
        sa.PrimaryKeyConstraint("id", name="pk_digest_sendings"),
    )
    op.create_index("ix_digest_sendings_digest_id", "digest_sendings", ["digest_id"])
    op.create_index("ix_digest_sendings_state_at", "digest_sendings", ["state", "at"])
    op.create_table(
        "feed_addresses",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_feed_addresses_user_id"),
        sa.PrimaryKeyConstraint("user_id", "name", name="pk_feed_addresses"),
        sa.UniqueConstraint("token", name="uq_feed_addresses_token"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "term_background",
        sa.Column("id", ID, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("newest", ID, nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("counts", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_term_background"),
    )
    op.drop_index("ix_states_newest", "states")
    op.create_index(
        "ix_states_newest",
        "states",
        ["user_id", "read", sa.text("dated_at DESC"), sa.text("article_id DESC"), "sensitivity",
         "rank_key", "language", "points"],
    )  # fmt: skip
