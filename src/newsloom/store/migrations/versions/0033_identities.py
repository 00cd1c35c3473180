"""Who signs in at an OpenID Connect provider.

Revision ID: 0033
Revises: 0032
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_identities_user_id"),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_identities"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_identities_user_id", "identities", ["user_id"])
