"""Articles, feeds and groups as the Fever API gives them. Pure."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from newsloom.feeds.values.pages import SiteIcon
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.reading import Subscription
from newsloom.reading.values.syncing import StreamArticle, StreamRef
from newsloom.sync.fields import seconds
from newsloom.sync.texts import body_of, link, title_of

VERSION = 3


def refused() -> dict[str, Any]:
    """The answer to who is nobody; its status is 200, by the protocol."""
    return {"api_version": VERSION, "auth": 0}


def head(subscriptions: Sequence[Subscription]) -> dict[str, Any]:
    """What every answer begins with."""
    polled = [one.polled_at for one in subscriptions if one.polled_at]
    return {
        "api_version": VERSION,
        "auth": 1,
        "last_refreshed_on_time": seconds(max(polled)) if polled else 0,
    }


def groups(named: Mapping[int, str]) -> list[dict[str, Any]]:
    return [{"id": number, "title": name} for number, name in named.items()]


def feeds_groups(
    subscriptions: Sequence[Subscription], named: Mapping[int, str]
) -> list[dict[str, Any]]:
    found = []
    for number, name in named.items():
        feeds = [str(one.feed_id) for one in subscriptions if one.category == name]
        found.append({"group_id": number, "feed_ids": ",".join(feeds)})
    return found


def feeds(
    subscriptions: Sequence[Subscription], icons: Mapping[FeedId, object]
) -> list[dict[str, Any]]:
    return [
        {
            "id": one.feed_id,
            "favicon_id": one.feed_id if one.feed_id in icons else 0,
            "title": one.title,
            "url": without_password(one.url),
            "site_url": link(one.site_url),
            "is_spark": 0,
            "last_updated_on_time": seconds(one.polled_at) if one.polled_at else 0,
        }
        for one in subscriptions
    ]


def favicons(found: Iterable[tuple[FeedId, SiteIcon]]) -> list[dict[str, Any]]:
    """Without `data:` in front, by the protocol."""
    return [
        {"id": feed, "data": f"{icon.type};base64,{base64.b64encode(icon.body).decode()}"}
        for feed, icon in found
    ]


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


def ids(refs: Iterable[StreamRef]) -> str:
    """Numbers with commas between."""
    return ",".join(str(one.arrival) for one in refs)
