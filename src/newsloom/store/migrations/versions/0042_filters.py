"""Indexes alone put lists of a feed, a category or a language in order, and those by importance.

Revision ID: 0042
Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"

_Columns = tuple[str | sa.TextClause, ...]

_POINTS: _Columns = (
    sa.text("points DESC"),
    sa.text("article_id DESC"),
    "dated_at",
    "feed_id",
    "language",
)
_RANKED: _Columns = ("sensitivity", sa.text("rank_key DESC"), sa.text("article_id DESC"), "feed_id")
INDEXES: dict[str, _Columns] = {
    "ix_states_language": ("language", *_RANKED, "dated_at", "points"),
    "ix_states_unread": (
        "feed_id",
        "language",
        "dated_at",
        "points",
        "sensitivity",
        "rank_key",
        "article_id",
    ),
    "ix_states_important": _POINTS,
    "ix_states_days": (sa.text("(dated_at / 86400000000)"), *_POINTS),
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        if name != "ix_states_days":
            op.drop_index(name, "states")
        op.create_index(name, "states", ["user_id", "read", *columns])
