"""What is fetched besides feeds: icons of sites, rules for robots, pages of articles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newsloom.types.ids import ArticleId, FeedId


@dataclass(frozen=True, slots=True)
class FollowedSite:
    """A feed that answers, for its site's icon."""

    url: str
    site_url: str = ""
    image: str = ""  # as the feed names it


@dataclass(frozen=True, slots=True)
class SiteIcon:
    """What asking a site for its icon came to; also that there is none."""

    site: str  # text.icons.site_key of the feed's home page
    url: str  # that was asked
    at: datetime
    etag: str = ""
    last_modified: str = ""
    validated_url: str = ""  # whose these two are, after redirects
    type: str = ""  # one of text.pictures; empty: there is none
    tag: str = ""  # changes with the picture
    body: bytes = b""
    problem: str = ""
    tries: int = 1  # with nothing to show for it, in a row


@dataclass(frozen=True, slots=True)
class KnownRobots:
    """The robots.txt of one site, as last seen."""

    site: str  # scheme and authority
    at: datetime
    status: int  # 0: there was no answer
    body: str = ""
    page_at: datetime | None = None  # when a page of it was asked for last


@dataclass(frozen=True, slots=True)
class WantedPage:
    """An article whose full text is asked for: where its page is."""

    article_id: ArticleId
    feed_id: FeedId
    url: str
    title: str = ""
    tries: int = 0  # before this one


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What asking for an article's page came to."""

    article_id: ArticleId
    url: str
    at: datetime
    tries: int
    html: str = ""  # the article taken out of it, links absolute; empty: nothing was
    length: int = 0  # visible characters of it
    problem: str = ""
    next_at: datetime | None = None  # None: never again
