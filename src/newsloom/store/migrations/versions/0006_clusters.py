"""Duplicates beyond ids and addresses: signatures, links, clusters; one table for all keys.

Revision ID: 0006
Revises: 0005
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from newsloom.store.articles.keys import hashed

revision = "0006"
down_revision = "0005"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# A layer's number XOR the key's, in what both databases have.
_MOVE = sa.text("""
    INSERT INTO fresh_keys (key, article_id)
    SELECT (key | :layer_number) - (key & :layer_number), article_id
    FROM dedup_keys WHERE layer = :layer
""")


def upgrade() -> None:
    _keys_table("fresh_keys")
    for layer in ("guid", "url"):
        op.get_bind().execute(_MOVE, {"layer": layer, "layer_number": hashed(layer)})
    op.drop_table("dedup_keys")
    _keys_table("dedup_keys")
    _of_article(
        "signatures",
        sa.Column("agency", sa.Text(), server_default="", nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
    )
    op.create_index("ix_signatures_maker_id_article_id", "signatures", ["maker_id", "article_id"])
    _of_article("entities", sa.Column("names", sa.Text(), nullable=False))
    _pairs(
        "links",
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    _pairs(
        "separations",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_separations_user_id"),
    )
    op.create_table(
        "clusters",
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.Column("cluster_id", ID, nullable=False),
        sa.Column("text_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_clusters_article_id"),
        sa.PrimaryKeyConstraint("article_id", name="pk_clusters"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_clusters_cluster_id_article_id", "clusters", ["cluster_id", "article_id"])
    op.create_table(
        "redirects",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("url", name="pk_redirects"),
        sqlite_with_rowid=False,
    )


def _keys_table(name: str) -> None:
    op.create_table(
        name,
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", ID, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "article_id", name=f"pk_{name}"),
        sqlite_with_rowid=False,
    )


def _of_article(name: str, *columns: sa.Column[Any]) -> None:
    """One row an article, with what made it and of which text."""
    op.create_table(
        name,
        sa.Column("article_id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=f"fk_{name}_article_id"),
        sa.PrimaryKeyConstraint("article_id", name=f"pk_{name}"),
    )


def _pairs(name: str, *more: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("article_id", ID, nullable=False),
        sa.Column("other_id", ID, nullable=False),
        *more,
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=f"fk_{name}_article_id"),
        sa.ForeignKeyConstraint(["other_id"], ["articles.id"], name=f"fk_{name}_other_id"),
        sa.PrimaryKeyConstraint("article_id", "other_id", name=f"pk_{name}"),
        sqlite_with_rowid=False,
    )
    op.create_index(f"ix_{name}_other_id", name, ["other_id"])
