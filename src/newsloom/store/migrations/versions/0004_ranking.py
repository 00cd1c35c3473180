"""The language of what is listed, so that lists can be of one.

Revision ID: 0004
Revises: 0003
"""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from newsloom.text.language import language

revision = "0004"
down_revision = "0003"

_FILL = sa.text("""
    UPDATE states SET language = :language WHERE article_id IN (
        SELECT o.id FROM articles o JOIN articles f ON f.id = o.fullest_id WHERE f.language IN :tags
    )
""").bindparams(sa.bindparam("tags", expanding=True))


def upgrade() -> None:
    op.add_column("states", sa.Column("language", sa.Text(), server_default="", nullable=False))
    connection = op.get_bind()
    tags = defaultdict(list)
    for tag in connection.scalars(sa.text("SELECT DISTINCT language FROM articles")):
        tags[language(tag)].append(tag)
    for name in filter(None, tags):
        for start in range(0, len(tags[name]), 500):
            values = {"language": name, "tags": tags[name][start : start + 500]}
            connection.execute(_FILL, values)
    op.create_index(
        "ix_states_language",
        "states",
        ["user_id", "read", "language", "sensitivity", sa.text("rank_key DESC"),
         sa.text("article_id DESC")],
    )  # fmt: skip
    op.drop_index("ix_states_newest", "states")
    op.create_index(
        "ix_states_newest",
        "states",
        ["user_id", "read", sa.text("dated_at DESC"), sa.text("article_id DESC"), "sensitivity",
         "rank_key", "language"],
    )  # fmt: skip
