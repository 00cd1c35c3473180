"""Feeds: hosts, pace, health, moves, quarantine, pauses, pushes; icons, robots, full texts.

Revision ID: 0007
Revises: 0006
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from newsloom.text.urls import shared_host

revision = "0007"
down_revision = "0006"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _feeds()
    for name in ("articles", "misdated"):
        op.add_column("polls", sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "moves",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *_words("from_url", "to_url", "because"),
        sa.Column("merged_id", ID),
        sa.Column("followers", sa.JSON()),
        sa.Column("joined", sa.JSON()),
        *_moments("seen_at", "undone_at"),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_moves_feed_id"),
        sa.PrimaryKeyConstraint("id", name="pk_moves"),
    )
    op.create_index("ix_moves_feed_id_id", "moves", ["feed_id", "id"])
    op.create_table(
        "verdicts",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("same", sa.Boolean(), nullable=False),
        sa.Column("before", sa.JSON()),
        sa.Column("articles", sa.JSON()),
        sa.Column("undone_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_verdicts_feed_id"),
        sa.PrimaryKeyConstraint("id", name="pk_verdicts"),
    )
    op.create_index("ix_verdicts_feed_id_id", "verdicts", ["feed_id", "id"])
    op.create_table(
        "holds",
        sa.Column("feed_id", ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *_words("url", "content_type"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_holds_feed_id"),
        sa.PrimaryKeyConstraint("feed_id", "at", name="pk_holds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pauses",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        *_words("because"),
        sa.PrimaryKeyConstraint("host", name="pk_pauses"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pushes",
        sa.Column("feed_id", ID, autoincrement=False, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        *_words("secret", "base", "hub", "topic", "state"),
        *_moments("asked_at", "active_at", "until", "next_at", "pushed_at", "missed_at", "hour_at"),
        *(
            sa.Column(name, sa.Integer(), server_default="0", nullable=False)
            for name in ("tries", "received", "ignored", "refused", "in_hour")
        ),
        *_words("problem"),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_pushes_feed_id"),
        sa.PrimaryKeyConstraint("feed_id", name="pk_pushes"),
        sa.UniqueConstraint("token", name="uq_pushes_token"),
    )
    op.create_index("ix_pushes_next_at", "pushes", ["next_at"])
    op.create_table(
        "deliveries",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *_words("content_type", "digest"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_deliveries_feed_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_feed_id", "deliveries", ["feed_id"])
    _besides()


def _feeds() -> None:
    for column in (
        *_words("host", "moved_to", "declined", "held_because"),
        *_moments("state_at", "state_seen_at", "moved_at", "held_at", "not_before"),
        sa.Column("pace", sa.JSON()),
        sa.Column("face", sa.JSON()),
        sa.Column("floor", sa.BigInteger()),
        *(
            sa.Column(name, sa.Integer(), server_default="0", nullable=False)
            for name in ("status", "unreadable", "newsy", "moved_times")
        ),
        sa.Column("state", sa.Text(), server_default="healthy", nullable=False),
        sa.Column("full_text", sa.Boolean(), server_default=sa.false(), nullable=False),
    ):
        op.add_column("feeds", column)
    op.execute("UPDATE feeds SET state = 'dead' WHERE dead")
    op.execute("UPDATE feeds SET state = 'slow' WHERE failures > 0 AND NOT dead")
    connection = op.get_bind()
    named = sa.text("UPDATE feeds SET host = :host WHERE id = :id")
    rows = [
        {"id": row.id, "host": shared_host(row.url)}
        for row in connection.execute(sa.text("SELECT id, url FROM feeds"))
    ]
    if rows:
        connection.execute(named, rows)
    op.create_index("ix_feeds_host_next_poll_at", "feeds", ["host", "next_poll_at"])


def _besides() -> None:
    op.create_table(
        "icons",
        sa.Column("site", sa.Text(), nullable=False),
        *_words("url"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        *_words("etag", "last_modified", "validated_url", "type", "tag", "problem"),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("body", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("site", name="pk_icons"),
    )
    op.create_table(
        "robots",
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Integer(), server_default="0", nullable=False),
        *_moments("page_at"),
        *_words("body"),
        sa.PrimaryKeyConstraint("site", name="pk_robots"),
    )
    op.create_table(
        "pages",
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        *_moments("next_at"),
        *_words("url", "problem"),
        sa.Column("length", sa.Integer(), server_default="0", nullable=False),
        *_words("html"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_pages_article_id"),
        sa.PrimaryKeyConstraint("article_id", name="pk_pages"),
    )
    op.create_index("ix_pages_url", "pages", ["url"])


def _words(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), server_default="", nullable=False) for name in names]


def _moments(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.BigInteger()) for name in names]
