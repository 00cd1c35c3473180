"""The language of what is unread in a feed: a category and a language at once, by an index alone.

Revision ID: 0024
Revises: 0023
"""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.drop_index("ix_states_unread", "states")
    op.create_index("ix_states_unread", "states", ["user_id", "read", "feed_id", "language"])
