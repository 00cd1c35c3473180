"""What was removed of articles for their age, and how far each sweep has come.

Two new tables: no table with rows in it is touched.

Revision ID: 0039
Revises: 0038
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "aged_articles",
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("texts_at", sa.BigInteger(), nullable=True),
        sa.Column("vectors_at", sa.BigInteger(), nullable=True),
        sa.Column("keys_at", sa.BigInteger(), nullable=True),
        sa.Column("articles_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_aged_articles_article_id"
        ),
        sa.PrimaryKeyConstraint("article_id", name="pk_aged_articles"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "prunings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", ID, nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_prunings"),
        sqlite_with_rowid=False,
    )
