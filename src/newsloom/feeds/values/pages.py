"""What is fetched besides feeds: icons of sites, rules for robots, pages of articles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newsloom.kernel.ids import ArticleId, FeedId


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


# Problems of pages that have text.
NO_LONGER = "the page has no more text than the feed"
OTHER_TEXT = "the page has a different text"


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


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a worker says of a page that was fetched. Shares are 0..1."""

    text: str = ""  # of the article in it, cut; "" when there is none
    characters: int = 0  # of the whole text
    words: int = 0
    unique_words: float = 0.0  # share of words that are different
    links: float = 0.0  # share of characters in links
    short_lines: float = 0.0  # share of lines with fewer than four words
    boilerplate: float = 0.0  # share of lines that only a page has, and no article
    style_marks: int = 0  # rules of style sheets and pieces of scripts
    paywall_marks: int = 0
    ends_at_paywall: bool = False  # its last words ask to pay or to sign up to read on
    login_marks: int = 0
    cookie_marks: int = 0
    unavailable_marks: int = 0
    title: str = ""
    canonical: str = ""  # as the page says, absolute
    opening: str = ""  # the first words of the whole page, where there is no article
    html: str = ""  # of the article in it, whole, links absolute
    problem: str = ""  # why there is none
    led_to: str = ""  # the address it was redirected to; "" without a redirect
