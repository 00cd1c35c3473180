"""Notes about articles: plain text, one for each article of a reader."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.annotations import Note

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

_PUT = text("""
    INSERT INTO article_notes (user_id, article_id, text, made_at, changed_at)
    SELECT s.user_id, s.article_id, CAST(:text AS TEXT), :now, :now FROM states s
    WHERE s.user_id = :user AND s.article_id = :article
    ON CONFLICT (user_id, article_id)
    DO UPDATE SET text = excluded.text, changed_at = excluded.changed_at
""")
_DROP = text("DELETE FROM article_notes WHERE user_id = :user AND article_id = :article")
_ONE = text("""
    SELECT article_id, text, changed_at FROM article_notes
    WHERE user_id = :user AND article_id = :article
""")
_ALL = text("""
    SELECT article_id, text, changed_at FROM article_notes WHERE user_id = :user
    ORDER BY changed_at DESC, article_id DESC
""")


class Notes(Aggregate):
    """Notes about articles."""

    def put_note(self, user: UserId, article: ArticleId, words: str, now: datetime) -> bool:
        """In the place of any before it; "" takes it away. Whether the reader has the article, or
        had a note."""
        put = _PUT if words else _DROP
        return self._change(put, user=user, article=article, text=words, now=now) > 0

    def note(self, user: UserId, article: ArticleId) -> Note | None:
        return self._one(
            _ONE,
            Note,
            user=user,
            article=article,
        )

    def notes(self, user: UserId) -> tuple[Note, ...]:
        """What was changed last first."""
        return self._rows(_ALL, Note, user=user)
