"""What the Google Reader API tells. Asks the reader, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.responses import Response, StreamingResponse

from newsloom.feeds.service import subscribing
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element, start_tag
from newsloom.reading.values.syncing import StreamKind, StreamPage, StreamPart, StreamQuery
from newsloom.sync.answers import HEADERS, plain_text, unless_known, values
from newsloom.sync.fields import WHOLE_SECONDS, BadRequest, Fields, moment
from newsloom.sync.greader import icons, items, lists, tokens
from newsloom.sync.greader.item_ids import item_ids as read_ids
from newsloom.sync.greader.liferea import is_liferea
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.greader.stream_ids import READING_LIST, STARRED, feed_stream, label_of

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


# Which articles a request asks for: s, xt, it, ot, nt, r, n and c. Pure.

USUAL = 20
# Ids of one page; clients ask for up to 200,000 and go on where a page ended.
MOST_IDS = 10_000
# Articles of one page.
MOST_ARTICLES = 1_000


def stream_query(
    fields: Fields, stream: str, part: Callable[[str], StreamPart], most: int, now: datetime
) -> StreamQuery:
    """The query of a request; `part` says what a stream's name means. Raises BadRequest.

    Times are seconds, or less by their size, and mean when an article came, not its own date: one
    that is dated earlier than it came would be missed for ever. Times to come are now. With n=0 a
    page has as many as it may, as in FreshRSS.
    """
    since, until = fields.whole("ot"), fields.whole("nt")
    after = fields.whole("c", least=1)
    return StreamQuery(
        within=tuple(part(one) for one in (stream or READING_LIST, *fields.all("it"))),
        without=tuple(part(one) for one in fields.all("xt")),
        since=None if since is None else _since(since, now),
        until=None if until is None else moment(until, now),
        after=after,
        oldest_first=fields.one("r") == "o",
        limit=min(fields.whole("n", USUAL) or most, most),
    )


def _since(given: int, now: datetime) -> datetime:
    """Fluent rounds the time of its last article to whole seconds, and not always down."""
    return moment(given, now) - (timedelta(seconds=1) if given < WHOLE_SECONDS else timedelta())


def asked_stream(fields: Fields, rest: str = "") -> str:
    """The stream of a request: in its path or as `s`; one alone. Raises BadRequest."""
    named = [rest] if rest else list(fields.all("s"))
    if len(set(named)) > 1:
        raise BadRequest("One stream at a time.")
    return named[0] if named else ""


JSON = "application/json; charset=utf-8"

# Ids whose contents are asked for at once.
MOST_CONTENTS = 10_000


def token(request: GreaderRequest) -> Response:
    """What changes are to carry."""
    return plain_text(tokens.for_changes(request.who))


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


def preferences(_asked: GreaderRequest) -> Response:
    return values({"prefs": []})


def stream_preferences(_asked: GreaderRequest) -> Response:
    return values({"streamprefs": {}})


def tag_list(request: GreaderRequest) -> Response:
    return unless_known(lists.tag_list(request.labels), request.known)


def subscription_list(request: GreaderRequest) -> Response:
    # Liferea asks for articles only after an answer with a list in it: told that its list is right,
    # it would get none until a feed is added or removed.
    known = "" if is_liferea(request.agent) else request.known
    tags = subscribing.icons(request.syncing.reader, request.subscriptions)
    pictures = icons.addresses(request.services, request.base, request.subscriptions, tags)
    return unless_known(lists.subscription_list(request.subscriptions, pictures), known)


def export(request: GreaderRequest) -> Response:
    document = subscribing.export_opml(request.syncing.reader)
    named = {"content-disposition": 'attachment; filename="newsloom.opml"'}
    return Response(document, 200, {**HEADERS, **named}, "text/x-opml; charset=utf-8")


def unread_count(request: GreaderRequest) -> Response:
    """Of every feed, category, folder and tag, and of all."""
    unread = StreamPart(StreamKind.UNREAD)

    labels = request.labels
    parts = [
        (name, StreamPart(StreamKind.CATEGORY, category=name)) for name in sorted(labels.categories)
    ]
    parts += [
        (name, StreamPart(StreamKind.THESE, these=folder.articles))
        for name, folder in labels.folders.items()
    ]
    parts += [(name, StreamPart(StreamKind.TAG, tag=name)) for name in labels.tags]
    parts += [(labels.later, StreamPart(StreamKind.LATER))] if labels.later else []
    counted = [
        (name, *request.syncing.size(StreamQuery(within=(part, unread)))) for name, part in parts
    ]
    return values(
        lists.unread_counts(
            request.subscriptions,
            request.syncing.newest_unread(),
            counted,
            request.syncing.size(StreamQuery(within=(unread,))),
        )
    )


def _query(request: GreaderRequest, stream: str, most: int) -> StreamQuery:
    return stream_query(request.fields, stream, request.part, most, request.services.now())


def item_ids(request: GreaderRequest) -> Response:
    """Numbers alone, a page of them."""
    page = request.syncing.page(_query(request, asked_stream(request.fields), MOST_IDS))
    return values(items.refs_of(page))


def item_count(request: GreaderRequest) -> Response:
    """How many a stream has; with `a`, also when the last came."""
    query = _query(request, asked_stream(request.fields), MOST_IDS)
    count, came = request.syncing.size(replace(query, after=None))
    when = f"#{came:%B %d, %Y}" if came and request.fields.one("a") == "true" else ""
    return plain_text(f"{count}{when}")


def item_contents(request: GreaderRequest) -> Response:
    """Articles by their numbers, in the order asked for. Numbers of nothing are passed over."""
    if not request.fields.all("i"):
        raise BadRequest("Missing i=... (article id).")
    numbers = read_ids(request.fields.all("i"))
    if len(request.fields.all("i")) > MOST_CONTENTS:
        raise BadRequest(f"No more than {MOST_CONTENTS:,} articles can be requested at once.")
    known = request.syncing.known(numbers)
    wanted = [
        (number, known[ArticleId(number)].id) for number in numbers if ArticleId(number) in known
    ]
    parts = items.contents(
        READING_LIST, "Articles", request.written_items(wanted), request.services.now()
    )
    return StreamingResponse(parts, headers=HEADERS, media_type=JSON)


def stream_contents(request: GreaderRequest) -> Response:
    """Articles of a stream, a page of them."""
    stream, page = _page(request)
    parts = items.contents(
        stream,
        _title(request, stream),
        request.written_items([(one.id, one.id) for one in page.refs]),
        request.services.now(),
        items.continuation(page) if page.more else "",
    )
    return StreamingResponse(parts, headers=HEADERS, media_type=JSON)


def atom(request: GreaderRequest) -> Response:
    """The same page as Atom."""
    stream, page = _page(request)
    found = request.items([(one.id, one.id) for one in page.refs])
    parts: Iterator[bytes] = feed(stream, _title(request, stream), found, request.services.now())
    return StreamingResponse(parts, headers=HEADERS, media_type=MEDIA_TYPE)


def _page(request: GreaderRequest) -> tuple[str, StreamPage]:
    stream = asked_stream(request.fields, request.rest) or READING_LIST
    page = request.syncing.page(_query(request, stream, MOST_ARTICLES))
    return stream, page


def _title(request: GreaderRequest, stream: str) -> str:
    titles = {feed_stream(one.feed_id): one.title for one in request.subscriptions}
    named = {READING_LIST: "All articles", STARRED: "Starred"} | titles
    return named.get(stream) or label_of(stream) or stream
