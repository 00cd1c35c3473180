"""The store as the duplicates stage and the pages of clusters see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from newsloom.types import ArticleId, Link, Signed, Unsigned, UserId, Witness

Pairs = Sequence[tuple[ArticleId, ArticleId]]
Keys = Sequence[int]  # of all layers, 64-bit


class OpenJudging(Protocol):
    """One open write transaction of the duplicates stage; what it sees cannot change under it."""

    def put(self, signed: Sequence[Signed]) -> Sequence[ArticleId]:
        """Keep those whose text is still what was signed and that nobody signed since: which.

        Of one signed before, the keys and the links go.
        """

    def left(self) -> Sequence[ArticleId]:
        """Who may have hung together only by links that went: to be judged again."""

    def pairs(self, keys: Mapping[ArticleId, Keys]) -> Pairs:
        """Each article with those signed that share a key, most keys first; then keeps the keys.

        Of a key that very many share, the last of them are looked at.
        """

    def packed(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, bytes]:
        """Signatures as they were put."""

    def leads(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, tuple[str, str]]:
        """Titles and first parts of texts."""

    def entities(
        self, maker: str, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, frozenset[str]]:
        """What that maker found in the present texts; those it has not looked at are absent."""

    def put_entities(self, maker: str, found: Mapping[ArticleId, frozenset[str]]) -> None: ...

    def places(
        self, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, tuple[ArticleId, ArticleId]]:
        """Cluster and text of those that share one."""

    def link(self, links: Sequence[Link], at: datetime) -> int:
        """Keep decisions and bring the clusters to what all say: how many came into one."""

    def read_along(self) -> None:
        """Make what was first put here read for everyone who has read another copy of the text.

        What a reader has starred or rated stays as it is.
        """


class SigningStore(Protocol):
    """What the duplicates stage works on."""

    def pending_signatures(
        self, version: str, *, texts: str, limit: int, after: int = 0
    ) -> tuple[Unsigned, ...]:
        """Originals not signed by that version whose text that maker read, in order of id."""

    def judging(self, version: str) -> AbstractContextManager[OpenJudging]:
        """One write transaction for what that version signed; commits on a clean exit."""


class ClusterStore(Protocol):
    """Links and clusters of originals, for pages."""

    def has(self, user: UserId, article: ArticleId) -> bool:
        """Whether the reader has an article, under its own number or a copy's."""

    def cluster(self, article: ArticleId) -> tuple[ArticleId, ...]:
        """All originals of its cluster, itself among them; alone when it shares none."""

    def links(self, articles: Sequence[ArticleId]) -> tuple[Link, ...]:
        """Every decision about a pair with one of them in it, revisions too."""

    def witnesses(self, user: UserId, article: ArticleId) -> tuple[Witness, ...]:
        """Who tells of it: the reader's articles of its cluster, itself among them."""

    def separate(self, user: UserId, article: ArticleId, at: datetime) -> int:
        """Take an article out of its cluster: from how many others it was parted, for good.

        A merged copy becomes an article of its own. The pairs are remembered: no evidence joins
        them again until `rejoin`.
        """

    def rejoin(self, user: UserId, article: ArticleId) -> int:
        """Forget the separations of an article that this reader made; how many there were."""
