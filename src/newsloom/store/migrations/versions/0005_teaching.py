"""What teaches, found among all marks.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

TEACHING = sa.text(
    "undone_by IS NULL AND kind IN"
    " ('like', 'dislike', 'unrate', 'star', 'unstar', 'finished', 'skipped')"
)


def upgrade() -> None:
    op.create_index(
        "ix_events_teaching",
        "events",
        ["user_id", "id"],
        sqlite_where=TEACHING,
        postgresql_where=TEACHING,
    )
