"""What following and muting a story does to the lists of articles. SQL only."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from newsloom.kernel.db import producers
from newsloom.kernel.db.sql import CHUNK, many, rows_of
from newsloom.kernel.ids import ArticleId, UserId

# Scored anew: the raise of a followed story is part of a score. Those of stories that nobody
# follows any more too: a stand is kept, as 0.
_RESCORE = many(f"""
    UPDATE states SET scored_by = {producers.NOBODY}
    WHERE scored_by <> {producers.NOBODY} AND EXISTS (
        SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
        WHERE m.article_id = states.article_id AND r.user_id = states.user_id
        AND m.story_id IN :ids
    )
""")  # noqa: S608
# As what was read elsewhere is: what a reader marked stays as it is.
_MUTE = many("""
    UPDATE states SET read = TRUE
    WHERE read = FALSE AND starred = FALSE AND rating = 0 AND later = FALSE AND EXISTS (
        SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
        WHERE m.article_id = states.article_id AND r.user_id = states.user_id
        AND m.story_id IN :ids AND r.stand < 0
    )
""")
_KNOWN = many("SELECT DISTINCT story_id FROM story_readers WHERE story_id IN :ids")
_FOLLOWED = many("""
    SELECT m.article_id FROM story_members m JOIN story_readers r ON r.story_id = m.story_id
    WHERE m.article_id IN :ids AND r.user_id = :user AND r.stand > 0
""")


def tell_lists(connection: Connection, stories: Sequence[int]) -> None:
    """Stories have other articles, or readers stand to them otherwise."""
    known = [row.story_id for row in rows_of(connection, _KNOWN, stories)]
    for start in range(0, len(known), CHUNK):
        values = {"ids": known[start : start + CHUNK]}
        connection.execute(_RESCORE, values)
        connection.execute(_MUTE, values)


def followed(
    connection: Connection, user: UserId, articles: Sequence[ArticleId]
) -> frozenset[ArticleId]:
    """Those of the articles that are of stories the reader follows."""
    rows = rows_of(connection, _FOLLOWED, articles, user=user)
    return frozenset(ArticleId(row.article_id) for row in rows)
