"""The first schema. Frozen: a later change of the tables is a later step.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# The full-text index holds no copy of the text: triggers keep it in step with `texts`.
SEARCH = (
    """CREATE VIRTUAL TABLE texts_search USING fts5(
        title, lead, rest,
        content='texts', content_rowid='article_id', tokenize='unicode61 remove_diacritics 2'
    )""",
    """CREATE TRIGGER texts_search_insert AFTER INSERT ON texts BEGIN
        INSERT INTO texts_search(rowid, title, lead, rest)
        VALUES (new.article_id, new.title, new.lead, new.rest);
    END""",
    """CREATE TRIGGER texts_search_delete AFTER DELETE ON texts BEGIN
        INSERT INTO texts_search(texts_search, rowid, title, lead, rest)
        VALUES ('delete', old.article_id, old.title, old.lead, old.rest);
    END""",
    """CREATE TRIGGER texts_search_update AFTER UPDATE OF title, lead, rest ON texts BEGIN
        INSERT INTO texts_search(texts_search, rowid, title, lead, rest)
        VALUES ('delete', old.article_id, old.title, old.lead, old.rest);
        INSERT INTO texts_search(rowid, title, lead, rest)
        VALUES (new.article_id, new.title, new.lead, new.rest);
    END""",
)


def upgrade() -> None:
    """Make every table of an empty database."""
    op.create_table(
        "feeds",
        sa.Column("id", ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("site_url", sa.Text(), server_default="", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.Text(), server_default="", nullable=False),
        sa.Column("format", sa.Text(), server_default="", nullable=False),
        sa.Column("image", sa.Text(), server_default="", nullable=False),
        sa.Column("etag", sa.Text(), server_default="", nullable=False),
        sa.Column("last_modified", sa.Text(), server_default="", nullable=False),
        sa.Column("validated_url", sa.Text(), server_default="", nullable=False),
        sa.Column("body_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("hints", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("interval", sa.BigInteger(), nullable=False),
        sa.Column("next_poll_at", sa.BigInteger(), nullable=True),
        sa.Column("polled_at", sa.BigInteger(), nullable=True),
        sa.Column("ok_at", sa.BigInteger(), nullable=True),
        sa.Column("changed_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unchanged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("dead", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=("pk_feeds")),
        sa.UniqueConstraint("url", name=("uq_feeds_url")),
    )
    op.create_index(
        "ix_feeds_leased",
        "feeds",
        ["lease_owner"],
        unique=False,
        sqlite_where=sa.text("lease_owner IS NOT NULL"),
        postgresql_where=sa.text("lease_owner IS NOT NULL"),
    )
    op.create_index(("ix_feeds_next_poll_at"), "feeds", ["next_poll_at"], unique=False)
    op.create_table(
        "makers",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=("pk_makers")),
        sa.UniqueConstraint("name", name=("uq_makers_name")),
    )
    op.create_table(
        "users",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("taste", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=("pk_users")),
        sa.UniqueConstraint("name", name=("uq_users_name")),
    )
    op.create_table(
        "articles",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("original_id", ID, nullable=False),
        sa.Column("fullest_id", ID, nullable=False),
        sa.Column("guid", sa.Text(), server_default="", nullable=False),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("canonical_url", sa.Text(), server_default="", nullable=False),
        sa.Column("source", sa.Text(), server_default="", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("author", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.Text(), server_default="", nullable=False),
        sa.Column("published_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("dated_at", sa.BigInteger(), nullable=False),
        sa.Column("version_at", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("length", sa.Integer(), server_default="0", nullable=False),
        sa.Column("image", sa.Text(), server_default="", nullable=False),
        sa.Column("comments_url", sa.Text(), server_default="", nullable=False),
        sa.Column("categories", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("enclosures", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.Text(), server_default="", nullable=False),
        sa.Column("content", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=("fk_articles_feed_id")),
        sa.ForeignKeyConstraint(["fullest_id"], ["articles.id"], name=("fk_articles_fullest_id")),
        sa.ForeignKeyConstraint(["original_id"], ["articles.id"], name=("fk_articles_original_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_articles")),
    )
    op.create_index(
        "ix_articles_duplicates",
        "articles",
        ["feed_id", "original_id"],
        unique=False,
        sqlite_where=sa.text("original_id <> id"),
        postgresql_where=sa.text("original_id <> id"),
    )
    op.create_index(
        ("ix_articles_feed_id_dated_at_original_id"),
        "articles",
        ["feed_id", "dated_at", "original_id"],
        unique=False,
    )
    op.create_index(
        ("ix_articles_original_id_feed_id"), "articles", ["original_id", "feed_id"], unique=False
    )
    op.create_table(
        "interests",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=("fk_interests_user_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_interests")),
    )
    op.create_index(("ix_interests_user_id"), "interests", ["user_id"], unique=False)
    op.create_table(
        "models",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("trained_at", sa.BigInteger(), nullable=False),
        sa.Column("metrics", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("active", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=("fk_models_user_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_models")),
    )
    op.create_index(
        ("ix_models_user_id_kind_id"), "models", ["user_id", "kind", "id"], unique=False
    )
    op.create_table(
        "polls",
        sa.Column("id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), server_default="0", nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("wire_bytes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("new", sa.Integer(), server_default="0", nullable=False),
        sa.Column("revised", sa.Integer(), server_default="0", nullable=False),
        sa.Column("duplicates", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("next_poll_at", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=("fk_polls_feed_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_polls")),
    )
    op.create_index(("ix_polls_feed_id_id"), "polls", ["feed_id", "id"], unique=False)
    op.create_table(
        "subscriptions",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("category", sa.Text(), server_default="", nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=("fk_subscriptions_feed_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=("fk_subscriptions_user_id")),
        sa.PrimaryKeyConstraint("user_id", "feed_id", name=("pk_subscriptions")),
        sqlite_with_rowid=False,
    )
    op.create_index(("ix_subscriptions_feed_id"), "subscriptions", ["feed_id"], unique=False)
    op.create_table(
        "dedup_keys",
        sa.Column("layer", sa.Text(), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("published", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_dedup_keys_article_id")),
        sa.PrimaryKeyConstraint("layer", "key", "article_id", name=("pk_dedup_keys")),
        sqlite_with_rowid=False,
    )
    op.create_index(("ix_dedup_keys_article_id"), "dedup_keys", ["article_id"], unique=False)
    op.create_table(
        "embeddings",
        sa.Column("id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_embeddings_article_id")),
        sa.ForeignKeyConstraint(["maker_id"], ["makers.id"], name=("fk_embeddings_maker_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_embeddings")),
        sa.UniqueConstraint("maker_id", "article_id", name=("uq_embeddings_maker_id_article_id")),
    )
    op.create_table(
        "events",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("via", sa.Text(), server_default="", nullable=False),
        sa.Column("step", ID, nullable=False),
        sa.Column("before", sa.SmallInteger(), nullable=True),
        sa.Column("undone_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_events_article_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=("fk_events_user_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_events")),
    )
    op.create_index(
        "ix_events_standing",
        "events",
        ["user_id", "step"],
        unique=False,
        sqlite_where=sa.text("undone_by IS NULL AND before IS NOT NULL"),
        postgresql_where=sa.text("undone_by IS NULL AND before IS NOT NULL"),
    )
    op.create_index(
        ("ix_events_user_id_article_id_id"), "events", ["user_id", "article_id", "id"], unique=False
    )
    op.create_table(
        "judgements",
        sa.Column("id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("target_id", ID, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("layer", sa.Text(), server_default="", nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_judgements_article_id")),
        sa.ForeignKeyConstraint(["target_id"], ["articles.id"], name=("fk_judgements_target_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_judgements")),
    )
    op.create_index(
        ("ix_judgements_article_id_id"), "judgements", ["article_id", "id"], unique=False
    )
    op.create_table(
        "ratings",
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("rating", sa.SmallInteger(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("explanation", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_ratings_article_id")),
        sa.ForeignKeyConstraint(["maker_id"], ["makers.id"], name=("fk_ratings_maker_id")),
        sa.PrimaryKeyConstraint("maker_id", "article_id", name=("pk_ratings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "revisions",
        sa.Column("id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("summary", sa.Text(), server_default="", nullable=False),
        sa.Column("content", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_revisions_article_id")),
        sa.PrimaryKeyConstraint("id", name=("pk_revisions")),
    )
    op.create_index(("ix_revisions_article_id_id"), "revisions", ["article_id", "id"], unique=False)
    op.create_table(
        "states",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("feed_id", ID, nullable=False),
        sa.Column("dated_at", sa.BigInteger(), nullable=False),
        sa.Column("read", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("starred", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rating", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("sensitivity", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("relevance", sa.Float(), nullable=True),
        sa.Column("rank_key", sa.BigInteger(), nullable=False),
        sa.Column("scored_by", ID, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_states_article_id")),
        sa.ForeignKeyConstraint(["feed_id"], ["feeds.id"], name=("fk_states_feed_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=("fk_states_user_id")),
        sa.PrimaryKeyConstraint("user_id", "article_id", name=("pk_states")),
        sqlite_with_rowid=False,
    )
    op.create_index(("ix_states_article_id"), "states", ["article_id"], unique=False)
    op.create_index(
        "ix_states_newest",
        "states",
        [
            "user_id",
            "read",
            sa.literal_column("dated_at DESC"),
            sa.literal_column("article_id DESC"),
            "sensitivity",
            "rank_key",
        ],
        unique=False,
    )
    op.create_index(
        "ix_states_ranked",
        "states",
        [
            "user_id",
            "read",
            "sensitivity",
            sa.literal_column("rank_key DESC"),
            sa.literal_column("article_id DESC"),
        ],
        unique=False,
    )
    op.create_index(
        "ix_states_scored",
        "states",
        [
            "user_id",
            "scored_by",
            sa.literal_column("dated_at DESC"),
            sa.literal_column("article_id DESC"),
        ],
        unique=False,
    )
    op.create_index(
        "ix_states_starred",
        "states",
        ["user_id", "starred", "article_id"],
        unique=False,
        sqlite_where=sa.text("starred = TRUE"),
        postgresql_where=sa.text("starred = TRUE"),
    )
    op.create_index("ix_states_unread", "states", ["user_id", "read", "feed_id"], unique=False)
    op.create_table(
        "texts",
        sa.Column("article_id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("lead", sa.Text(), server_default="", nullable=False),
        sa.Column("rest", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=("fk_texts_article_id")),
        sa.PrimaryKeyConstraint("article_id", name=("pk_texts")),
    )
    op.create_index(
        ("ix_texts_maker_id_article_id"), "texts", ["maker_id", "article_id"], unique=False
    )

    if op.get_bind().dialect.name == "sqlite":
        for statement in SEARCH:
            op.execute(statement)
