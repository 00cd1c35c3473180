"""What all pages share: the reader, the templates, and how an answer is made. Holds no route."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newsloom.reader import Reader, ReaderStatus
from newsloom.schedule import pace_words
from newsloom.types import ArticleId, EventKind, Rows, Subscription
from newsloom.web import wording
from newsloom.web.background_job import BackgroundJob
from newsloom.web.cluster_view import share_words
from newsloom.web.fetching import Fetching, fetching
from newsloom.web.marking import HowFar, Marking
from newsloom.web.place import Page, Place, Show
from newsloom.web.zone import zone_of

VIA = "web"

# New rows of a list are counted no further.
MOST_COUNTED = 1_000

HERE = Path(__file__).parent
STATIC = HERE / "static"

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "newsloom-theme"

# What a browser chose as the rows of its lists, in place of the setting.
ROWS_COOKIE = "newsloom-rows"
ROW_KINDS = (
    ("Story", Rows.STORY, "All that is told of one matter over days"),
    ("Event", Rows.CLUSTER, "All reports of one event"),
    ("Text", Rows.TEXT, "Copies of one text"),
    ("Article", Rows.ARTICLE, "Nothing is put together"),
)

# What a step is called once it is done: (one article, several).
DONE = {
    EventKind.READ: ("Marked read", "{} articles marked read"),
    EventKind.UNREAD: ("Marked unread", "{} articles marked unread"),
    EventKind.LIKE: ("Liked", "{} articles liked"),
    EventKind.DISLIKE: ("Disliked", "{} articles disliked"),
    EventKind.UNRATE: ("Rating taken back", "{} ratings taken back"),
    EventKind.STAR: ("Starred", "{} articles starred"),
    EventKind.UNSTAR: ("Star removed", "{} stars removed"),
    EventKind.SKIPPED: ("Passed over", "{} articles passed over"),
}

# Steps that undo does not take back, by the name a redirect carries.
SAID = {
    "added": "You follow this feed now.",
    "known": "You follow this feed already.",
    "edited": "Saved.",
    "removed": "You no longer follow this feed.",
    "returned": "You follow it again, as before.",
    "clearing": "They are being marked read; this goes on by itself.",
    "undoing": "It is being taken back; this goes on by itself.",
    "asked": "It is asked now; what is new is here in a moment.",
    "askedall": "Feeds asked now: {}. What is new comes in within minutes.",
    "askedsome": "Feeds asked now: {}. The others were asked a moment ago, or are left alone.",
    "askednone": "Nothing to ask: all were asked a moment ago, or are left alone for a while.",
    "letin": "It is let in: {} articles new or changed.",
    "keptout": "It is kept out, and not asked any more.",
    "unmoved": "Its address is the former one again, and stays that.",
    "imported": "{} new feeds. They are fetched in the next few minutes.",
    "interest": "Noted. The order follows within a minute.",
    "forgotten": "Removed.",
    "scheduled": "It is made from now on, and stands on this page then.",
    "training": "It trains now; this page says when it is done.",
    "measuring": "It is measured now; this page says when it is done.",
    "busy": "One thing at a time: the last is not done yet.",
    "back": "Gone back. The order follows within a minute.",
    "halving": "Saved. The order is the new one already.",
    "lapsed": "Forgotten: {} likes, dislikes and the like teach nothing any more.",
    "remembered": "It teaches again.",
    "undone": "Taken back.",
    "covering": "It is looked for now; what is found stands on this page in a minute or two.",
    "covered": "It was looked for a few hours ago.",
    "coverageon": "On: from now on news searches are asked.",
    "coverageoff": "Off: nothing is sent to anyone any more.",
    "notthesame": "It is not shown any more.",
    "split": "They are apart now, and stay apart.",
    "rejoined": "That is forgotten; what speaks for them counts again.",
    "parted": "They are apart now, and stay apart.",
    "merged": "They are one story now, and stay that.",
    "nothing": "There is nothing to take back.",
}

WAYS_TO_LIST = (
    ("Unread", Show.UNREAD, "u"),
    ("Starred", Show.STARRED, "s"),
    ("Liked", Show.LIKED, "l"),
    ("All", Show.ALL, "a"),
)


@dataclass(frozen=True, slots=True)
class Toast:
    """A word after a step."""

    text: str = ""
    undo: str = ""  # where the form that takes it back goes; "": it cannot be taken back
    bad: bool = False


UNDO = "/undo"


def done(kind: EventKind, count: int) -> Toast:
    """What to say after marking."""
    one, many = DONE[kind]
    return Toast(one if count == 1 else many.format(f"{count:,}"), UNDO if count > 0 else "")


def said(name: str, count: str) -> Toast:
    """What a redirect asked to say: only words of this table."""
    number = int(count) if count.isascii() and count.isdigit() and len(count) < 10 else 0
    if name == "removed" and number:
        return Toast(SAID[name], f"/feeds/{number}/return")
    if name == "clearing":
        return Toast(SAID[name], UNDO)
    if name == "imported" and not number:
        return Toast("You follow all of them already.")
    if name in SAID:
        return Toast(SAID[name].format(f"{number:,}"))
    if name in {kind.value for kind in DONE}:
        return done(EventKind(name), number or 1)
    return Toast()


@dataclass(frozen=True, slots=True)
class Category:
    name: str
    unread: int
    feeds: tuple[Subscription, ...]


def by_category(subscriptions: tuple[Subscription, ...]) -> tuple[Category, ...]:
    """Feeds under their categories, those without one last."""
    names = sorted({one.category for one in subscriptions}, key=lambda name: (not name, name))
    return tuple(
        Category(name, sum(one.unread for one in feeds), feeds)
        for name in names
        for feeds in [tuple(one for one in subscriptions if one.category == name)]
    )


def _stamped(folder: Path) -> dict[str, str]:
    """Static files by name, with their content's hash in the address so they can be kept."""
    return {
        name: f"/static/{name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for name in [file.relative_to(folder).as_posix()]
    }


def _environment() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters["grouped"] = "{:,}".format
    static = _stamped(STATIC)
    templates.globals.update(
        static=lambda name: static[name],
        count_words=wording.count_words,
        of_needed=wording.of_needed,
        share_words=share_words,
        web_address=wording.web_address,
        clean=wording.clean,
        clock_words=wording.clock_words,
        pace_words=pace_words,
        initial=wording.initial,
        most_counted=MOST_COUNTED,
        themes=THEMES,
        ways_to_list=WAYS_TO_LIST,
        row_kinds=ROW_KINDS,
    )
    return templates


@dataclass(frozen=True, slots=True)
class News:
    """What a page tells of what goes on meanwhile."""

    fetching: Fetching
    marking: HowFar
    working: bool  # something changes that the page shows
    fetched: bool = False  # the page showed how feeds are fetched, and now all are
    arrived: int = 0  # rows of the list that came since it was shown
    fresh: Place | None = None  # the list with them


class Site:
    """The pages of one reader."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.job = BackgroundJob(lambda: self.reader.now())
        self.marking = Marking(reader, VIA)
        self.templates = _environment()
        self.templates.globals["icon_of"] = lambda _feed: ""

    def by_rows(self, rows: Rows) -> Site:
        """The same pages, whose lists have such rows; what goes on in them is shared."""
        other = copy.copy(self)
        other.reader = self.reader.by_rows(rows)
        return other

    def now(self, request: Request) -> datetime:
        """The time, in the zone that the request's pages tell times in."""
        return self.reader.now().astimezone(zone_of(request))

    def news(self, subscriptions: Sequence[Subscription], status: ReaderStatus) -> News:
        """What goes on meanwhile."""
        how_far, marking = fetching(subscriptions), self.marking.how_far
        working = how_far.under_way or status.behind or bool(marking.doing)
        return News(how_far, marking, working)

    def fragment(self, template: str, **facts: object) -> str:
        return self.templates.get_template(template).render(**facts)

    def page(
        self, request: Request, template: str, place: Place, *, status: int = 200, **facts: object
    ) -> HTMLResponse:
        """A whole page, with the feeds and counts around it."""
        reader = self.reader
        subscriptions, standing = reader.subscriptions(), reader.status()
        # The parts of a page that are made anew later show what the last whole page did.
        icons = reader.icons(subscriptions)
        self.templates.globals["icon_of"] = lambda feed: icons.get(feed, "")
        asked = request.query_params
        toast = facts.pop("toast", None) or said(asked.get("did", ""), asked.get("n", ""))
        body = self.fragment(
            template,
            place=place,
            theme=theme_of(request),
            zone=zone_of(request),
            subscriptions=subscriptions,
            categories=by_category(subscriptions),
            unread=reader.unread(),
            row_kind=reader.rows,
            status=standing,
            news=self.news(subscriptions, standing),
            alerts=reader.feeds.alerts(),
            toast=toast,
            **facts,
        )
        return HTMLResponse(body, status_code=status)


async def site_of(request: Request) -> Site:
    """The site of the application that was asked, with the rows that the browser chose."""
    site: Site = request.app.state.site
    chosen = request.cookies.get(ROWS_COOKIE, "")
    return site.by_rows(Rows(chosen)) if chosen in set(Rows) else site


Here = Annotated[Site, Depends(site_of)]


def theme_of(request: Request) -> str:
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else "auto"


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


def go(place: Place, did: str = "", count: int = 0, row: ArticleId | None = None) -> Response:
    """Post, redirect, get: to a place of ours, or a row there, saying what was done."""
    extra = {"did": did, "n": str(count) if count else ""}
    # Only a list as of a moment, or a search, surely has the row still.
    has_it = place.page is Page.SEARCH or (place.page is Page.LIST and place.as_of is not None)
    there = f"#a{row}" if row is not None and has_it else ""
    return RedirectResponse(_saying(place.url, extra) + there, status_code=303)


def _saying(url: str, extra: Mapping[str, str]) -> str:
    words = "&".join(f"{name}={value}" for name, value in extra.items() if value)
    return url + ("&" if "?" in url else "?") + words if words else url


def bare(page: Page) -> Place:
    """A page that belongs to no list."""
    return Place(page=page)
