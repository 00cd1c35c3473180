"""Thousands of publishers with habits: what each answers to a request at a moment. No network.

Everything follows from the number of a feed and the time, so that a run can be had again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import accumulate

from newsloom.kernel.http.values import Failure, Redirect, Reply, Request

ARTICLES = 20  # in a document
HOUR = timedelta(hours=1)

# When all of them began to write; some time before any soak begins.
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)

# One feed in ten shares its host with nine others.
CROWDED, ON_ONE_HOST = 10, 10

SENTENCE = (
    "the council said on Monday that work on the new bridge will begin in spring and cost less "
    "than planned while residents asked how long the old road would stay closed to traffic"
)
WORDS = SENTENCE.split()


@dataclass(frozen=True, slots=True)
class Habit:
    """How one kind of publisher behaves; `of_hundred` feeds have it."""

    name: str
    of_hundred: float
    news_every: timedelta | None = None
    status: int = 200
    failure: Failure | None = None
    retry_after: str = ""
    validators: bool = True
    touches: bool = False  # another ETag for the same body, every time
    edits: bool = False  # other words in the same articles, every time
    renames: bool = False  # other ids for the same articles, every time
    page: bool = False  # an HTML page and no feed
    moved: bool = False  # permanently, to another address of its site


HABITS = (
    Habit("news every half hour", 2, HOUR / 2),
    Habit("news every two hours", 8, 2 * HOUR),
    Habit("news every day", 24, 24 * HOUR),
    Habit("news every week", 26, 168 * HOUR),
    Habit("no news", 16),
    Habit("no validators", 4, 24 * HOUR, validators=False),
    Habit("touched", 3, 24 * HOUR, touches=True),
    Habit("edited every time", 2, 24 * HOUR, edits=True),
    Habit("new ids every time", 2, 24 * HOUR, renames=True),
    Habit("moved", 2, 24 * HOUR, moved=True),
    Habit("server error", 2, status=500),
    Habit("not found", 2, status=404),
    Habit("too many requests", 2, status=429, retry_after="7200"),
    Habit("unavailable", 1, status=503, retry_after="3600"),
    Habit("too late", 2, failure=Failure.TIMEOUT),
    Habit("refuses", 1, failure=Failure.CONNECT),
    Habit("a page", 0.5, page=True),
    Habit("gone", 0.5, status=410),
)
_UP_TO = tuple(accumulate(one.of_hundred for one in HABITS))


def habit(number: int) -> Habit:
    """The habit of a feed. Neighbours differ: 61 and 1000 have no divisor in common."""
    place = number * 61 % 1000 / 1000 * _UP_TO[-1]
    return next(one for one, end in zip(HABITS, _UP_TO, strict=True) if place < end)


def address(number: int) -> str:
    if number % CROWDED == 0:
        return f"https://crowded{number // (CROWDED * ON_ONE_HOST)}.example/{number}"
    return f"https://site{number}.example/{number}"


def number_of(url: str) -> int:
    return int(url.rsplit("/", 1)[1])


def answer(request: Request, now: datetime, asked: int) -> Reply:
    """The reply to a request, the feed's `asked`th."""
    number = number_of(request.url)
    one = habit(number)
    if one.failure is not None:
        words = f"made up: {one.failure.value}"
        return Reply(request, now, 20.0, failure=one.failure, problem=words)
    newest = _newest(one, number, now)
    edition = asked if one.edits or one.renames else 0
    etag = f'"{newest}.{asked if one.touches else edition}"'
    headers = [("date", format_datetime(now, usegmt=True))]
    if one.retry_after:
        headers.append(("retry-after", one.retry_after))
    if one.validators and one.status == 200:
        headers.append(("etag", etag))
    url = request.url
    redirects: tuple[Redirect, ...] = ()
    if one.moved:
        url = request.url.replace("https://", "https://www.", 1)
        redirects = (Redirect(301, url),)
    status, body = one.status, b""
    if status == 200 and request.etag == etag:
        status = 304
    elif status == 200:
        page = "<!doctype html><title>Please log in</title><p>Not here."
        body = (page if one.page else document(one, number, newest, edition)).encode()
    return Reply(
        request,
        now,
        0.2,
        status=status,
        url=url,
        redirects=redirects,
        headers=tuple(headers),
        body=body,
        wire_bytes=200 + len(body) // 4,
    )


def _newest(one: Habit, number: int, now: datetime) -> int:
    """How many articles it has written by now, besides those it began with."""
    if one.news_every is None:
        return ARTICLES
    # Not all at the full hour.
    return ARTICLES + (now - BEGAN + number % 97 * timedelta(minutes=1)) // one.news_every


def document(one: Habit, number: int, newest: int, edition: int) -> str:
    return "".join(_parts(one, number, newest, edition))


def _parts(one: Habit, number: int, newest: int, edition: int) -> Iterator[str]:
    site = f"https://site{number}.example"
    yield f'<?xml version="1.0"?><rss version="2.0"><channel><title>Site {number}</title>'
    yield f"<link>{site}/</link>"
    for place in range(newest, newest - ARTICLES, -1):
        link = f"{site}/{place}"
        name = f"{link}?{edition}" if one.renames else link
        at = BEGAN + place * (one.news_every or HOUR)
        first = (number + 7 * place) % len(WORDS)
        words = " ".join((WORDS * 4)[first : first + 60])
        text = f"{words} {edition}" if one.edits else words
        yield f"<item><title>Report {place} of {number}</title><link>{link}</link>"
        yield f"<guid isPermaLink='false'>{name}</guid>"
        yield f"<pubDate>{format_datetime(at)}</pubDate><description>{text}</description></item>"
    yield "</channel></rss>"
