"""Since when readers follow stories and want news of them; stories a model was asked to word.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("story_readers", sa.Column("stand_at", sa.BigInteger()))
    op.add_column("digest_schedules", sa.Column("begun_at", sa.BigInteger()))
    op.add_column(
        "stories", sa.Column("answered", sa.Integer(), server_default="0", nullable=False)
    )
