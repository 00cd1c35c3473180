"""Reading: feeds that were left, the liked list, and judged articles out of the unread one.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "left_feeds",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("feed_id", ID, autoincrement=False, nullable=False),
        *_words("title", "category"),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=False),
        sa.Column("newest_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_left_feeds_user_id"),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_left_feeds_feed_id"),
        sa.PrimaryKeyConstraint("user_id", "feed_id", name="pk_left_feeds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "left_states",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("left_id", ID, autoincrement=False, nullable=False),
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("dated_at", sa.BigInteger(), nullable=False),
        sa.Column("sensitivity", sa.SmallInteger(), nullable=False),
        sa.Column("relevance", sa.Float()),
        sa.Column("rank_key", sa.BigInteger(), nullable=False),
        sa.Column("scored_by", ID, nullable=False),
        *_words("language"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_left_states_user_id"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_left_states_article_id"),
        sa.PrimaryKeyConstraint("user_id", "left_id", "article_id", name="pk_left_states"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_states_liked",
        "states",
        ["user_id", "rating", "article_id"],
        sqlite_where=sa.text("rating = 1"),
        postgresql_where=sa.text("rating = 1"),
    )
    op.execute("UPDATE states SET read = TRUE WHERE rating <> 0 AND read = FALSE")


def _words(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), server_default="", nullable=False) for name in names]
