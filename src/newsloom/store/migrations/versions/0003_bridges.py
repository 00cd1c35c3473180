"""Other readers' databases: their accounts, feeds and entries here, and what is to be told them.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "bridge_accounts",
        sa.Column("id", ID, nullable=False),
        sa.Column("bridge", sa.Text(), nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("cursor", sa.Text(), server_default="", nullable=False),
        sa.Column("synced_at", sa.BigInteger()),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_try_at", sa.BigInteger()),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_bridge_accounts_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_bridge_accounts"),
        sa.UniqueConstraint("bridge", "remote", name="uq_bridge_accounts_bridge_remote"),
    )
    op.create_table(
        "bridge_feeds",
        sa.Column("account_id", ID, nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["bridge_accounts.id"], name="fk_bridge_feeds_account_id"
        ),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name="fk_bridge_feeds_feed_id"),
        sa.PrimaryKeyConstraint("account_id", "remote", name="pk_bridge_feeds"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bridge_feeds_feed_id", "bridge_feeds", ["feed_id"])
    op.create_table(
        "bridge_entries",
        sa.Column("account_id", ID, nullable=False),
        sa.Column("remote", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("digest", sa.Text(), server_default="", nullable=False),
        sa.Column("read", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("starred", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("disliked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["bridge_accounts.id"], name="fk_bridge_entries_account_id"
        ),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_bridge_entries_article_id"
        ),
        sa.PrimaryKeyConstraint("account_id", "remote", name="pk_bridge_entries"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bridge_entries_article_id", "bridge_entries", ["article_id"])
    op.create_index(
        "ix_bridge_entries_account_id_read_remote_article_id",
        "bridge_entries",
        ["account_id", "read", "remote", "article_id"],
    )
    op.create_table(
        "bridge_writes",
        sa.Column("account_id", ID, nullable=False),
        sa.Column("remote", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("wanted", sa.Text()),
        sa.Column("present", sa.Text()),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_try_at", sa.BigInteger()),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["bridge_accounts.id"], name="fk_bridge_writes_account_id"
        ),
        sa.PrimaryKeyConstraint("account_id", "remote", "kind", name="pk_bridge_writes"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_bridge_writes_pending",
        "bridge_writes",
        ["account_id", "next_try_at"],
        sqlite_where=sa.text("next_try_at IS NOT NULL"),
        postgresql_where=sa.text("next_try_at IS NOT NULL"),
    )
