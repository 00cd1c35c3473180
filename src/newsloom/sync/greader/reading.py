"""What the Google Reader API tells. Asks the reader, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from starlette.responses import Response, StreamingResponse

from newsloom.feeds.service import subscribing
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.syncing import StreamKind, StreamPage, StreamPart, StreamQuery
from newsloom.sync.answers import HEADERS, unless_known, values, words
from newsloom.sync.fields import BadRequest
from newsloom.sync.greader import atom as atom_format
from newsloom.sync.greader import icons, items, lists, tokens
from newsloom.sync.greader.asked import Asked
from newsloom.sync.greader.item_ids import item_ids as read_ids
from newsloom.sync.greader.liferea import is_liferea
from newsloom.sync.greader.queries import (
    MOST_ARTICLES,
    MOST_IDS,
    asked_stream,
    stream_query,
)
from newsloom.sync.greader.stream_ids import READING_LIST, STARRED, feed_stream, label_of

JSON = "application/json; charset=utf-8"

# Ids whose contents are asked for at once.
MOST_CONTENTS = 10_000


def token(asked: Asked) -> Response:
    """What changes are to carry."""
    return words(tokens.for_changes(asked.who))


def user_info(asked: Asked) -> Response:
    number = str(asked.syncing.reader.user)
    return values(
        {
            "userId": number,
            "userName": asked.who.name,
            "userProfileId": number,
            "userEmail": "",
            "isBloggerUser": False,
            "signupTimeSec": 0,
            "isMultiLoginEnabled": False,
        }
    )


def preferences(_asked: Asked) -> Response:
    return values({"prefs": []})


def stream_preferences(_asked: Asked) -> Response:
    return values({"streamprefs": {}})


def tag_list(asked: Asked) -> Response:
    return unless_known(lists.tag_list(asked.labels), asked.known)


def subscription_list(asked: Asked) -> Response:
    # Liferea asks for articles only after an answer with a list in it: told that its list is right,
    # it would get none until a feed is added or removed.
    known = "" if is_liferea(asked.agent) else asked.known
    tags = asked.syncing.reader.icons(asked.subscriptions)
    pictures = icons.addresses(asked.services, asked.base, asked.subscriptions, tags)
    return unless_known(lists.subscription_list(asked.subscriptions, pictures), known)


def export(asked: Asked) -> Response:
    document = subscribing.export_opml(asked.syncing.reader)
    named = {"content-disposition": 'attachment; filename="newsloom.opml"'}
    return Response(document, 200, {**HEADERS, **named}, "text/x-opml; charset=utf-8")


def unread_count(asked: Asked) -> Response:
    """Of every feed, category, folder and tag, and of all."""
    unread = StreamPart(StreamKind.UNREAD)

    labels = asked.labels
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
        (name, *asked.syncing.size(StreamQuery(within=(part, unread)))) for name, part in parts
    ]
    return values(
        lists.unread_counts(
            asked.subscriptions,
            asked.syncing.newest_unread(),
            counted,
            asked.syncing.size(StreamQuery(within=(unread,))),
        )
    )


def _query(asked: Asked, stream: str, most: int) -> StreamQuery:
    return stream_query(asked.fields, stream, asked.part, most, asked.services.now())


def item_ids(asked: Asked) -> Response:
    """Numbers alone, a page of them."""
    page = asked.syncing.page(_query(asked, asked_stream(asked.fields), MOST_IDS))
    return values(items.refs_of(page))


def item_count(asked: Asked) -> Response:
    """How many a stream has; with `a`, also when the last came."""
    query = _query(asked, asked_stream(asked.fields), MOST_IDS)
    count, came = asked.syncing.size(replace(query, after=None))
    when = f"#{came:%B %d, %Y}" if came and asked.fields.one("a") == "true" else ""
    return words(f"{count}{when}")


def item_contents(asked: Asked) -> Response:
    """Articles by their numbers, in the order asked for. Numbers of nothing are passed over."""
    if not asked.fields.all("i"):
        raise BadRequest("No number of an article is given: i=...")
    numbers = read_ids(asked.fields.all("i"))
    if len(asked.fields.all("i")) > MOST_CONTENTS:
        raise BadRequest(f"No more than {MOST_CONTENTS:,} articles can be asked for at once.")
    known = asked.syncing.known(numbers)
    wanted = [
        (number, known[ArticleId(number)].id) for number in numbers if ArticleId(number) in known
    ]
    parts = items.contents(
        READING_LIST, "Articles", asked.written_items(wanted), asked.services.now()
    )
    return StreamingResponse(parts, headers=HEADERS, media_type=JSON)


def stream_contents(asked: Asked) -> Response:
    """Articles of a stream, a page of them."""
    stream, page = _page(asked)
    parts = items.contents(
        stream,
        _title(asked, stream),
        asked.written_items([(one.id, one.id) for one in page.refs]),
        asked.services.now(),
        items.continuation(page) if page.more else "",
    )
    return StreamingResponse(parts, headers=HEADERS, media_type=JSON)


def atom(asked: Asked) -> Response:
    """The same page as Atom."""
    stream, page = _page(asked)
    found = asked.items([(one.id, one.id) for one in page.refs])
    parts: Iterator[bytes] = atom_format.feed(
        stream, _title(asked, stream), found, asked.services.now()
    )
    return StreamingResponse(parts, headers=HEADERS, media_type=atom_format.MEDIA_TYPE)


def _page(asked: Asked) -> tuple[str, StreamPage]:
    stream = asked_stream(asked.fields, asked.rest) or READING_LIST
    page = asked.syncing.page(_query(asked, stream, MOST_ARTICLES))
    return stream, page


def _title(asked: Asked, stream: str) -> str:
    titles = {feed_stream(one.feed_id): one.title for one in asked.subscriptions}
    named = {READING_LIST: "All articles", STARRED: "Starred"} | titles
    return named.get(stream) or label_of(stream) or stream
