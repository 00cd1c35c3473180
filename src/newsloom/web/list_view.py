"""A page and the list it belongs to, as its address says: the only thing a redirect is made from.

Pure. A form carries it as text; what comes back is parsed into known parts and written anew,
so no text of a request becomes an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import ArticleId, EventId, FeedId
from newsloom.kernel.text.language import language
from newsloom.reading.service import cursors
from newsloom.reading.values.reading import AsOf, ListQuery, Order
from newsloom.reading.values.searching import Cursor, SearchOrder

# Ids are 64-bit integers in every database; a larger number names nothing.
LARGEST_ID = 2**63 - 1

PAGE_SIZE = 30
# Rows of a list that is shown again as it was, after "More" was pressed some times.
MOST_ROWS = 2_000
LONGEST_TEXT = 500

# How an address says "articles that name no language" (ISO 639).
NO_LANGUAGE = "und"

Kind = TypeVar("Kind", bound=StrEnum)


class Page(StrEnum):
    """The pages a form can lead back to."""

    LIST = "list"
    ARTICLE = "article"
    SEARCH = "search"
    WHY = "why"
    FEEDS = "feeds"
    FEED = "feed"
    SOURCES = "sources"
    STORIES = "stories"
    QUALITY = "quality"
    DIGEST = "digest"
    BRIEFS = "briefs"
    YOU = "you"
    COVERAGE = "coverage"
    SETTINGS = "settings"
    PREFERENCES = "preferences"
    HELP = "help"
    ACCOUNT = "account"
    ADMIN = "admin"
    LISTS = "lists"
    NOTIFICATIONS = "notifications"
    SHARING = "sharing"
    TAGS = "tags"
    HIGHLIGHTS = "highlights"
    ADDED = "added"
    WORDS = "words"
    RULES = "rules"
    BEGIN = "begin"


class Show(StrEnum):
    """Which articles of a list."""

    UNREAD = "unread"
    ALL = "all"
    STARRED = "starred"
    LIKED = "liked"
    LATER = "later"


class Within(StrEnum):
    """How old the articles of a list are at most."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


# What comes first where the address does not say. What was put aside is a queue: the oldest first.
USUAL_ORDERS = dict.fromkeys(Show, Order.RANKED) | {Show.LATER: Order.OLDEST}

SPANS = {
    Within.DAY: timedelta(days=1),
    Within.WEEK: timedelta(days=7),
    Within.MONTH: timedelta(days=30),
}

SPAN_NAMES: Mapping[timedelta | None, str] = {span: name.value for name, span in SPANS.items()}

# How an address says how fast articles expire.
LEVELS = frozenset({"1", "2", "3", "4", "5"})

# Random orders that are told apart.
MOST_SEEDS = 2**31


# Pages that are at the address of their name.
_OF_THEIR_OWN = frozenset(
    {
        Page.FEEDS,
        Page.SOURCES,
        Page.QUALITY,
        Page.DIGEST,
        Page.BRIEFS,
        Page.STORIES,
        Page.YOU,
        Page.COVERAGE,
        Page.PREFERENCES,
        Page.LISTS,
        Page.NOTIFICATIONS,
        Page.SHARING,
        Page.TAGS,
        Page.HIGHLIGHTS,
        Page.RULES,
        Page.BEGIN,
        Page.HELP,
        Page.ACCOUNT,
        Page.ADMIN,
    }
)


# Pages of one article, by what their addresses end in.
_OF_ARTICLES = {
    Page.ARTICLE: "",
    Page.WHY: "/why",
    Page.ADDED: "/added",
    Page.WORDS: "/words",
}


# What narrows a list beside its feed or category, and its value that lets everything through.
FILTERS: Mapping[str, Any] = {
    "language": None,
    "score": 0,
    "importance": 0,
    "sensitivity": None,
    "within": None,
    "cluster": None,
}

# What a list of each kind asks of the marks of its articles.
MARKS: Mapping[Show, Mapping[str, Any]] = {
    show: {
        "unread_only": show is Show.UNREAD,
        "starred_only": show is Show.STARRED,
        "liked_only": show is Show.LIKED,
        "later_only": show is Show.LATER,
    }
    for show in Show
}
_SHOWS = {tuple(marks.values()): show for show, marks in MARKS.items()}


@dataclass(frozen=True, slots=True)
class ListView(ListQuery):
    """One page with the list it belongs to: its query, as an address says it."""

    page: Page = Page.LIST
    shown: int = PAGE_SIZE  # rows that are shown by now, to the end of this page
    words: str = ""  # searched for
    sort: SearchOrder = SearchOrder.BEST  # of what was found
    article: ArticleId | None = None

    @property
    def show(self) -> Show:
        """Which articles of the list, by their marks."""
        return _SHOWS[self.unread_only, self.starred_only, self.liked_only, self.later_only]

    def query(self, limit: int | None = None) -> ListQuery:
        """The rows of this page, or so many from where it begins."""
        usual = self.shown if self.after is None else PAGE_SIZE
        return replace(self, limit=usual if limit is None else limit)

    def to(self, **changes: object) -> ListView:
        """The same list, seen otherwise, from its start and as it is now unless more is given.

        Another `show` keeps an order that was chosen, and takes none into a queue or out of one.
        """
        fresh: dict[str, object] = {"offset": 0, "shown": PAGE_SIZE, "after": None, "as_of": None}
        if "span" in changes:
            fresh["within"] = SPANS[Within(str(changes.pop("span")))]
        if "show" in changes:
            show = Show(str(changes.pop("show")))
            fresh |= MARKS[show]
            if show is Show.LATER or self.order == USUAL_ORDERS[self.show]:
                fresh["order"] = USUAL_ORDERS[show]
        return replace(self, **{**fresh, **changes})  # type: ignore[arg-type]

    @property
    def whole(self) -> ListView:
        """The same list from its top, with as many rows as are shown by now."""
        return replace(self, after=None)

    def more(self, after: Cursor) -> ListView:
        """The page of the list after this one."""
        return replace(self, after=after, shown=min(self.shown + PAGE_SIZE, MOST_ROWS))

    def open(self, article: int, page: Page = Page.ARTICLE) -> ListView:
        """An article of this list, or another of the pages about it."""
        return replace(self, page=page, article=ArticleId(article))

    def tag_url(self, name: str) -> str:
        """The address of everything with a tag."""
        there = self.to(page=Page.LIST, show=Show.ALL, feed=None, category=None, words="")
        return replace(there.wide, article=None, tag=name).url

    def front(self, show: str, span: str = "") -> ListView:
        """The list of all feeds in the same order."""
        within = SPANS[Within(span)] if span else None
        bare = {"page": Page.LIST, "feed": None, "category": None, "tag": None, "words": ""}
        return self.to(show=show, article=None, within=within, **bare)

    def open_url(self, article: int, below: str = "") -> str:
        """The address of an article of this list, or of what is `below` it, such as "/why"."""
        return f"/articles/{article}{below}{_at(self)}"

    def narrow_url(self, feed: int | None = None, category: str | None = None) -> str:
        """The address of this list for one feed or category alone."""
        # Few articles are starred or kept for later: of one feed or category, what is unread.
        show = Show.UNREAD if self.show in {Show.STARRED, Show.LATER} else self.show
        whole = {"page": Page.LIST, "words": "", "tag": None, "article": None}
        return self.to(feed=feed, category=category, show=show, **whole).url

    @property
    def narrowed(self) -> bool:
        """Whether the list is filtered by more than its feed or category."""
        return self != self.wide

    @property
    def wide(self) -> ListView:
        """The same list without those filters."""
        return replace(self, **FILTERS)

    @property
    def undrawn(self) -> bool:
        """Whether it is in a random order that must be drawn first."""
        by_chance = self.sort is SearchOrder.RANDOM if self.words else self.order is Order.RANDOM
        return by_chance and self.seed is None

    @property
    def listing(self) -> ListView:
        """The list or the search this page belongs to."""
        back = Page.SEARCH if self.words else Page.LIST
        return replace(self, page=back, article=None)

    @property
    @lru_cache(1_024)  # noqa: B019 - of values; a page has hundreds of addresses in one list
    def text(self) -> str:
        """All that differs from the front page; `parse` reads it."""
        page = "" if self.page == Page.LIST else str(self.page)
        parts = {"page": page, "article": str(self.article or ""), **self.list_parts()}
        return _with_query("", parts).removeprefix("?")

    @property
    def url(self) -> str:
        """The address, made of known parts only."""
        if self.page in _OF_ARTICLES and self.article is not None:
            return self.open_url(self.article, _OF_ARTICLES[self.page])
        if self.page == Page.SEARCH:
            parts = self.list_parts()
            kept = ("q", "sort", "seed", "rows", "after")
            return _with_query("/search", {name: parts[name] for name in kept})
        if self.page == Page.FEED and self.feed is not None:
            return f"/feeds/{self.feed}"
        if self.page in _OF_THEIR_OWN:
            return f"/{self.page}"
        return _with_query("/", self.list_parts())

    def list_parts(self) -> dict[str, str]:
        return {
            "show": "" if self.show == Show.UNREAD else str(self.show),
            "order": "" if self.order == USUAL_ORDERS[self.show] else str(self.order),
            "feed": str(self.feed or ""),
            "category": self.category or "",
            "tag": self.tag or "",
            "language": NO_LANGUAGE if self.language == "" else self.language or "",
            "score": f"{self.score:g}" if self.score else "",
            "importance": f"{self.importance:g}" if self.importance else "",
            "sensitivity": str(self.sensitivity or ""),
            "within": SPAN_NAMES.get(self.within, ""),
            "seed": "" if self.seed is None else str(self.seed),
            "with": str(self.cluster or ""),
            "offset": str(self.offset or ""),
            "rows": "" if self.shown == PAGE_SIZE else str(self.shown),
            "after": cursors.written(self.after) if self.after else "",
            "as": f"{self.as_of.event}-{self.as_of.arrival}" if self.as_of else "",
            "q": self.words,
            "sort": str(self.sort) if self.words and self.sort != SearchOrder.BEST else "",
        }


# A page has hundreds of addresses in one list: what they share is made once.


@lru_cache(1_024)
def _at(view: ListView) -> str:
    """The query that says to which list an article belongs."""
    return _with_query("", {"at": view.listing.text})


def parse(text: str) -> ListView:
    """A place as a form carried it."""
    return read(dict(parse_qsl(text[:4_000], max_num_fields=40)))


def read(parts: Mapping[str, str]) -> ListView:
    """A place out of an address's query. What is unknown is the default; a feed must be a number.

    Raises NotFound for a feed that cannot be one.
    """
    article = _number(parts.get("article", ""))
    cluster = _number(parts.get("with", ""))
    feed = _number(parts["feed"]) if parts.get("feed") else None
    if parts.get("feed") and not feed:
        raise NotFound("There is no such feed.")
    code = parts.get("language", "")
    level = parts.get("sensitivity", "")
    show = _choice(Show, parts.get("show", ""), Show.UNREAD)
    first, _, second = parts.get("as", "").partition("-")
    event, arrival = _number(first), _number(second)
    return ListView(
        page=_choice(Page, parts.get("page", ""), Page.LIST),
        **MARKS[show],
        order=_choice(Order, parts.get("order", ""), USUAL_ORDERS[show]),
        feed=None if feed is None else FeedId(feed),
        category=parts.get("category", "")[:LONGEST_TEXT].replace("\0", "") or None,
        tag=parts.get("tag", "")[:LONGEST_TEXT].replace("\0", "") or None,
        language="" if code == NO_LANGUAGE else (code and language(code)) or None,
        score=min(_number(parts.get("score", "")) or 0, 100),
        importance=min(_number(parts.get("importance", "")) or 0, 100),
        sensitivity=int(level) if level in LEVELS else None,
        within=SPANS[Within(span)] if (span := parts.get("within", "")) in set(Within) else None,
        seed=None if (seed := _number(parts.get("seed", ""))) is None else seed % MOST_SEEDS,
        cluster=ArticleId(cluster) if cluster else None,
        offset=_number(parts.get("offset", "")) or 0,
        shown=min(_number(parts.get("rows", "")) or PAGE_SIZE, MOST_ROWS),
        after=cursors.parse(after) if (after := parts.get("after")) else None,
        as_of=None if event is None or arrival is None else AsOf(EventId(event), arrival),
        words=" ".join(parts.get("q", "")[:LONGEST_TEXT].replace("\0", " ").split()),
        sort=_choice(SearchOrder, parts.get("sort", ""), SearchOrder.BEST),
        article=ArticleId(article) if article else None,
    )


def opened_beside(parts: Mapping[str, str]) -> ArticleId | None:
    """The article that an address of a list says is open beside it. Not a part of the list."""
    article = _number(parts.get("open", ""))
    return ArticleId(article) if article else None


def _choice(kind: type[Kind], text: str, default: Kind) -> Kind:
    return kind(text) if text in set(kind) else default


def _number(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= 19):
        return None
    number = int(text)
    return number if number <= LARGEST_ID else None


def _with_query(path: str, parts: Mapping[str, str]) -> str:
    query = urlencode([*filter(itemgetter(1), parts.items())])
    return f"{path}?{query}" if query else path
