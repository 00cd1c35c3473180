"""Stories: members, centroids, the audit, readers' corrections, who follows what, questions.

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "story_parents",
        sa.Column("id", ID, nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("latest", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_story_parents"),
    )
    op.create_table(
        "stories",
        sa.Column("id", ID, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("latest", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.Integer(), server_default="0", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("title_by", sa.Text(), server_default="", nullable=False),
        sa.Column("summary", sa.Text(), server_default="", nullable=False),
        sa.Column("summary_by", sa.Text(), server_default="", nullable=False),
        sa.Column("worded", sa.Integer(), server_default="0", nullable=False),
        sa.Column("parent_id", ID),
        sa.Column("archived_at", sa.BigInteger()),
        sa.Column("revived_at", sa.BigInteger()),
        sa.Column("merged_into", ID),
        sa.ForeignKeyConstraint(["parent_id"], ["story_parents.id"], name="fk_stories_parent_id"),
        sa.ForeignKeyConstraint(["merged_into"], ["stories.id"], name="fk_stories_merged_into"),
        sa.PrimaryKeyConstraint("id", name="pk_stories"),
    )
    op.create_index("ix_stories_latest_id", "stories", ["latest", "id"])
    op.create_index("ix_stories_parent_id", "stories", ["parent_id"])
    op.create_index("ix_stories_state_latest", "stories", ["state", "latest"])
    op.create_table(
        "story_members",
        sa.Column("article_id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("story_id", ID, nullable=False),
        sa.Column("dated_at", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_story_members_article_id"
        ),
        sa.ForeignKeyConstraint(["story_id"], ["stories.id"], name="fk_story_members_story_id"),
        sa.PrimaryKeyConstraint("article_id", name="pk_story_members"),
    )
    op.create_index(
        "ix_story_members_maker_id_article_id", "story_members", ["maker_id", "article_id"]
    )
    op.create_index(
        "ix_story_members_story_id_dated_at_article_id",
        "story_members",
        ["story_id", "dated_at", "article_id"],
    )
    op.create_table(
        "story_centroids",
        sa.Column("story_id", ID, autoincrement=False, nullable=False),
        sa.Column("maker_id", ID, autoincrement=False, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("total", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["stories.id"], name="fk_story_centroids_story_id"),
        sa.ForeignKeyConstraint(["maker_id"], ["makers.id"], name="fk_story_centroids_maker_id"),
        sa.PrimaryKeyConstraint("story_id", "maker_id", name="pk_story_centroids"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "story_decisions",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("article_id", ID),
        sa.Column("story_id", ID),
        sa.Column("other_id", ID),
        sa.Column("candidates", sa.JSON()),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("relation", sa.Text(), server_default="", nullable=False),
        sa.Column("judge", sa.Text(), server_default="", nullable=False),
        sa.Column("prompt", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_story_decisions_article_id"
        ),
        sa.ForeignKeyConstraint(["story_id"], ["stories.id"], name="fk_story_decisions_story_id"),
        sa.ForeignKeyConstraint(["other_id"], ["stories.id"], name="fk_story_decisions_other_id"),
        sa.PrimaryKeyConstraint("id", name="pk_story_decisions"),
    )
    op.create_index("ix_story_decisions_article_id_id", "story_decisions", ["article_id", "id"])
    op.create_index("ix_story_decisions_other_id_id", "story_decisions", ["other_id", "id"])
    op.create_index("ix_story_decisions_story_id_id", "story_decisions", ["story_id", "id"])
    op.create_table(
        "story_corrections",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("story_id", ID, nullable=False),
        sa.Column("article_id", ID),
        sa.Column("other_id", ID),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_story_corrections_user_id"),
        sa.ForeignKeyConstraint(["story_id"], ["stories.id"], name="fk_story_corrections_story_id"),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_story_corrections_article_id"
        ),
        sa.ForeignKeyConstraint(["other_id"], ["stories.id"], name="fk_story_corrections_other_id"),
        sa.PrimaryKeyConstraint("id", name="pk_story_corrections"),
    )
    op.create_index("ix_story_corrections_article_id", "story_corrections", ["article_id"])
    op.create_index("ix_story_corrections_story_id", "story_corrections", ["story_id"])
    op.create_index("ix_story_corrections_user_id", "story_corrections", ["user_id"])
    op.create_table(
        "story_readers",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("story_id", ID, autoincrement=False, nullable=False),
        sa.Column("stand", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("looked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_story_readers_user_id"),
        sa.ForeignKeyConstraint(["story_id"], ["stories.id"], name="fk_story_readers_story_id"),
        sa.PrimaryKeyConstraint("user_id", "story_id", name="pk_story_readers"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_story_readers_story_id", "story_readers", ["story_id"])
    op.create_table(
        "story_questions",
        sa.Column("article_id", ID, nullable=False),
        sa.Column("control", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("offered", sa.JSON()),
        sa.Column("answered_by", sa.Text(), server_default="", nullable=False),
        sa.Column("agreed", sa.Boolean()),
        sa.Column("begins", sa.Boolean()),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_story_questions_article_id"
        ),
        sa.PrimaryKeyConstraint("article_id", name="pk_story_questions"),
    )
    op.create_index(
        "ix_story_questions_answered_by_control_article_id",
        "story_questions",
        ["answered_by", "control", "article_id"],
    )
