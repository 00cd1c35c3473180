"""Which processes serve pages, and what each is doing for a reader.

Revision ID: 0038
Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0035"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "serves",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("leads", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("version", sa.Text(), server_default="", nullable=False),
        sa.Column("nudges", sa.Integer(), server_default="0", nullable=False),
        sa.Column("followed", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("owner", name="pk_serves"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "activities",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), server_default="", nullable=False),
        sa.Column("wanted", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_activities_user_id"),
        sa.PrimaryKeyConstraint("user_id", "kind", name="pk_activities"),
        sqlite_with_rowid=False,
    )
