"""One feed's own page, and what its reader does there: moves, quarantine, floor, full text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from newsloom.feeds.values.polling import PastPoll, PollOutcome, Reliability
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import FeedId
from newsloom.web import list_view
from newsloom.web.list_view import LARGEST_ID, ListView, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.toasts import Toast
from newsloom.web.wording import clock_words

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

# Rows of the table of polls; the picture has all that are remembered.
MOST_ROWS = 30

router = APIRouter()


@router.get("/feeds/{number}")
async def feed(site: Here, request: Request, number: Number) -> Response:
    try:
        return await _page(site, request, FeedId(number))
    except NotFound:
        reader = site.reader
        left = await run_in_threadpool(reader.store.reading.left, reader.user, reader.now())
        if number not in {one.feed_id for one in left}:
            raise
        return go(bare(Page.FEEDS), "removed", number)  # where leaving it is taken back


@router.post("/feeds/seen")
def see_all(site: Here, at: Text = "") -> Response:
    """Wave every alert away, from whichever page."""
    site.reader.feeds.see()
    return go(list_view.parse(at))


@router.post("/feeds/{number}/seen")
def see(site: Here, number: Number, at: Text = "") -> Response:
    site.reader.feeds.see(FeedId(number))
    return go(list_view.parse(at))


@router.post("/feeds/{number}/refresh")
async def refresh(site: Here, request: Request, number: Number) -> Response:
    feed = FeedId(number)
    held = await run_in_threadpool(site.reader.feeds.refresh, feed)
    if held is None:
        return go(_view(feed), "asked")
    until = clock_words(held.until, site.now(request).tzinfo)
    words = f"The feed is not fetched before {until}: {held.because}."
    return await _page(site, request, feed, toast=Toast(words))


@router.post("/feeds/{number}/let-in")
async def release(site: Here, number: Number) -> Response:
    news = await site.reader.feeds.release(FeedId(number))
    return go(_view(FeedId(number)), "letin", news)


@router.post("/feeds/{number}/keep-out")
def keep_out(site: Here, number: Number) -> Response:
    site.reader.feeds.keep_out(FeedId(number))
    return go(_view(FeedId(number)), "keptout")


@router.post("/feeds/{number}/take-back")
def take_back(site: Here, number: Number) -> Response:
    site.reader.feeds.take_back_verdict(FeedId(number))
    return go(_view(FeedId(number)), "undone")


@router.post("/feeds/moves/{move}/undo")
def undo_move(site: Here, move: Number) -> Response:
    return go(_view(site.reader.feeds.take_back_move(move).feed_id), "unmoved")


@router.post("/feeds/{number}/floor")
async def set_floor(site: Here, request: Request, number: Number, minutes: Text = "") -> Response:
    feed = FeedId(number)
    try:
        floor = _minutes(minutes)
        await run_in_threadpool(site.reader.feeds.set_floor, feed, floor)
    except UserError as error:
        return await _page(site, request, feed, problem=str(error), code=400)
    return go(_view(feed), "edited")


@router.post("/feeds/{number}/full-text")
def set_full_text(site: Here, number: Number, on: Text = "") -> Response:
    site.reader.set_full_text(FeedId(number), on == "yes")
    return go(_view(FeedId(number)), "edited")


def _minutes(text: str) -> timedelta | None:
    """What was typed; nothing is no floor of its own."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise UserError("Enter whole minutes, or leave the field empty.")
    return timedelta(minutes=int(text))


async def _page(
    site: Site,
    request: Request,
    feed: FeedId,
    *,
    problem: str = "",
    toast: Toast | None = None,
    code: int = 200,
) -> HTMLResponse:
    feeds = site.reader.feeds
    one = await run_in_threadpool(feeds.condition, feed)
    headlines = await feeds.headlines(feed) if one.feed.held_at is not None else ()

    def render() -> HTMLResponse:
        polls = feeds.polls(feed)
        return site.page(
            request,
            "feed.html",
            _view(feed),
            status=code,
            one=one,
            parts=parts(one.reliability),
            polls=polls[:MOST_ROWS],
            bars=bars(polls, site.now(request).tzinfo),
            legend=legend(polls),
            moves=feeds.moves(feed),
            headlines=headlines,
            elsewhere=site.reader.store.lists.elsewhere(site.reader.user).get(feed),
            problem=problem,
            toast=toast,
        )

    return await run_in_threadpool(render)


def _view(feed: FeedId) -> ListView:
    return bare(Page.FEED).to(feed=feed)


# How feeds are, as their pages show it: bars of polls, parts of a score, words. Pure.

# One bar for each poll that is remembered: what it is called, and how high it stands, so that
# nobody needs the colour to tell them apart.
KINDS = {
    PollOutcome.CHANGED: ("with new articles", "news", 24),
    PollOutcome.UNCHANGED: ("no change", "same", 10),
    PollOutcome.UNREADABLE: ("unreadable", "unread", 17),
    PollOutcome.FAILED: ("failed", "failed", 17),
    PollOutcome.GONE: ("gone", "failed", 24),
}
HEIGHT, STEP, PLACES = 24, 6, 100

# From which share on a part of the score is drawn as good, and as fair.
FINE, FAIR = 0.95, 0.8


@dataclass(frozen=True, slots=True)
class Bar:
    """One poll in the picture."""

    x: int
    y: int
    height: int
    kind: str  # its class
    words: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a reliability is made of."""

    name: str
    meaning: str
    share: float | None

    @property
    def percent(self) -> int:
        return round(100 * (self.share or 0))

    @property
    def level(self) -> str:
        """Its class."""
        share = self.share or 0
        return "good" if share >= FINE else "fair" if share >= FAIR else "poor"

    @property
    def words(self) -> str:
        return "unknown" if self.share is None else f"{self.share:.0%}"


def bars(polls: Sequence[PastPoll], zone: tzinfo | None = None) -> tuple[Bar, ...]:
    """The polls from the oldest to the newest, the newest at the right edge."""
    shown = polls[:PLACES]
    found = []
    for place, one in enumerate(shown):
        words, kind, height = KINDS[one.outcome]
        x = (PLACES - 1 - place) * STEP
        about = f"{clock_words(one.at, zone)}: {words}"
        found.append(Bar(x, HEIGHT - height, height, kind, about))
    return tuple(reversed(found))


def legend(polls: Sequence[PastPoll]) -> tuple[tuple[str, str, int], ...]:
    """Which kinds of bars there are, by class and name, and how many of each."""
    counted = Counter((KINDS[one.outcome][1], KINDS[one.outcome][0]) for one in polls[:PLACES])
    return tuple(
        (kind, words, counted[kind, words])
        for words, kind, _height in KINDS.values()
        if counted[kind, words]
    )


def parts(known: Reliability) -> tuple[Part, ...]:
    return (
        Part("Answers", "polls with a response", known.uptime),
        Part("Valid", "responses with valid XML or JSON", known.valid),
        Part("Dates", "articles with a plausible date", known.dated),
    )
