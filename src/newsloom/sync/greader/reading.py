"""What the Google Reader API tells. Asks the reader, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from starlette.responses import Response, StreamingResponse

from newsloom.feeds.service import subscribing
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element, start_tag
from newsloom.reading.values.syncing import StreamKind, StreamPage, StreamPart, StreamQuery
from newsloom.sync.answers import HEADERS, plain_text, streamed, unless_known, values
from newsloom.sync.fields import WHOLE_SECONDS, BadRequest, moment, seconds
from newsloom.sync.greader import icons, items
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.greader.stream_ids import (
    LABEL,
    READING_LIST,
    STARRED,
    feed_stream,
    label_of,
)

# A stream as Atom, which older clients read (newsboat's `feedhq` mode). Pure.
#
# Read and unread are categories of Google Reader's scheme; newsboat posts an entry's id back.

SCHEME = "http://www.google.com/reader/"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"


def feed(
    stream: str, title: str, items: Iterator[dict[str, Any]], now: datetime
) -> Iterator[bytes]:
    """The document in parts, of articles as items.item_of makes them."""
    yield (
        DECLARATION
        + start_tag("feed", {"xmlns": ATOM})
        + element("id", f"tag:google.com,2005:reader/{stream}")
        + element("title", title)
        + element("updated", now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    ).encode()
    for one in items:
        yield _entry(one).encode()
    yield b"</feed>"


def _entry(item: dict[str, Any]) -> Markup:
    at = datetime.fromtimestamp(item["published"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    origin = item["origin"]
    return element(
        "entry",
        element("id", item["id"]),
        element("title", {"type": "text"}, item["title"]),
        element("published", at),
        element("updated", at),
        element("link", {"rel": "alternate", "href": item["canonical"][0]["href"]}),
        *(
            element("link", {"rel": "enclosure", "href": one["href"], "type": one["type"]})
            for one in item["enclosure"]
        ),
        element("author", element("name", item["author"])),
        *(
            element("category", {"term": one, "scheme": SCHEME, "label": one.rpartition("/")[2]})
            for one in item["categories"]
        ),
        element("source", element("id", origin["streamId"]), element("title", origin["title"])),
        element("content", {"type": "html"}, item["summary"]["content"]),
    )


# Articles of a page that has no `n`.
USUAL = 20
# Ids of one page; clients ask for up to 200,000 and go on where a page ended.
MOST_IDS = 10_000
# Articles of one page.
MOST_ARTICLES = 1_000


def _stream(request: GreaderRequest) -> str:
    """The stream of a request: in its path or as `s`; one alone. Raises BadRequest."""
    named = {request.rest} if request.rest else set(request.fields.all("s"))
    if len(named) > 1:
        raise BadRequest("One stream at a time.")
    return named.pop() if named else READING_LIST


def _query(request: GreaderRequest, most: int) -> StreamQuery:
    """Which articles a request asks for: s, xt, it, ot, nt, r, n and c. Raises BadRequest.

    Times are seconds, or less by their size, and mean when an article came, not its own date: one
    that is dated earlier than it came would be missed for ever. Times to come are now. With n=0 a
    page has as many as it may, as in FreshRSS.
    """
    fields, now = request.fields, request.now
    since, until = fields.whole("ot"), fields.whole("nt")
    return StreamQuery(
        within=tuple(request.part(one) for one in (_stream(request), *fields.all("it"))),
        without=tuple(request.part(one) for one in fields.all("xt")),
        since=None if since is None else _since(since, now),
        until=None if until is None else moment(until, now),
        after=fields.whole("c", least=1),
        oldest_first=fields.one("r") == "o",
        limit=min(fields.whole("n", USUAL) or most, most),
    )


def _since(given: int, now: datetime) -> datetime:
    """Fluent rounds the time of its last article to whole seconds, and not always down."""
    return moment(given, now) - (timedelta(seconds=1) if given < WHOLE_SECONDS else timedelta())


def user_info(request: GreaderRequest) -> Response:
    number = str(request.syncing.reader.user)
    return values(
        {
            "userId": number,
            "userName": request.who.name,
            "userProfileId": number,
            "userEmail": "",
            "isBloggerUser": False,
            "signupTimeSec": 0,
            "isMultiLoginEnabled": False,
        }
    )


def tag_list(request: GreaderRequest) -> Response:
    return unless_known(items.tag_list(request.labels), request.known)


def subscription_list(request: GreaderRequest) -> Response:
    # Liferea asks for articles only after an answer with a list in it: told that its list is right,
    # it would get none until a feed is added or removed.
    known = "" if request.is_liferea else request.known
    pictures = icons.addresses(request.services, request.base, request.subscriptions, request.icons)
    return unless_known(items.subscription_list(request.subscriptions, pictures), known)


def export(request: GreaderRequest) -> Response:
    document = subscribing.export_opml(request.syncing.reader)
    named = {"content-disposition": 'attachment; filename="newsloom.opml"'}
    return Response(document, 200, {**HEADERS, **named}, "text/x-opml; charset=utf-8")


def unread_count(request: GreaderRequest) -> Response:
    """Of every feed and label, and of all."""
    newest = request.syncing.newest_unread()
    counts = [
        (feed_stream(one.feed_id), one.unread, newest.get(one.feed_id))
        for one in request.subscriptions
    ]
    parts = {LABEL + name: label.part for name, label in request.labels.known.items()}
    for stream, part in {**parts, READING_LIST: StreamPart()}.items():
        query = StreamQuery(within=(part, StreamPart(StreamKind.UNREAD)))
        counts.append((stream, *request.syncing.size(query)))
    return values(items.unread_counts(counts))


def item_ids(request: GreaderRequest) -> Response:
    """Numbers alone, a page of them."""
    return values(items.refs_of(request.syncing.page(_query(request, MOST_IDS))))


def item_count(request: GreaderRequest) -> Response:
    """How many a stream has; with `a`, also when the last came."""
    count, came = request.syncing.size(replace(_query(request, MOST_IDS), after=None))
    when = f"#{came:%B %d, %Y}" if came and request.fields.one("a") == "true" else ""
    return plain_text(f"{count}{when}")


def item_contents(request: GreaderRequest) -> Response:
    """Articles by their numbers, in the order asked for. Numbers of nothing are passed over."""
    numbers = request.numbers()
    known = request.syncing.known(numbers)
    wanted = {one: known[ArticleId(one)].id for one in numbers if ArticleId(one) in known}
    return _contents(request, READING_LIST, "Articles", wanted, {})


def stream_contents(request: GreaderRequest) -> Response:
    """Articles of a stream, a page of them."""
    page, title = _page(request)
    found = {int(one.id): one.id for one in page.refs}
    return _contents(request, _stream(request), title, found, items.continuation(page))


def _contents(
    request: GreaderRequest,
    stream: str,
    title: str,
    wanted: Mapping[int, ArticleId],
    more: Mapping[str, str],
) -> Response:
    head = {"direction": "ltr", "id": stream, "title": title, "updated": seconds(request.now)}
    # Before the articles: who reads as it comes learns first whether there is more.
    return streamed({**head, **more}, "items", request.items(wanted))


def atom(request: GreaderRequest) -> Response:
    """The same page as Atom."""
    page, title = _page(request)
    found = chain.from_iterable(request.items({int(one.id): one.id for one in page.refs}))
    parts = feed(_stream(request), title, found, request.now)
    return StreamingResponse(parts, headers=HEADERS, media_type=MEDIA_TYPE)


def _page(request: GreaderRequest) -> tuple[StreamPage, str]:
    """The requested articles, and the title of their stream."""
    stream = _stream(request)
    titles = {feed_stream(one.feed_id): one.title for one in request.subscriptions}
    titles |= {READING_LIST: "All articles", STARRED: "Starred"}
    page = request.syncing.page(_query(request, MOST_ARTICLES))
    return page, titles.get(stream) or label_of(stream) or stream
