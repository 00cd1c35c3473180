"""Texts of which only the beginning is left."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, text

from newsloom.kernel.db.columns import moment
from newsloom.kernel.ids import ArticleId

_MARKED = text("""
    SELECT g.texts_at, t.lead FROM aged_articles g JOIN texts t ON t.article_id = g.article_id
    WHERE g.article_id = :article AND g.texts_at IS NOT NULL
""")


def beginning(connection: Connection, article: ArticleId) -> tuple[str, datetime] | None:
    """What is left of a text that was removed for its age, and when; None: it is there."""
    row = connection.execute(_MARKED, {"article": article}).one_or_none()
    return None if row is None else (row.lead, moment(row.texts_at))
