"""What all pages share: the reader, the templates, and how an answer is made. Holds no route."""

from __future__ import annotations

import copy
import hashlib
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from newsloom.accounts.key_values import KEY_ACTIONS, USUAL_KEYS
from newsloom.accounts.preference_values import (
    AHEAD,
    AHEAD_PICTURES,
    LIST_PICTURES,
    LOOK,
    LOOKS,
    MORE,
    PASSED,
    SWIPE_LEFT,
    SWIPE_RIGHT,
    scopes_of,
)
from newsloom.accounts.service.account_service import Principal
from newsloom.app.reader import Reader
from newsloom.articles.publishers import domain_name
from newsloom.duplicates.pages import share_words
from newsloom.feeds.pages.refreshing import Fetching, ManualRefresh
from newsloom.feeds.schedule import pace_words
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.ranking.pages.topic_offers import TopicOffers
from newsloom.reading.pages.marking import HowFar, Marking
from newsloom.reading.pages.row_cache import row_cache
from newsloom.reading.values.reading import Rows
from newsloom.web import wording
from newsloom.web.background_job import BackgroundJob
from newsloom.web.escaping import Escaping, called, put_under, written
from newsloom.web.list_view import ListView, Page, Show
from newsloom.web.page_cache import PageCache, spell
from newsloom.web.page_chrome import ChromeCache, PageChrome
from newsloom.web.refilled import refilled
from newsloom.web.shared_activity import SharedActivity
from newsloom.web.toasts import Toast, said
from newsloom.web.zone import zone_of

if TYPE_CHECKING:
    from newsloom.digests.values import Digest

# Templates are compiled once in a process, however many applications are made in it.


class Compiled(BytecodeCache):
    """Templates compiled in this process, for further applications below the same path: Jinja may
    fold an address and its path into one constant."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


@cache
def compiled(_path: str) -> Compiled:
    """Those of the applications below a path."""
    return Compiled()


VIA = "web"

# New rows of a list are counted no further.
MOST_COUNTED = 1_000

HERE = Path(__file__).parent
STATIC = HERE / "static"

# The colours of pages; those of one scheme say which it is, the others go with the system.
THEMES = ("auto", "light", "dark", "sepia", "contrast")
_SCHEMES = {"light": "light", "dark": "dark", "sepia": "light"}
THEME_COOKIE = "newsloom-theme"

# How this browser groups lists, instead of the setting.
ROWS_COOKIE = "newsloom-rows"
ROW_KINDS = (
    ("Story", Rows.STORY, "All articles of a story, over days"),
    ("Event", Rows.CLUSTER, "All reports of one event"),
    ("Text", Rows.TEXT, "Copies of one text"),
    ("Article", Rows.ARTICLE, "No grouping"),
)

WAYS_TO_LIST = (
    ("Unread", Show.UNREAD),
    ("Starred", Show.STARRED),
    ("Read later", Show.LATER),
    ("Liked", Show.LIKED),
    ("All", Show.ALL),
)
# The pages under Settings, in which its link is current.
SETTINGS_PAGES = frozenset(
    {
        Page.SETTINGS, Page.FEEDS, Page.FEED, Page.SOURCES, Page.QUALITY, Page.COVERAGE,
        Page.YOU, Page.RULES, Page.PREFERENCES, Page.HELP, Page.SHARING,
        Page.NOTIFICATIONS,
        Page.ACCOUNT, Page.ADMIN,
    }
)  # fmt: skip


# Orders of a list besides "For you" and "Newest", by what they are called while one holds.
OTHER_ORDERS = {"important": "Important", "oldest": "Oldest", "random": "Shuffled"}


def today(now: datetime) -> datetime:
    """When the day began, in UTC: the date of a feed that has no entries yet."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


@cache
def stamped(folder: Path) -> Mapping[str, str]:
    """Static files by name, with their content's hash in the address so they can be kept."""
    return {
        name: f"/static/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for name in [file.relative_to(folder).as_posix()]
    }


# The icons of the page that is being made, and the keys of its reader.
_ICONS: ContextVar[Mapping[FeedId, str]] = ContextVar("icons", default=MappingProxyType({}))
_KEYS: ContextVar[Mapping[str, tuple[str, ...]]] = ContextVar("keys", default=USUAL_KEYS)
# Of what a page that is made now reads, with marks and without; None: of what is there now.
_VERSION: ContextVar[tuple[Hashable, Hashable] | None] = ContextVar("version", default=None)


class _Templates(Environment):
    code_generator_class = Escaping
    written = staticmethod(written)
    called: Any = staticmethod(called)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Those of all templates, as one dictionary: of each row Jinja copies it, and would copy
        its own map of two maps name by name. None of our templates has globals of its own."""
        return super().make_globals(d) if d else self.globals


def environment(path: str, thumbnail: Callable[[str], str]) -> Environment:
    """The templates of one application, whose addresses stand under a path. `thumbnail` gives the
    address of a small picture, or none. Compiled once for all readers."""
    templates = _Templates(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=compiled(path),
    )
    templates.filters["grouped"] = "{:,}".format
    static = stamped(STATIC)
    templates.globals.update(
        static=static.__getitem__,
        count_words=wording.count_words,
        domain_name=domain_name,
        of_needed=wording.of_needed,
        share_words=share_words,
        web_address=wording.web_address,
        clean=wording.clean,
        clock_words=wording.clock_words,
        pace_words=pace_words,
        initial=wording.initial,
        most_counted=MOST_COUNTED,
        themes=THEMES,
        schemes=_SCHEMES,
        looks=LOOKS,
        list_pictures=LIST_PICTURES,
        more_rows=MORE,
        ahead=AHEAD,
        ahead_pictures=AHEAD_PICTURES,
        passed_rows=PASSED,
        swipes={"right": SWIPE_RIGHT, "left": SWIPE_LEFT},
        ways_to_list=WAYS_TO_LIST,
        settings_pages=SETTINGS_PAGES,
        other_orders=OTHER_ORDERS,
        row_kinds=ROW_KINDS,
        icon_of=_icon_of,
        thumbnail=thumbnail,
        key_actions=KEY_ACTIONS,
        hint=_hint,
    )
    templates.globals.update(row_cache(templates, _icon_of, _KEYS))
    put_under(templates, path)
    # A page has thirty.
    templates.globals["icon"] = cache(vars(templates.get_template("_icons.html").module)["icon"])
    return templates


def _icon_of(feed: int) -> str:
    """Its address, among those of the page that is made now."""
    return _ICONS.get().get(FeedId(feed), "")


def _hint(action: str) -> str:
    """The first key of an action, as the title of a button ends; "" when it has none."""
    keys = _KEYS.get()[action]
    return f" ({keys[0]})".replace("(A)", "(Shift+A)") if keys else ""


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
        self.page_cache = pages or PageCache(reader.now)
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
        return self.reader.now().astimezone(zone_of(request))

    def what_changes(self) -> Hashable:
        """All that a page shows besides what it was asked for and the time."""
        token = self.reader.store.database.change_token(self.reader.user)
        return token, self.reader.activity(), self.marking.how_far

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that a page reads in the block is of one moment, in one transaction."""
        # Of before it: a version read within could be newer than what the transaction sees.
        version = _VERSION.set(self._version())
        try:
            with self.reader.store.database.snapshot():
                yield
        finally:
            _VERSION.reset(version)

    def chrome(self) -> PageChrome:
        """What surrounds a page now."""
        return self._chrome.of(self.reader, *(_VERSION.get() or self._version()))

    def _version(self) -> tuple[Hashable, Hashable]:
        moment = spell(self.reader.now())
        unmarked = self.reader.store.database.change_token(self.reader.user, marks=False)
        return (self.what_changes(), moment), (unmarked, moment)

    def news(self, chrome: PageChrome) -> News:
        """What goes on meanwhile."""
        marking = self.marking.how_far
        working = chrome.fetching.under_way or chrome.status.behind or bool(marking.doing)
        return News(chrome.fetching, marking, working)

    def offered_topics(self, enough: int | None = None) -> list[str]:
        """Topics that can be interests; none to who has so many, or has a model of their own."""
        chrome = self.chrome()
        if chrome.status.personal or (enough is not None and len(chrome.interests) >= enough):
            return []
        return self.topic_offers.of(self.reader, chrome.interests)

    def fragment(self, template: str, **facts: object) -> str:
        icons, keys = _ICONS.set(self._chrome.icons), _KEYS.set(self._chrome.keys)
        try:
            return self.templates.get_template(template).render(**facts)
        finally:
            _ICONS.reset(icons)
            _KEYS.reset(keys)

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
            zone=zone_of(request),
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
