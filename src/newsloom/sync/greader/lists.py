"""Subscriptions, labels and counts as the Google Reader API gives them. Pure.

Nothing in the first two changes but with what they list: NetNewsWire asks whether they did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.reading import Subscription
from newsloom.sync.fields import micros
from newsloom.sync.greader.stream_ids import LABEL, STARRED, Labels, feed_stream
from newsloom.sync.texts import link


def subscription_list(
    subscriptions: Sequence[Subscription], icons: Mapping[FeedId, str]
) -> dict[str, Any]:
    return {
        "subscriptions": [_subscription(one, icons.get(one.feed_id, "")) for one in subscriptions]
    }


def _subscription(one: Subscription, icon: str) -> dict[str, Any]:
    return {
        "id": feed_stream(one.feed_id),
        "title": one.title,
        "categories": [{"id": LABEL + one.category, "label": one.category}],
        # Clients that heed it show feeds in its order: the reader's own, where there is one.
        "sortid": f"{one.place or one.feed_id:08X}"[-8:],
        "firstitemmsec": "0",
        "url": without_password(one.url),
        "htmlUrl": link(one.site_url),
        "iconUrl": icon,
    }


def tag_list(labels: Labels) -> dict[str, Any]:
    """Categories are folders; all other labels are tags, which clients show beside them."""
    named = [{"id": STARRED}]
    for name, label in labels.known.items():
        kind = "folder" if label.part.category else "tag"
        named.append({"id": LABEL + name, "type": kind})
    return {"tags": [{**one, "sortid": f"{place:08X}"} for place, one in enumerate(named, 1)]}


def unread_counts(counts: Sequence[tuple[str, int, datetime | None]]) -> dict[str, Any]:
    """`counts` are streams with what is unread in them and when the last of it came; the last
    has everything."""
    found = [
        {
            "id": stream,
            "count": unread,
            "newestItemTimestampUsec": "0" if came is None else str(micros(came)),
        }
        for stream, unread, came in counts
    ]
    return {"max": max(counts[-1][1], 1), "unreadcounts": found}
