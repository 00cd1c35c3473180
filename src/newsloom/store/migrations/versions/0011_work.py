"""Shared work: ranges of stages that workers hold, and articles that are left out.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "work_batches",
        sa.Column("id", ID, nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("low", sa.BigInteger(), nullable=False),
        sa.Column("low_id", ID, nullable=False),
        sa.Column("high", sa.BigInteger(), nullable=False),
        sa.Column("high_id", ID, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("token", sa.Text(), server_default="", nullable=False),
        sa.Column("owner", sa.Text(), server_default="", nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_work_batches"),
    )
    op.create_index("ix_work_batches_stage_scope", "work_batches", ["stage", "scope"])
    op.create_table(
        "work_failures",
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("stage", "scope", "article_id", name="pk_work_failures"),
        sqlite_with_rowid=False,
    )
