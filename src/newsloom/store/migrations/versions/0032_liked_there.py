"""What is liked in another program by a mark of its own.

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.add_column(
        "bridge_entries",
        sa.Column("liked", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
