"""Tags, notes and highlights of articles, and articles to be read later.

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
    op.create_table(
        "article_notes",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_article_notes_user_id"),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_article_notes_article_id"
        ),
        sa.PrimaryKeyConstraint("user_id", "article_id", name="pk_article_notes"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_article_notes_article_id", "article_notes", ["article_id"])
    op.create_table(
        "highlights",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("exact", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), server_default="", nullable=False),
        sa.Column("suffix", sa.Text(), server_default="", nullable=False),
        sa.Column("start", sa.Integer(), server_default="0", nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_highlights_user_id"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_highlights_article_id"),
        sa.PrimaryKeyConstraint("id", name="pk_highlights"),
    )
    op.create_index("ix_highlights_article_id", "highlights", ["article_id"])
    op.create_index("ix_highlights_user_id_article_id", "highlights", ["user_id", "article_id"])
    op.add_column(
        "states", sa.Column("later", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_index(
        "ix_states_later",
        "states",
        ["user_id", "later", "article_id"],
        sqlite_where=sa.text("later = TRUE"),
        postgresql_where=sa.text("later = TRUE"),
    )
