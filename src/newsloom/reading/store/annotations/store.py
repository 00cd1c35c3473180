"""`store.annotations`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, text

from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import ArticleId
from newsloom.reading.store.annotations.tags import Tags
from newsloom.reading.values.annotations import Highlight, HighlightId, Note, Selector

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId


# Highlighted words of articles. Where they stand is text.quotes' matter.

# "start" is a word of SQL in PostgreSQL's grammar.
_COLUMNS = 'id, article_id, exact, prefix, suffix, "start", note, made_at'
_ADD = text("""
    INSERT INTO highlights (user_id, article_id, exact, prefix, suffix, "start", note, made_at)
    SELECT s.user_id, s.article_id, CAST(:exact AS TEXT), CAST(:prefix AS TEXT),
        CAST(:suffix AS TEXT), CAST(:start AS INTEGER), CAST(:note AS TEXT), :now
    FROM states s WHERE s.user_id = :user AND s.article_id = :article
    RETURNING id
""")
_NOTE = text("UPDATE highlights SET note = :note WHERE user_id = :user AND id = :id")
_DROP_HIGHLIGHTS = text("DELETE FROM highlights WHERE user_id = :user AND id = :id")
_OF_ARTICLE = text(f"""
    SELECT {_COLUMNS} FROM highlights WHERE user_id = :user AND article_id = :article
    ORDER BY "start", id
""")  # noqa: S608
_ALL_HIGHLIGHTS = text(f"""
    SELECT {_COLUMNS} FROM highlights WHERE user_id = :user
    ORDER BY article_id DESC, "start", id
""")  # noqa: S608


def _highlight(row: Row[Any]) -> Highlight:
    return Highlight(
        HighlightId(row.id),
        ArticleId(row.article_id),
        Selector(row.exact, row.prefix, row.suffix, row.start),
        row.note,
        moment(row.made_at),
    )


# Notes about articles: plain text, one for each article of a reader.

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

_PUT_POSITION = text("""
    INSERT INTO playback_positions (user_id, article_id, url, seconds, at)
    SELECT s.user_id, s.article_id, CAST(:url AS TEXT), CAST(:seconds AS INTEGER), :now
    FROM states s WHERE s.user_id = :user AND s.article_id = :article
    ON CONFLICT (user_id, article_id, url)
    DO UPDATE SET seconds = excluded.seconds, at = excluded.at
""")


class AnnotationStore(Tags):
    """What one reader adds to articles: tags, notes, highlights, playback positions."""

    def put_position(
        self, user: UserId, article: ArticleId, url: str, seconds: int, now: datetime
    ) -> bool:
        """How far the reader listened to a file. Whether they have the article."""
        return (
            self._change(
                _PUT_POSITION, user=user, article=article, url=url, seconds=seconds, now=now
            )
            > 0
        )

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

    def add_highlight(
        self, user: UserId, article: ArticleId, words: Selector, note: str, now: datetime
    ) -> HighlightId | None:
        """Its number; None when the reader does not have the article."""
        values: dict[str, Any] = {
            "user": user,
            "article": article,
            "exact": words.exact,
            "prefix": words.prefix,
            "suffix": words.suffix,
            "start": words.start,
            "note": note,
            "now": micros(now),
        }
        with self.database.write() as connection:
            made: HighlightId | None = connection.scalar(_ADD, values)
            return made

    def note_highlight(self, user: UserId, number: HighlightId, note: str) -> bool:
        """Whether there is such a highlight."""
        return self._change(_NOTE, user=user, id=number, note=note) > 0

    def drop_highlight(self, user: UserId, number: HighlightId) -> bool:
        """Whether there was such a highlight."""
        return self._change(_DROP_HIGHLIGHTS, user=user, id=number) > 0

    def highlights(self, user: UserId, article: ArticleId | None = None) -> tuple[Highlight, ...]:
        """Of one article, or of all, the newest article first; each in the order of its text."""
        query = _ALL_HIGHLIGHTS if article is None else _OF_ARTICLE
        with self.database.read() as connection:
            rows = sql.fetch(connection, query, {"user": user, "article": article})
        return tuple(map(_highlight, rows))
