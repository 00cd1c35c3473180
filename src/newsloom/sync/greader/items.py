"""Articles, subscriptions, labels and counts as the Google Reader API gives them in JSON. Pure.

What each client cannot do without: NetNewsWire `summary`, `categories`, `origin`; Capy also
`title`, `canonical`, `published` and all of `origin`; newsboat takes the link of `canonical`, RSS
Guard that of `alternate`; Fluent the first `canonical` and `crawlTimeMsec`. Times in thousandths
and millionths are strings, since JavaScript and 32-bit clients read them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from newsloom.kernel.db.columns import micros
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.reading import Subscription
from newsloom.reading.values.syncing import StreamArticle, StreamPage
from newsloom.sync.fields import LARGEST, BadRequest, seconds
from newsloom.sync.greader.stream_ids import (
    FRESH,
    LABEL,
    LIKE,
    READ,
    READING_LIST,
    STARRED,
    Labels,
    feed_stream,
)
from newsloom.sync.texts import body_of, link, title_of

# Numbers of articles are written in three forms:
#
#     tag:google.com,2005:reader/item/000000000000002a    long; zeros in front may be missing
#     000000000000002a                                    16 hexadecimal digits
#     42                                                  decimal
#
# Ours stay below 10^15, so 16 characters are never decimal ones.
LONG = "tag:google.com,2005:reader/item/"
SHORT_HEX = 16

_HEX = re.compile(r"[0-9a-fA-F]{1,32}")
_DECIMAL = re.compile(r"-?[0-9]{1,40}")


def long_id(article: int) -> str:
    return f"{LONG}{article:016x}"


def item_id(text: str) -> int | None:
    """The number; None for one that no article can have. Raises BadRequest for what is none."""
    text = text.strip()
    if text.startswith(LONG):
        digits, base, form = text.removeprefix(LONG), 16, _HEX
    else:
        digits, form = text, _HEX if len(text) == SHORT_HEX else _DECIMAL
        base = 16 if form is _HEX else 10
    if not form.fullmatch(digits):
        raise BadRequest(f"Not an article id: {text[:80]!r}.")
    found = int(digits, base)
    return found if 0 < found <= LARGEST else None


def item_of(one: StreamArticle, labels: Labels, dated: datetime, number: int) -> dict[str, Any]:
    """One article, with the id from the request, which may be that of a merged copy."""
    listed = one.listed
    url = link(listed.url)
    published = seconds(dated)
    state = one.listed.state
    found = [READING_LIST, READ if state.read else FRESH]
    found += [STARRED] if state.starred else []
    found += [LIKE] if state.rating > 0 else []
    return {
        "id": long_id(number),
        "crawlTimeMsec": str(micros(one.came) // 1_000),
        "timestampUsec": str(micros(one.came)),
        "published": published,
        "updated": published,
        "title": title_of(one),
        "author": listed.author,
        "canonical": [{"href": url}],
        "alternate": [{"href": url, "type": "text/html"}],
        "categories": found + [LABEL + name for name in labels.names_of(one)],
        "origin": {
            "streamId": feed_stream(listed.feed_id),
            "htmlUrl": link(one.site_url),
            "title": listed.feed_title,
        },
        # `content` first: newsboat takes the first text in here.
        "summary": {"content": body_of(one), "direction": "ltr"},
        "enclosure": [
            {"href": each.url, "type": each.type or "application/octet-stream"}
            | ({} if each.length is None else {"length": each.length})
            for each in one.enclosures
            if link(each.url)
        ],
    }


def refs_of(page: StreamPage) -> dict[str, Any]:
    """A page of numbers alone, in decimal."""
    refs = [
        {"id": str(one.id), "directStreamIds": [], "timestampUsec": str(micros(one.came))}
        for one in page.refs
    ]
    return {"itemRefs": refs, **continuation(page)}


def continuation(page: StreamPage) -> dict[str, str]:
    """Where the next page begins, if there is one. A string: RSS Guard passes over numbers."""
    return {"continuation": str(page.refs[-1].arrival)} if page.more else {}


# What Liferea alone needs: it takes an article for read where the *first* category still has the
# escaped strokes of JSON, as no server sends it (lwindolf/liferea, google_source_feed.c, 1.14.4 and
# the newest of 2026), and for flagged where `marked` is true. Without these it shows everything as
# unread, and takes back the flags that it set itself when it next updates.

LIFEREA = "Liferea/"  # its User-Agent header

# A text with two backslashes: what Liferea compares with is not decoded.
READ_FOR_LIFEREA = r"user/-/state\/com.google\/read"


def for_liferea(item: Mapping[str, Any]) -> dict[str, Any]:
    """An article with its state as Liferea reads it, beside what is in it for everyone."""
    categories = item["categories"]
    read = [READ_FOR_LIFEREA] if READ in categories else []
    return {**item, "categories": [*read, *categories], "marked": STARRED in categories}


# NetNewsWire asks whether the next two changed: nothing in them does but with what they list.


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
