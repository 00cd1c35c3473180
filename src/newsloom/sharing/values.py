"""Values about saving articles to services elsewhere: read-later programs, bookmarks, webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from newsloom.kernel.ids import ArticleId, UserId

ShareServiceId = NewType("ShareServiceId", int)
ShareId = NewType("ShareId", int)


@dataclass(frozen=True, slots=True)
class ShareService:
    """A service to which a reader saves articles."""

    id: ShareServiceId
    user: UserId
    kind: str  # the name of one of sharing.services.SERVICES
    name: str  # what the reader calls it
    given: Mapping[str, str]  # its fields, secrets among them
    stars: bool  # whether what is starred is saved there by itself

    def __repr__(self) -> str:
        """Without what it is logged in with."""
        return f"ShareService({self.id}, {self.kind!r}, {self.name!r})"


@dataclass(frozen=True, slots=True)
class SharedArticle:
    """What a service is told of an article."""

    id: ArticleId
    url: str
    title: str
    source: str  # the title of its feed
    author: str
    published: datetime | None


@dataclass(frozen=True, slots=True)
class Share:
    """An article on its way to a service."""

    id: ShareId
    service: ShareService
    article: SharedArticle
    attempts: int  # that failed


@dataclass(frozen=True, slots=True)
class ShareState:
    """How it stands with one article and one service."""

    id: ShareId
    service: ShareServiceId
    article: ArticleId
    title: str
    state: str  # "waiting", "sent", "failed"
    at: datetime  # of the state; while it waits, when it is tried next
    error: str
