"""Rules of readers, what they are to look at, and what they did.

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "rules",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_rules_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rules"),
    )
    op.create_index("ix_rules_user_id", "rules", ["user_id"])
    op.create_table(
        "rule_sets",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("version", ID, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_rule_sets_user_id"),
        sa.PrimaryKeyConstraint("user_id", name="pk_rule_sets"),
        sqlite_with_rowid=False,
    )
    _of_articles("rule_queue", sa.Column("version", ID, nullable=False))
    _of_articles(
        "rule_effects",
        sa.Column("points", sa.SmallInteger(), server_default="0", nullable=False),
        _flag("raised"),
        sa.Column("base", sa.Float()),
        _flag("read"),
        _flag("starred"),
        sa.Column("tags", sa.JSON()),
        _flag("notified"),
        _flag("spared"),
        sa.Column("did", sa.JSON()),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    _of_articles(
        "muted_articles",
        sa.Column("rule_id", ID, nullable=False),
        sa.Column("rule_name", sa.Text(), server_default="", nullable=False),
        sa.Column("muted_at", sa.BigInteger(), nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("dated_at", sa.BigInteger(), nullable=False),
        sa.Column("sensitivity", sa.SmallInteger(), nullable=False),
        sa.Column("relevance", sa.Float()),
        sa.Column("rank_key", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.Text(), server_default="", nullable=False),
    )
    op.create_index(
        "ix_muted_articles_newest",
        "muted_articles",
        ["user_id", sa.text("dated_at DESC"), sa.text("article_id DESC")],
    )
    _of_articles(
        "rule_news",
        sa.Column("rule_name", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def _of_articles(name: str, *columns: sa.Column) -> None:  # type: ignore[type-arg]
    """A table with a row for each article of a reader that there is something to say of."""
    op.create_table(
        name,
        sa.Column("user_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=f"fk_{name}_user_id"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=f"fk_{name}_article_id"),
        sa.PrimaryKeyConstraint("user_id", "article_id", name=f"pk_{name}"),
        sqlite_with_rowid=False,
    )
