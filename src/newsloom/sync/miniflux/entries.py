"""Entries over the Miniflux API: listed with filters and orders, marked, and read whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from newsloom.feeds.feed_text import with_feed_text
from newsloom.feeds.values.pages import NO_LONGER, OTHER_TEXT, WantedPage
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, Rows
from newsloom.reading.values.syncing import (
    StreamArticle,
    StreamKind,
    StreamOrder,
    StreamPart,
    StreamQuery,
)
from newsloom.sync.answers import HEADERS, streamed, values
from newsloom.sync.fields import BadRequest, Fields, moment
from newsloom.sync.miniflux.request import MinifluxRequest
from newsloom.sync.miniflux.shapes import MOST_FILES, enclosure_of, entry_of

USUAL = 100
# Entries of one answer, also where a client wants all (limit=0).
MOST = 10_000
# Entries that a search finds, the best first.
MOST_FOUND = 1_000

STATUSES = {"read": StreamKind.READ, "unread": StreamKind.UNREAD}

ORDERS = {
    "id": StreamOrder.ARRIVAL,
    "created_at": StreamOrder.ARRIVAL,
    "published_at": StreamOrder.DATE,
    "changed_at": StreamOrder.CHANGED,
    "status": StreamOrder.STATUS,
    "title": StreamOrder.TITLE,
    "author": StreamOrder.AUTHOR,
    "category_title": StreamOrder.CATEGORY,
    "category_id": StreamOrder.CATEGORY,
}

AS_PUBLISHED = "Articles are as published. An app cannot add or edit one."

TRUE, FALSE = ("1", "t", "true"), ("0", "f", "false")


def no_content() -> Response:
    return Response(status_code=204, headers=HEADERS)


def listed(request: MinifluxRequest) -> Response:
    """Entries by the filters of the query."""
    return _listed(request, ())


def of_feed(request: MinifluxRequest, feed: int) -> Response:
    request.feed(feed)
    return _listed(request, (StreamPart(StreamKind.FEED, FeedId(feed)),))


def of_category(request: MinifluxRequest, category: int) -> Response:
    return _listed(request, (request.category(category).part,))


def _listed(request: MinifluxRequest, within: Sequence[StreamPart]) -> Response:
    query = _query(request, within)
    total, _came = request.syncing.size(query)
    found = request.syncing.in_parts(one.id for one in request.syncing.page(query).refs)
    entries = ([_entry(request, one) for one in part] for part in found)
    return streamed({"total": total}, "entries", entries)


def _entry(request: MinifluxRequest, one: StreamArticle) -> dict[str, Any]:
    return entry_of(one, request.feed_of(one.listed), request.user, request.dated(one))


def ids(request: MinifluxRequest) -> Response:
    """The ids alone, the newest first."""
    fields = request.fields
    query = StreamQuery(
        within=(*_statuses(fields), *_starred(fields, within=True)),
        without=tuple(_starred(fields, within=False)),
        offset=fields.whole("offset", 0) or 0,
        limit=min(fields.whole("limit", MOST) or MOST, MOST),
    )
    total, _came = request.syncing.size(query)
    refs = request.syncing.page(query).refs
    return values({"total": total, "entry_ids": [one.arrival for one in refs]})


def _query(request: MinifluxRequest, within: Sequence[StreamPart]) -> StreamQuery:
    """Which entries a request wants. Raises BadRequest."""
    fields, now = request.fields, request.now
    order, direction = fields.one("order", "published_at"), fields.one("direction", "asc")
    if order not in ORDERS:
        raise BadRequest(f"invalid entry order, valid order values are: {', '.join(ORDERS)}")
    if direction not in ("asc", "desc"):
        raise BadRequest('invalid direction, valid direction values are: "asc" or "desc"')
    return StreamQuery(
        within=(*within, *_narrowed(request)),
        without=tuple(_starred(fields, within=False)),
        above=fields.whole("after_entry_id") or None,
        below=fields.whole("before_entry_id") or None,
        dated_after=_time(fields, "published_after", now) or _time(fields, "after", now),
        dated_before=_time(fields, "published_before", now) or _time(fields, "before", now),
        changed_after=_time(fields, "changed_after", now),
        changed_before=_time(fields, "changed_before", now),
        order=ORDERS[order],
        oldest_first=direction == "asc",
        offset=fields.whole("offset", 0) or 0,
        limit=min(fields.whole("limit", USUAL) or MOST, MOST),
    )


def _narrowed(request: MinifluxRequest) -> Iterator[StreamPart]:
    fields = request.fields
    yield from _statuses(fields)
    yield from _starred(fields, within=True)
    if feed := fields.whole("feed_id"):
        if feed not in request.feeds:
            raise BadRequest("invalid feed ID")
        yield StreamPart(StreamKind.FEED, FeedId(feed))
    if category := fields.whole("category_id"):
        if category not in request.categories:
            raise BadRequest("invalid category ID")
        yield request.categories[category].part
    for tag in fields.all("tags"):
        yield StreamPart(StreamKind.FEED_TAG, tag=tag)
    if words := fields.one("search"):
        found = request.syncing.reader.by_rows(Rows.ARTICLE).search(words, MOST_FOUND).rows
        yield StreamPart(StreamKind.THESE, these=tuple(int(one.id) for one in found))


def _statuses(fields: Fields) -> Iterator[StreamPart]:
    """Several are alternatives. "removed" has nothing: Miniflux had it before 2.2.15."""
    wanted = set(fields.all("status"))
    wrong = sorted(wanted - {*STATUSES, "removed"})
    if wrong:
        raise BadRequest(f"invalid entry status, valid status values are: {', '.join(STATUSES)}")
    kinds = [STATUSES[one] for one in sorted(wanted - {"removed"})]
    if wanted and len(kinds) < len(STATUSES):
        yield StreamPart(kinds[0] if kinds else StreamKind.NOTHING)


def _starred(fields: Fields, *, within: bool) -> Iterator[StreamPart]:
    """The stars that are wanted (`within`), or not."""
    given = fields.one("starred").lower()
    if given in (TRUE if within else FALSE):
        yield StreamPart(StreamKind.STARRED)


def _time(fields: Fields, name: str, now: datetime) -> datetime | None:
    """Seconds since 1970; 0 is no limit, as in Miniflux."""
    found = fields.whole(name)
    return moment(found, now + timedelta(days=1)) if found else None


def one(request: MinifluxRequest, entry: int) -> Response:
    return values(_entry(request, _article(request, entry)))


def one_of_feed(request: MinifluxRequest, feed: int, entry: int) -> Response:
    return _within(request, StreamPart(StreamKind.FEED, FeedId(feed)), entry)


def one_of_category(request: MinifluxRequest, category: int, entry: int) -> Response:
    return _within(request, request.category(category).part, entry)


def _within(request: MinifluxRequest, part: StreamPart, entry: int) -> Response:
    article = _article(request, entry)
    these = StreamPart(StreamKind.ARRIVED, these=(entry,))
    if not request.syncing.page(StreamQuery(within=(part, these))).refs:
        raise NotFound("resource not found")
    return values(_entry(request, article))


def _article(request: MinifluxRequest, entry: int) -> StreamArticle:
    """Raises NotFound."""
    found = request.syncing.articles(request.syncing.arrived([entry]))
    if not found:
        raise NotFound("resource not found")
    return found[0]


async def content(request: MinifluxRequest, entry: int) -> Response:
    """The text of the entry's page, which is fetched unless it was; without the network, the
    fullest text there is. Raises UserError in words of what is wrong with the page."""
    article = await run_in_threadpool(_article, request, entry)
    fetcher, full_texts = request.syncing.reader.fetcher, request.services.full_texts
    if fetcher is not None and full_texts.per_host:
        one = article.listed
        page = await full_texts.one(fetcher, WantedPage(one.id, one.feed_id, one.url, one.title))
        if page.problem not in ("", NO_LONGER, OTHER_TEXT):
            raise UserError(page.problem)
        html = with_feed_text(page.html, article.html, title=one.title, url=one.url)
        if page.html and html:
            article = replace(article, html=html, base_url=page.url)
    found = await run_in_threadpool(_entry, request, article)
    return values({"content": found["content"], "reading_time": found["reading_time"]})


async def edit(request: MinifluxRequest, entry: int) -> Response:
    """Take the text that `content` gave, which Miniflutt sends back to be kept; nothing else."""
    if set(request.values) == {"content"}:
        text = json.loads(bytes((await content(request, entry)).body))
        if text["content"] == request.values["content"]:
            article = await run_in_threadpool(_article, request, entry)
            return values(await run_in_threadpool(_entry, request, article) | text, 201)
    return values({"error_message": AS_PUBLISHED}, 403)


def enclosure(request: MinifluxRequest, number: int) -> Response:
    entry, place = divmod(number, MOST_FILES)
    return values(enclosure_of(_article(request, entry), place, request.user))


def listened(request: MinifluxRequest, number: int) -> Response:
    """How far a file was listened to, in seconds."""
    entry, place = divmod(number, MOST_FILES)
    article, seconds = _article(request, entry), request.values.get("media_progression")
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 0 <= seconds < 2**31:
        raise BadRequest("media_progression is a number of seconds.")
    url = enclosure_of(article, place, request.user)["url"]
    reader = request.syncing.reader
    reader.store.annotations.put_position(
        reader.user, article.listed.id, url, seconds, reader.now()
    )
    return no_content()


def mark(request: MinifluxRequest) -> Response:
    """Status, star and rating of entries. All is understood before anything is done.

    `rating` is Newsloom's own: 1 likes, -1 dislikes, 0 takes either back.
    """
    numbers = request.entry_ids()
    status, starred = request.text("status"), request.flag("starred")
    rating = request.values.get("rating")
    if status is None and starred is None and rating is None:
        raise BadRequest("either the status or the starred field must be specified")
    if status is not None and status not in STATUSES:
        raise BadRequest(f"invalid entry status, valid status values are: {', '.join(STATUSES)}")
    if rating not in (None, -1, 0, 1) or isinstance(rating, bool):
        raise BadRequest("rating is -1, 0 or 1")
    articles = request.syncing.arrived(numbers)
    kinds = []
    if status:
        kinds.append(EventKind.READ if status == "read" else EventKind.UNREAD)
    if starred is not None:
        kinds.append(EventKind.STAR if starred else EventKind.UNSTAR)
    if rating is not None:
        kinds.append((EventKind.UNRATE, EventKind.LIKE, EventKind.DISLIKE)[rating])
    for kind in kinds:
        request.syncing.mark(articles, kind)
    return no_content()


def toggle_star(request: MinifluxRequest, entry: int) -> Response:
    article = _article(request, entry).listed
    kind = EventKind.UNSTAR if article.state.starred else EventKind.STAR
    request.syncing.mark([article.id], kind)
    return no_content()


def save(request: MinifluxRequest, entry: int) -> Response:
    """To read later: Miniflux sends it to the service that the user keeps such things in."""
    request.syncing.mark([_article(request, entry).listed.id], EventKind.LATER)
    return values({}, 202)


def mark_all(request: MinifluxRequest, user: int) -> Response:
    if user != request.user:
        raise NotFound("resource not found")
    return _cleared(request, ())


def mark_feed(request: MinifluxRequest, feed: int) -> Response:
    request.feed(feed)
    return _cleared(request, (StreamPart(StreamKind.FEED, FeedId(feed)),))


def mark_category(request: MinifluxRequest, category: int) -> Response:
    return _cleared(request, (request.category(category).part,))


def _cleared(request: MinifluxRequest, parts: Sequence[StreamPart]) -> Response:
    request.syncing.clear(parts, request.now)
    return no_content()
