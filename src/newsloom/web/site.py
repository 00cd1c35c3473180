"""What all pages share: the reader, the templates, and how an answer is made. Holds no route."""

from __future__ import annotations

import copy
import hashlib
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment

from newsloom.accounts.key_values import USUAL_KEYS, keys_of
from newsloom.accounts.preference_values import LOOK, Preferences, scopes_of
from newsloom.accounts.service.account_service import Principal
from newsloom.accounts.service.preferences import preferences
from newsloom.app.reader import Reader
from newsloom.feeds.pages.refreshing import Fetching, ManualRefresh, fetching
from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.ranking.pages.topic_offers import TopicOffers
from newsloom.reading.pages.marking import HowFar, Marking
from newsloom.reading.service.saved_lists import saved
from newsloom.reading.values.annotations import Tag
from newsloom.reading.values.reading import Rows, Subscription
from newsloom.web.background_job import BackgroundJob
from newsloom.web.list_view import ListView, Page, parse
from newsloom.web.page_cache import PageCache
from newsloom.web.refilled import refilled
from newsloom.web.shared_activity import SharedActivity
from newsloom.web.templating import ICONS, KEYS, THEMES
from newsloom.web.toasts import Toast, said

if TYPE_CHECKING:
    from newsloom.app.reader import ReaderStatus
    from newsloom.digests.values import Digest
    from newsloom.feeds.service.feeds import Condition

VIA = "web"

# A cached page is used for this long: ages and scores change with time alone. A page shows minutes,
# so a few seconds make no difference.
SECONDS = 10

THEME_COOKIE = "newsloom-theme"

# How this browser groups lists, instead of the setting.
ROWS_COOKIE = "newsloom-rows"

# The time zone of the browser, which its first page notes. Times are made by the server: without
# JavaScript there is no cookie, and times are in UTC and say so.
ZONE_COOKIE = "newsloom-zone"
LONGEST_ZONE = 64


def today(now: datetime) -> datetime:
    """When the day began, in UTC: the date of a feed that has no entries yet."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


# `page_version` of what a page that is made now reads; None: of what is there now.
_VERSION: ContextVar[tuple[Hashable, Hashable] | None] = ContextVar("version", default=None)


@dataclass(frozen=True, slots=True)
class Category:
    """Feeds that the reader filed together."""

    name: str  # empty: feeds in no category
    unread: int
    feeds: tuple[Subscription, ...]


def by_category(subscriptions: tuple[Subscription, ...]) -> tuple[Category, ...]:
    """Feeds under their categories, as the reader put both, those without one last."""
    found: dict[str, list[Subscription]] = {}
    unread: dict[str, int] = {}
    placed = False
    for one in subscriptions:
        found.setdefault(one.category, []).append(one)
        unread[one.category] = unread.get(one.category, 0) + one.unread
        placed = placed or one.place > 0
    # Unless the reader made an order, names are as ever: as they are written.
    names = sorted(found, key=lambda name: (not name, "" if placed else name))
    return tuple([Category(name, unread[name], tuple(found[name])) for name in names])


@dataclass(frozen=True)
class PageFrame:
    """What no mark changes. Templates know the fields by their names, as those of PageChrome."""

    subscriptions: tuple[Subscription, ...]  # their unread counts are of before the last marks
    categories: tuple[Category, ...]  # theirs too
    tree: str  # another one once the feeds in the sidebar look otherwise
    fetching: Fetching
    icons: Mapping[FeedId, str]
    preferred: Preferences
    keymap: Mapping[str, tuple[str, ...]]
    saved: tuple[tuple[int, str, ListView], ...]  # number, name and list
    interests: tuple[str, ...]
    alerts: tuple[Condition, ...]  # of feeds that need the reader
    story_news: int


@dataclass(frozen=True)
class PageChrome(PageFrame):
    """As of one moment."""

    feed_counts: str  # unread articles of each feed, as 12:40 13:2
    status: ReaderStatus
    tags_beside: tuple[Tag, ...]
    later: int  # articles to be read later
    languages: tuple[str, ...]
    unread: int


@dataclass(slots=True)
class ChromeCache:
    """The last of one reader, by what the rows of their lists are. Used from any thread."""

    # From the last sidebar. A part of the page that is rendered again uses the same icons.
    icons: Mapping[FeedId, str] = field(default_factory=dict)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: USUAL_KEYS)
    frame: tuple[Hashable, PageFrame] | None = None  # with the version that it is of
    made: dict[Rows, tuple[Hashable, PageChrome]] = field(default_factory=dict)


def _frame(reader: Reader) -> PageFrame:
    subscriptions, preferred = reader.subscriptions(), preferences(reader)
    icons = subscribing.icons(reader, subscriptions)
    return PageFrame(
        subscriptions=subscriptions,
        categories=by_category(subscriptions),
        tree=_tree(reader, subscriptions, icons),
        fetching=fetching(subscriptions),
        icons=icons,
        preferred=preferred,
        keymap=keys_of(preferred.chosen),
        saved=tuple([(one.id, one.name, parse(one.place).listing) for one in saved(reader)]),
        interests=tuple([one.text for one in reader.interests()]),
        alerts=reader.feeds.alerts(),
        story_news=reader.store.stories.followed_news(reader.user),
    )


def _chrome(reader: Reader, frame: PageFrame) -> PageChrome:
    unread = reader.store.lists.unread_by_feed(reader.user)
    return PageChrome(
        **vars(frame),
        feed_counts="".join([f"{feed}:{count} " for feed, count in unread.items()]),
        status=reader.status(),
        tags_beside=reader.store.annotations.tags(reader.user),
        later=reader.store.lists.later(reader.user),
        languages=reader.store.lists.languages(reader.user),
        unread=reader.unread(),
    )


def _tree(
    reader: Reader, subscriptions: tuple[Subscription, ...], icons: Mapping[FeedId, str]
) -> str:
    shown = [
        (one.category, one.feed_id, one.label or one.url, icons.get(one.feed_id))
        + ((one.problem,) if one.failures or one.dead else ())
        for one in subscriptions
    ]
    return hashlib.sha256(repr((reader.user, shown)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class News:
    """What a page tells of what goes on meanwhile."""

    fetching: Fetching
    marking: HowFar
    working: bool  # something changes that the page shows
    fetched: bool = False  # the page showed how feeds are fetched, and now all are
    arrived: int = 0  # rows of the list that came since it was shown
    fresh: ListView | None = None  # the list with them


def _reader_id(reader: Reader) -> str:
    """What tells a browser whether pages it has kept are of the same reader: an id that says
    nothing else, and is another one in another store."""
    since = reader.store.users.user_since(reader.user)
    return hashlib.sha256(f"{reader.user} {since}".encode()).hexdigest()[:20]


class Site:
    """The pages of one reader."""

    def __init__(
        self, reader: Reader, templates: Environment, pages: PageCache | None = None
    ) -> None:
        self.reader = reader
        self.job = BackgroundJob(reader.now, SharedActivity(reader, "model"))
        self.briefing = BackgroundJob(reader.now, SharedActivity(reader, "brief"))
        self.installing = BackgroundJob(reader.now, SharedActivity(reader, "voice"))
        self.marking = Marking(reader, VIA, shared=SharedActivity(reader, "marking"))
        self.refreshes = ManualRefresh(SharedActivity(reader, "asked"))
        self.page_cache = pages or PageCache()
        self.templates = templates
        self._chrome = ChromeCache()
        self.reader_id = cache(partial(_reader_id, reader))  # asked of the store once
        self.topic_offers = TopicOffers()
        self.digests: dict[Hashable, Digest] = {}  # made for a page lately, by what was asked for

    def finish(self) -> None:
        """Wait until what requests started here is done."""
        for one in (self.job, self.briefing, self.installing, self.marking):
            one.finish()

    def by_rows(self, rows: Rows) -> Site:
        """The same pages, whose lists have such rows; what goes on in them is shared."""
        other = copy.copy(self)
        other.reader = self.reader.by_rows(rows)
        return other

    def now(self, request: Request) -> datetime:
        """The time, in the zone that the request's pages tell times in."""
        zone = zone_named(unquote(request.cookies.get(ZONE_COOKIE, "")))
        return self.reader.now().astimezone(zone)

    def page_version(self) -> tuple[Hashable, Hashable]:
        """The version of everything that pages show: the store, work in progress, and the time; and
        of what no mark changes. Two requests for one address get the same page if their versions
        are equal."""
        token, unmarked = self.reader.store.database.change_token(self.reader.user)
        moment = int(self.reader.now().timestamp()) // SECONDS
        shown = token, self.reader.activity(), self.marking.how_far, moment
        return shown, (unmarked, moment)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that a page reads in the block is of one moment, in one transaction."""
        # Of before it: a version read within could be newer than what the transaction sees.
        version = _VERSION.set(self.page_version())
        try:
            with self.reader.store.database.snapshot():
                yield
        finally:
            _VERSION.reset(version)

    def chrome(self) -> PageChrome:
        """What surrounds a page now: as it was made, if nothing changed since."""
        # Of before it is read, so that what changes meanwhile is not in it.
        version, unmarked = _VERSION.get() or self.page_version()
        last, rows = self._chrome, self.reader.rows
        chrome = last.made.get(rows)
        if chrome is None or chrome[0] != version:
            frame = last.frame
            if frame is None or frame[0] != unmarked:
                frame = last.frame = unmarked, _frame(self.reader)
                last.icons, last.keys = frame[1].icons, frame[1].keymap
            chrome = last.made[rows] = version, _chrome(self.reader, frame[1])
        return chrome[1]

    def news(self, chrome: PageChrome) -> News:
        """What goes on meanwhile."""
        marking = self.marking.how_far
        working = chrome.fetching.under_way or chrome.status.behind or bool(marking.doing)
        return News(chrome.fetching, marking, working)

    def fragment(self, template: str, **facts: object) -> str:
        icons, keys = ICONS.set(self._chrome.icons), KEYS.set(self._chrome.keys)
        try:
            return self.templates.get_template(template).render(**facts)
        finally:
            ICONS.reset(icons)
            KEYS.reset(keys)

    def page(
        self,
        request: Request,
        template: str,
        place: ListView,
        *,
        status: int = 200,
        **facts: object,
    ) -> HTMLResponse:
        """A whole page, with the feeds and counts around it. Where it refuses a form, the form has
        what was typed."""
        chrome = self.chrome()
        query_params = request.query_params
        toast = facts.pop("toast", None)
        if toast is None and "did" in query_params:
            toast = said(query_params["did"], query_params.get("n", ""))
        listed = place.feed and [one for one in chrome.subscriptions if one.feed_id == place.feed]
        body = self.fragment(
            template,
            place=place,
            subscription=listed[0] if listed else None,
            theme=theme_of(request),
            whose=self.reader_id(),
            look=chrome.preferred.value(LOOK, *scopes_of(place.feed, place.category)),
            zone=self.now(request).tzinfo,
            row_kind=self.reader.rows,
            news=self.news(chrome),
            # By a model or interests of the reader: scores mean something.
            ranked=chrome.status.personal or bool(chrome.interests),
            toast=toast or Toast(),
            visitor=request.state.visitor,
            **{**vars(chrome), **facts},
        )
        sent = getattr(request, "_form", None)  # read by FastAPI, for the handler's parameters
        if status >= 400 and sent:
            typed = [(name, value) for name, value in sent.multi_items() if isinstance(value, str)]
            body = refilled(body, request.url.path, typed)
        return HTMLResponse(body, status_code=status)

    def part(
        self, request: Request, template: str, place: ListView, **facts: object
    ) -> HTMLResponse:
        """What a page shows, without the page around it."""
        theme, kind = theme_of(request), self.reader.rows
        return HTMLResponse(
            self.fragment(template, place=place, theme=theme, row_kind=kind, **facts)
        )


class Sites:
    """The site of each reader, made when they first come. Nothing in one is of another."""

    def __init__(self, first: Site, reader_of: Callable[[UserId], Reader]) -> None:
        self.shared = first
        self._reader_of = reader_of
        self._lock = threading.Lock()
        self._made: dict[UserId, Site] = {}

    def of(self, principal: Principal) -> Site:
        if not principal.name:
            return self.shared  # nobody has an account: of who reads here
        user = principal.user
        with self._lock:
            if user not in self._made:
                self._made[user] = Site(
                    self._reader_of(user), self.shared.templates, self.shared.page_cache
                )
            return self._made[user]

    def reader(self, user: UserId) -> Reader | None:
        """Whose lists a secret address is of; None where that is nobody who reads here."""
        found = self.shared.reader if user == self.shared.reader.user else self._reader_of(user)
        return found if found.user == user else None

    def forget(self, user: UserId) -> None:
        """A user is gone."""
        with self._lock:
            self._made.pop(user, None)


async def site_of(request: Request) -> Site:
    """The site of who asks, with the rows that the browser chose.

    Raises NotFound where that is nobody: no such route may be open.
    """
    sites: Sites = request.app.state.sites
    visitor = request.state.visitor
    if visitor is None:
        raise NotFound("This page does not exist.")
    site = sites.of(visitor)
    chosen = request.cookies.get(ROWS_COOKIE, "")
    return site.by_rows(Rows(chosen)) if chosen in set(Rows) else site


async def site_of_nobody(request: Request) -> Site:
    """For routes that are open: templates and the store, and nobody's reading."""
    sites: Sites = request.app.state.sites
    return sites.shared


Here = Annotated[Site, Depends(site_of)]
Nobody = Annotated[Site, Depends(site_of_nobody)]


def theme_of(request: Request) -> str:
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else "auto"


@lru_cache(maxsize=64)
def zone_named(name: str) -> tzinfo:
    """The zone of that name; UTC when there is none, or none that this machine knows."""
    if not name or len(name) > LONGEST_ZONE:
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # a folder; a path; unknown
        return UTC


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


def go(view: ListView, did: str = "", count: int = 0, row: ArticleId | None = None) -> Response:
    """Post, redirect, get: to a place of ours, or a row there, saying what was done."""
    extra = {"did": did, "n": str(count) if count else ""}
    # Only a list as of a moment, or a search, surely has the row still.
    has_it = view.page is Page.SEARCH or (view.page is Page.LIST and view.as_of is not None)
    there = f"#a{row}" if row is not None and has_it else ""
    url = view.url
    if words := "&".join(f"{name}={value}" for name, value in extra.items() if value):
        url += ("&" if "?" in url else "?") + words
    return RedirectResponse(url + there, status_code=303)


def bare(page: Page) -> ListView:
    """A page that belongs to no list."""
    return ListView(page=page)
