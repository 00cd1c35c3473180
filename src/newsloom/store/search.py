"""Full-text search over the articles of one reader. The only place that speaks FTS5."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import text

from newsloom.ports import HalfLives
from newsloom.store.engine import Database
from newsloom.store.lists import listed
from newsloom.types import ArticleId, Listed, UserId

# More words than these only slow a search down; nobody types them.
MOST_WORDS = 32

# A word in the title says more than one in the lead, and that more than one further down.
_FOUND = text("""
    SELECT s.article_id
    FROM texts_search CROSS JOIN states s
    WHERE texts_search MATCH :expression AND s.user_id = :user
    AND s.article_id = texts_search.rowid
    ORDER BY bm25(texts_search, 8.0, 2.0, 1.0), s.article_id DESC
    LIMIT :limit
""")


class Search:
    """Search: part of the ReadingStore role."""

    database: Database

    def search(
        self, user: UserId, words: str, limit: int, now: datetime, half_lives: HalfLives
    ) -> tuple[Listed, ...]:
        """Full text, best match first. Any input is safe: operators in it are only words."""
        sought = expression(words)
        if not sought:
            return ()
        values = {"expression": sought, "user": user, "limit": limit}
        with self.database.read() as connection:
            ids = [ArticleId(row[0]) for row in connection.execute(_FOUND, values)]
            return listed(connection, user, ids, now, half_lives)


def expression(words: str) -> str:
    """What someone typed as an FTS5 expression: every word, the last one perhaps unfinished.

    Each word is quoted, so nothing in it is an operator; one without a letter or digit is left
    out, for FTS5 would take it as matching nothing.
    """
    found = [word for word in words.replace("\0", " ").split() if re.search(r"\w", word)]
    quoted = ['"' + word.replace('"', '""') + '"' for word in found[:MOST_WORDS]]
    finished = not words or words[-1].isspace()
    return " ".join(quoted) + ("*" if quoted and not finished else "")
