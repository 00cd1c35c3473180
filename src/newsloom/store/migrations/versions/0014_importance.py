"""Importance: the signals of each article, each reader's points, what they made of a topic.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "importances",
        sa.Column("article_id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("authority", sa.Float(), nullable=False),
        sa.Column("corroboration", sa.Float(), nullable=False),
        sa.Column("depth", sa.Float(), nullable=False),
        sa.Column("sources", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_importances_article_id"),
        sa.PrimaryKeyConstraint("article_id", name="pk_importances"),
    )
    op.create_index("ix_importances_maker_id_article_id", "importances", ["maker_id", "article_id"])
    op.create_table(
        "interest_edits",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("factor", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_interest_edits_user_id"),
        sa.PrimaryKeyConstraint("user_id", "term", name="pk_interest_edits"),
        sqlite_with_rowid=False,
    )
    op.add_column(
        "states", sa.Column("points", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column("states", sa.Column("topic", sa.Float()))
    op.add_column("states", sa.Column("weighed_by", ID, server_default="0", nullable=False))
    op.add_column("users", sa.Column("fade", sa.Float()))
    newest = [sa.text("dated_at DESC"), sa.text("article_id DESC")]
    op.create_index("ix_states_weighed", "states", ["user_id", "weighed_by", *newest])
    op.create_index(
        "ix_states_important",
        "states",
        ["user_id", "read", sa.text("points DESC"), sa.text("article_id DESC"), "dated_at"],
    )
