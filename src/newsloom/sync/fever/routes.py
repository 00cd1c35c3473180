"""The Fever API: one address, and one row for each thing that can be asked of it at once.

Thin: parse, ask, format. GET and POST do alike, for there are clients of both; who has no key
learns and changes nothing by either.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import MustWait
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.reading import EventKind, Subscription
from newsloom.reading.values.syncing import (
    StreamArticle,
    StreamKind,
    StreamPart,
    StreamQuery,
)
from newsloom.sync import bodies
from newsloom.sync.answers import plain_text, values
from newsloom.sync.fever import questions
from newsloom.sync.fields import seconds
from newsloom.sync.request import SyncRequest
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services
from newsloom.sync.texts import body_of, link, title_of

# Articles, feeds and groups as the Fever API gives them. Pure.

VERSION = 3


def refused() -> dict[str, Any]:
    """The answer to who is nobody; its status is 200, by the protocol."""
    return {"api_version": VERSION, "auth": 0}


def feeds_groups(
    subscriptions: Sequence[Subscription], named: Mapping[int, str]
) -> list[dict[str, Any]]:
    found = []
    for number, name in named.items():
        feeds = [str(one.feed_id) for one in subscriptions if one.category == name]
        found.append({"group_id": number, "feed_ids": ",".join(feeds)})
    return found


def item(one: StreamArticle, dated: datetime) -> dict[str, Any]:
    return {
        "id": one.arrival,
        "feed_id": one.listed.feed_id,
        "title": title_of(one),
        "author": one.listed.author,
        "html": body_of(one),
        "url": link(one.listed.url),
        "is_saved": int(one.listed.state.starred),
        "is_read": int(one.listed.state.read),
        "created_on_time": seconds(dated),
    }


VIA = "fever"


@dataclass
class FeverRequest(SyncRequest):
    """A request of a reader."""

    @cached_property
    def groups(self) -> Mapping[int, str]:
        return questions.groups(self.subscriptions)


def _groups(request: FeverRequest) -> dict[str, Any]:
    return {
        "groups": [{"id": number, "title": name} for number, name in request.groups.items()],
        "feeds_groups": feeds_groups(request.subscriptions, request.groups),
    }


def _feeds(request: FeverRequest) -> dict[str, Any]:
    feeds = [
        {
            "id": one.feed_id,
            "favicon_id": one.feed_id if one.feed_id in request.icons else 0,
            "title": one.title,
            "url": without_password(one.url),
            "site_url": link(one.site_url),
            "is_spark": 0,
            "last_updated_on_time": seconds(one.polled_at) if one.polled_at else 0,
        }
        for one in request.subscriptions
    ]
    return {
        "feeds": feeds,
        "feeds_groups": feeds_groups(request.subscriptions, request.groups),
    }


def _favicons(request: FeverRequest) -> dict[str, Any]:
    found = []
    for feed in request.icons:
        icon = subscribing.icon(request.syncing.reader, feed)
        # Without `data:` in front, by the protocol.
        data = f"{icon.type};base64,{base64.b64encode(icon.body).decode()}"
        found.append({"id": feed, "data": data})
    return {"favicons": found}


def _items(request: FeverRequest) -> dict[str, Any]:
    query = questions.items_query(request.fields, request.groups)
    page = request.syncing.page(query)
    found = request.syncing.articles([one.id for one in page.refs])
    total, _came = request.syncing.size(StreamQuery())
    items = [item(one, request.dated(one)) for one in found]
    return {"total_items": total, "items": items}


def _links(_asked: FeverRequest) -> dict[str, Any]:
    """Hot links: there are none; stories are labels of the Google Reader API."""
    return {"links": []}


def _unread(request: FeverRequest) -> dict[str, Any]:
    return {"unread_item_ids": _ids(request, StreamKind.UNREAD)}


def _saved(request: FeverRequest) -> dict[str, Any]:
    return {"saved_item_ids": _ids(request, StreamKind.STARRED)}


def _ids(request: FeverRequest, kind: StreamKind) -> str:
    query = StreamQuery(within=(StreamPart(kind),), oldest_first=True)
    return ",".join(str(one.arrival) for one in request.syncing.refs(query))


# The name that asks, and what is answered.
QUESTIONS: tuple[tuple[str, Callable[[FeverRequest], dict[str, Any]]], ...] = (
    ("groups", _groups),
    ("feeds", _feeds),
    ("favicons", _favicons),
    ("items", _items),
    ("links", _links),
    ("unread_item_ids", _unread),
    ("saved_item_ids", _saved),
)

KINDS: Mapping[str, EventKind] = {
    "read": EventKind.READ,
    "unread": EventKind.UNREAD,
    "saved": EventKind.STAR,
    "unsaved": EventKind.UNSTAR,
}


async def answer(services: Services, request: Request, _path: str) -> Response:
    """One request. Raises NewsloomError."""
    if request.method not in ("GET", "HEAD", "POST"):
        return plain_text("There is no such method.", 405, {"allow": "GET, POST"})
    body, fields = await bodies.read(request, document=False)
    key = questions.key_of(fields)
    address = services.address(request)
    try:
        user = await run_in_threadpool(services.passwords.user_of_secret, key, address)
    except MustWait as error:
        answer = values(refused(), 429)
        answer.headers["retry-after"] = str(error.seconds)
        return answer
    if user is None:
        return values(refused())
    request.state.reader = services.reader(user)
    query = FeverRequest(services, Syncing(request.state.reader, VIA), fields, body)
    return await run_in_threadpool(_answered, query)


def _answered(request: FeverRequest) -> Response:
    """Marks first, so that what is asked beside them is as they made it."""
    mark = questions.marked(request.fields, request.now)
    if mark is not None:
        _mark(request, mark)
    polled = [one.polled_at for one in request.subscriptions if one.polled_at]
    answer: dict[str, Any] = {
        "api_version": VERSION,
        "auth": 1,
        "last_refreshed_on_time": seconds(max(polled)) if polled else 0,
    }
    for name, found in QUESTIONS:
        if name in request.fields:
            answer |= found(request)
    if mark is not None:
        answer |= _saved(request) if mark.how in ("saved", "unsaved") else _unread(request)
    return values(answer)


def _mark(request: FeverRequest, mark: questions.Marked) -> None:
    if mark.what == "item":
        request.syncing.mark(request.syncing.arrived(mark.ids), KINDS[mark.how])
        return
    for number in mark.ids:
        part = (
            StreamPart(StreamKind.FEED, FeedId(number))
            if mark.what == "feed"
            else questions.group_part(number, request.groups)
        )
        request.syncing.clear([part], mark.before)
