"""Addresses of a digest's pages, as mails and feeds hold them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.ids import ArticleId, DigestId

LEAVE = "/digest/leave/"
FEED = "/digest/feed/"


@dataclass(frozen=True, slots=True)
class Links:
    """Where Newsloom is reached from elsewhere, without a slash at the end; "": nowhere."""

    base: str = ""

    def digest(self, digest: DigestId) -> str:
        """The page of a digest."""
        return f"{self.base}/digest/{digest}" if self.base else ""

    def article(self, digest: DigestId, article: ArticleId) -> str:
        """A topic in the page of its digest, where a person can rate it. To open it teaches
        nothing: the link scanner of a mail server does that too."""
        return f"{self.base}/digest/{digest}#article-{article}" if self.base else ""

    def page(self, path: str) -> str:
        """The page of a story or a thread, by its path."""
        return f"{self.base}{path}" if self.base and path else ""

    def leave(self, token: str) -> str:
        """Where one click ends these mails (RFC 8058)."""
        return f"{self.base}{LEAVE}{token}" if self.base else ""

    def feed(self, token: str) -> str:
        """The Atom feed of a reader's digests."""
        return f"{self.base}{FEED}{token}"
