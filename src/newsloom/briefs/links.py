"""Addresses of a brief's page and of podcasts, as mails and feeds hold them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.briefs.values import BriefId
from newsloom.digests.links import LEAVE

PODCASTS = "/podcasts/"


@dataclass(frozen=True, slots=True)
class BriefLinks:
    """Where Newsloom is reached from elsewhere, without a slash at the end; "": nowhere."""

    base: str = ""

    def page(self, brief: BriefId) -> str:
        """The page of a brief."""
        return f"{self.base}/briefs/{brief}" if self.base else ""

    def leave(self, token: str) -> str:
        """Where one click ends these mails (RFC 8058)."""
        return f"{self.base}{LEAVE}{token}" if self.base else ""

    def podcast(self, token: str, name: str = "feed.xml") -> str:
        """A podcast, or a file of it."""
        return f"{self.base}{PODCASTS}{token}/{name}"
