"""Lists that readers keep under a name.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "saved_lists",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("place", sa.Text(), server_default="", nullable=False),
        sa.Column("token", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_saved_lists_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_saved_lists"),
    )
    op.create_index("ix_saved_lists_user_id", "saved_lists", ["user_id"])
    op.create_index("ix_saved_lists_token", "saved_lists", ["token"])
