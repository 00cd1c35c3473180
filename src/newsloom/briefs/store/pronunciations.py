"""How readers want words to be spoken."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, insert, select

from newsloom.briefs.store.tables import pronunciations
from newsloom.briefs.values.pronouncing import Pronunciation
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import UserId

_WORDS = pronunciations.c


class Pronunciations(Aggregate):
    """How readers want words to be spoken."""

    def pronunciations(self, user: UserId) -> tuple[Pronunciation, ...]:
        """A reader's, by language and word."""
        query = (
            select(pronunciations)
            .where(_WORDS.user_id == user)
            .order_by(_WORDS.language, _WORDS.written)
        )
        return self._rows(query, Pronunciation)

    def put_pronunciation(self, user: UserId, wanted: Pronunciation) -> None:
        """Keep one, in the place of another of the same word and language."""
        with self.database.write() as connection:
            connection.execute(
                delete(pronunciations).where(_this(user, wanted.language, wanted.written))
            )
            connection.execute(
                insert(pronunciations).values(
                    user_id=user,
                    language=wanted.language,
                    written=wanted.written,
                    spoken=wanted.spoken,
                )
            )

    def drop_pronunciation(self, user: UserId, language: str, written: str) -> bool:
        """Whether it was there."""
        gone = delete(pronunciations).where(_this(user, language, written))
        return self._change(gone) > 0


def _this(user: UserId, language: str, written: str) -> ColumnElement[bool]:
    return (_WORDS.user_id == user) & (_WORDS.language == language) & (_WORDS.written == written)
