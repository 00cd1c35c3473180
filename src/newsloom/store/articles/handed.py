"""What stages were handed, so that a result of what has changed since is not kept. In memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from sqlalchemy import Connection

from newsloom.store.aggregate import Aggregate
from newsloom.store.articles.derived import article_texts, digests
from newsloom.types import ArticleId, ArticleText


class Handed(Aggregate):
    """Remembers, per stage, what tells the version of each article that was handed out.

    Between handing out and putting back, another process may poll and read a revision.
    """

    @cached_property
    def _handed(self) -> dict[str, Mapping[int, object]]:
        return {}

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
