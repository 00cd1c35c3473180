"""The key of the addresses under which pictures are served, and what readers choose for pages.

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "picture_keys",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_picture_keys"),
    )
    op.create_table(
        "preferences",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_preferences_user_id"),
        sa.PrimaryKeyConstraint("user_id", "scope", "name", name="pk_preferences"),
        sqlite_with_rowid=False,
    )
