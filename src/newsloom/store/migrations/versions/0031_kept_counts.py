"""A category is tried by indexes alone. What a database keeps by itself, counts of what is unread
and whose pages a write made stale, is made after every upgrade: kept_counts, reader_changes.

Revision ID: 0031
Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_RANKED = ("sensitivity", sa.text("rank_key DESC"), sa.text("article_id DESC"))
_NEWEST = (sa.text("dated_at DESC"), sa.text("article_id DESC"))
INDEXES = {
    "ix_states_ranked": _RANKED,
    "ix_states_language": ("language", *_RANKED),
    "ix_states_newest": (*_NEWEST, "sensitivity", "rank_key", "language", "points"),
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.drop_index(name, "states")
        op.create_index(name, "states", ["user_id", "read", *columns, "feed_id"])
