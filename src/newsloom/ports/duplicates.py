"""The store as the duplicates stage and the pages of clusters see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from newsloom.types import ArticleId, Link, Unsigned, UserId


class OpenJudging(Protocol):
    """One open write transaction of the duplicates stage; what it sees cannot change under it."""


class ClusterStore(Protocol):
    """Signatures, links and clusters of originals."""

    def pending_signatures(self, version: str, limit: int) -> tuple[Unsigned, ...]:
        """Originals whose text has been read and not signed by that version, in order of id."""

    def judging(self) -> AbstractContextManager[OpenJudging]:
        """One write transaction; commits on a clean exit, else leaves nothing."""

    def cluster(self, article: ArticleId) -> tuple[ArticleId, ...]:
        """All originals of its cluster, itself among them; alone when it shares none."""

    def links(self, articles: Sequence[ArticleId]) -> tuple[Link, ...]:
        """Every decision about a pair with one of them in it, revisions too."""

    def separate(self, user: UserId, article: ArticleId, at: datetime) -> int:
        """Take an article out of its cluster: from how many others it was parted, for good.

        The pairs are remembered: no evidence joins them again until `rejoin`.
        """

    def rejoin(self, user: UserId, article: ArticleId) -> int:
        """Forget the separations of an article that this reader made; how many there were."""
