"""Politeness: damaged documents in a row, the settings a feed was asked under.

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
