"""Politeness: turns of hosts, damaged documents in a row, the settings a feed was asked under.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("feeds", sa.Column("damaged", sa.Integer(), server_default="0", nullable=False))
    for name in ("damage", "asked_under"):
        op.add_column("feeds", sa.Column(name, sa.Text(), server_default="", nullable=False))
    op.create_table(
        "host_turns",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("until", sa.BigInteger()),
        sa.Column("asked_at", sa.BigInteger()),
        sa.Column("wanted_by", sa.Text()),
        sa.Column("wanted_until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("host", name="pk_host_turns"),
        sqlite_with_rowid=False,
    )
