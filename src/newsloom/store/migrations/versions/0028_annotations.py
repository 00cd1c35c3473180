"""Tags that readers give to articles.

Revision ID: 0028
Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "article_tags",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_article_tags_user_id"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_article_tags_article_id"),
        sa.PrimaryKeyConstraint("user_id", "key", "article_id", name="pk_article_tags"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_article_tags_article_id", "article_tags", ["article_id", "user_id"])
