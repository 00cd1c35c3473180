"""Marks that browsers send later, so that one which is sent again is done once.

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sent_marks",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), server_default="", nullable=False),
        sa.Column("step", ID, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sent_marks_user_id"),
        sa.PrimaryKeyConstraint("user_id", "key", name="pk_sent_marks"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sent_marks_user_id_taken_at", "sent_marks", ["user_id", "taken_at"])
