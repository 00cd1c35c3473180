"""Related coverage: who wants it, searches, hits, pages, decisions.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "coverage_readers",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_coverage_readers_user_id"),
        sa.PrimaryKeyConstraint("user_id", name="pk_coverage_readers"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "coverage_searches",
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.Column("chosen_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("prepared", sa.JSON()),
        sa.Column("prepared_by", sa.Text(), server_default="", nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_coverage_searches_article_id"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_coverage_searches_user_id"),
        sa.PrimaryKeyConstraint("article_id", name="pk_coverage_searches"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_coverage_searches_state_next_at", "coverage_searches", ["state", "next_at"])
    op.create_index(
        "ix_coverage_searches_user_id_chosen_at", "coverage_searches", ["user_id", "chosen_at"]
    )
    op.create_table(
        "coverage_answers",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("hits", sa.JSON()),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_coverage_answers"),
    )
    op.create_index("ix_coverage_answers_at", "coverage_answers", ["at"])
    op.create_index("ix_coverage_answers_key_at", "coverage_answers", ["key", "at"])
    op.create_table(
        "coverage_pages",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), server_default="", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_at", sa.BigInteger()),
        sa.Column("failure", sa.Text(), server_default="", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_coverage_pages"),
        sa.UniqueConstraint("key", name="uq_coverage_pages_key"),
    )
    op.create_table(
        "coverage_candidates",
        sa.Column("id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("link_key", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_url", sa.Text(), server_default="", nullable=False),
        sa.Column("published_at", sa.BigInteger()),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("similarity", sa.Float()),
        sa.Column("place", sa.SmallInteger()),
        sa.Column("likeness", sa.Float()),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("domain", sa.Text(), server_default="", nullable=False),
        sa.Column("page_id", ID),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"],
            ["coverage_searches.article_id"],
            name="fk_coverage_candidates_article_id",
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["coverage_pages.id"], name="fk_coverage_candidates_page_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_coverage_candidates"),
        sa.UniqueConstraint(
            "article_id", "link_key", name="uq_coverage_candidates_article_id_link_key"
        ),
        sa.UniqueConstraint("article_id", "key", name="uq_coverage_candidates_article_id_key"),
    )
    op.create_index("ix_coverage_candidates_page_id", "coverage_candidates", ["page_id"])
    op.create_index("ix_coverage_candidates_state_at", "coverage_candidates", ["state", "at"])
    op.create_table(
        "coverage_judgements",
        sa.Column("id", ID, nullable=False),
        sa.Column("candidate_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.Text(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("same_event", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("quality", sa.SmallInteger(), nullable=False),
        sa.Column("abstained", sa.Boolean(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["coverage_candidates.id"], name="fk_coverage_judgements_candidate_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_coverage_judgements"),
        sa.UniqueConstraint(
            "candidate_id", "maker", name="uq_coverage_judgements_candidate_id_maker"
        ),
    )
    op.create_table(
        "coverage_rejections",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("candidate_id", ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["candidate_id"], ["coverage_candidates.id"], name="fk_coverage_rejections_candidate_id"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_coverage_rejections_user_id"),
        sa.PrimaryKeyConstraint("user_id", "candidate_id", name="pk_coverage_rejections"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "coverage_vectors",
        sa.Column("maker_id", ID, autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("maker_id", "key", name="pk_coverage_vectors"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_coverage_vectors_at", "coverage_vectors", ["at"])
