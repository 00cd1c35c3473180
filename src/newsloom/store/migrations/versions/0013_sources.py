"""Sources: what was measured of each, in which feeds it is, and readers' own tiers.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_RATES = (
    "days authored revised corrected corroborated followed trackers reliability".split()  # noqa: SIM905
)


def upgrade() -> None:
    op.create_table(
        "source_facts",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("measured_at", sa.BigInteger(), nullable=False),
        sa.Column("articles", sa.Integer(), server_default="0", nullable=False),
        *(sa.Column(name, sa.Float(), nullable=False) for name in _RATES),
        sa.PrimaryKeyConstraint("domain", name="pk_source_facts"),
        sqlite_with_rowid=False,
    )
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "source_feeds",
        sa.Column("feed_id", number, nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("articles", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_source_feeds_feed_id_feeds"),
        sa.PrimaryKeyConstraint("feed_id", "domain", name="pk_source_feeds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "source_tiers",
        sa.Column("user_id", number, nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("tier", sa.SmallInteger(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_source_tiers_user_id_users"),
        sa.PrimaryKeyConstraint("user_id", "domain", name="pk_source_tiers"),
        sqlite_with_rowid=False,
    )
