"""Articles as the Google Reader API gives them, in JSON. Pure.

What each client cannot do without: NetNewsWire `summary`, `categories`, `origin`; Capy also
`title`, `canonical`, `published` and all of `origin`; newsboat takes the link of `canonical`, RSS
Guard that of `alternate`; Fluent the first `canonical` and `crawlTimeMsec`. Times in thousandths
and millionths are strings, since JavaScript and 32-bit clients read them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.syncing import StreamArticle, StreamPage, StreamRef
from newsloom.sync.fields import micros, seconds
from newsloom.sync.greader.item_ids import long_id
from newsloom.sync.greader.stream_ids import (
    LABEL,
    LIKE,
    READ,
    READING_LIST,
    STARRED,
    STATE,
    Labels,
    feed_stream,
)
from newsloom.sync.shown_dates import shown_date
from newsloom.sync.texts import body_of, link, title_of, written


@dataclass(frozen=True, slots=True)
class Shown:
    """How articles are told to one reader."""

    labels: Labels
    folders: Mapping[ArticleId, Sequence[str]]  # the names of those an article is in
    now: datetime
    ranked: bool  # dates tell the rank


def shown(labels: Labels, now: datetime, *, ranked: bool) -> Shown:
    found: dict[ArticleId, list[str]] = defaultdict(list)
    for folder in labels.folders.values():
        for article in folder.articles:
            found[article].append(folder.name)
    return Shown(labels, found, now, ranked)


def item_of(one: StreamArticle, how: Shown, number: int | None = None) -> dict[str, Any]:
    """One article; under the number that was asked for, where that is a merged copy's."""
    listed = one.listed
    url = link(listed.url)
    published = seconds(shown_date(listed, how.now, ranked=how.ranked))
    return {
        "id": long_id(listed.id if number is None else number),
        "crawlTimeMsec": str(micros(one.came) // 1_000),
        "timestampUsec": str(micros(one.came)),
        "published": published,
        "updated": published,
        "title": title_of(one),
        "author": listed.author,
        "canonical": [{"href": url}],
        "alternate": [{"href": url, "type": "text/html"}],
        "categories": categories_of(one, how),
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


def categories_of(one: StreamArticle, how: Shown) -> list[str]:
    """Its states and labels. newsboat compares the first words of the read state literally."""
    state, labels = one.listed.state, how.labels
    found = [READING_LIST, READ if state.read else STATE + "fresh"]
    if state.starred:
        found.append(STARRED)
    if state.rating > 0:
        found += [LIKE, LABEL + labels.like]
    if state.rating < 0:
        found.append(LABEL + labels.dislike)
    if state.later and labels.later:
        found.append(LABEL + labels.later)
    found += [LABEL + name for name in one.listed.tags if name in labels.tags]
    found += [LABEL + name for name in one.categories]
    found += [LABEL + name for name in how.folders.get(one.listed.id, ())]
    return found


def refs_of(page: StreamPage) -> dict[str, Any]:
    """A page of numbers alone, in decimal."""
    answer: dict[str, Any] = {"itemRefs": [_ref(one) for one in page.refs]}
    if page.more:
        answer["continuation"] = continuation(page)
    return answer


def _ref(one: StreamRef) -> dict[str, Any]:
    return {"id": str(one.id), "directStreamIds": [], "timestampUsec": str(micros(one.came))}


def continuation(page: StreamPage) -> str:
    """Where the next page begins. A string: RSS Guard passes over numbers."""
    return str(page.refs[-1].arrival)


def contents(
    stream: str, title: str, items: Iterator[bytes], now: datetime, more: str = ""
) -> Iterator[bytes]:
    """An answer with articles, in parts: thousands of them need not be in memory at once.

    `items` are articles as JSON, each part one or more with commas between.
    """
    head: dict[str, Any] = {
        "direction": "ltr",
        "id": stream,
        "title": title,
        "updated": seconds(now),
    }
    # Before the articles: who reads as it comes learns first whether there is more.
    head |= {"continuation": more} if more else {}
    yield written(head)[:-1] + b',"items":['
    for place, each in enumerate(items):
        yield b"," + each if place else each
    yield b"]}"
