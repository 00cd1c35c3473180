"""What stages were handed, so that a result of what has changed since is not kept. In memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from newsloom.store.derived import article_texts, digests
from newsloom.store.engine import Database
from newsloom.types import ArticleId, ArticleText


class Handed:
    """Remembers, per stage, what tells the version of each article that was handed out.

    Between handing out and putting back, another process may poll and read a revision.
    """

    database: Database
    _handed: dict[str, Mapping[int, object]]

    def hand_out(
        self, connection: Connection, stage: str, ids: Sequence[int]
    ) -> tuple[ArticleText, ...]:
        """The texts of those articles, remembered as they are now."""
        self.remember(stage, digests(connection, ids))
        found = article_texts(connection, ids)
        return tuple(found[one] for one in ids)

    def remember(self, stage: str, versions: Mapping[int, object]) -> None:
        self._handed[stage] = versions

    def still(
        self, stage: str, ids: Sequence[ArticleId], present: Mapping[int, object]
    ) -> set[int]:
        """Those that are still what was handed out."""
        handed = self._handed.pop(stage, {})
        return {one for one in ids if handed.get(one, present.get(one)) == present.get(one)}
