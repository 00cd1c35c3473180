"""What the Google Reader API changes. Answers `OK` and nothing after it: clients compare all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import NotFound, ParseError, UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading import tag_names as tags
from newsloom.reading.service import annotating
from newsloom.reading.values.reading import EventKind
from newsloom.reading.values.syncing import UNCATEGORIZED, StreamKind
from newsloom.sync.answers import plain_text, values
from newsloom.sync.fields import BadRequest, moment
from newsloom.sync.greader.item_ids import item_ids
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.greader.stream_ids import (
    FEED,
    Labels,
    feed_number,
    feed_stream,
    label_of,
    state_of,
)
from newsloom.sync.service import Syncing

# Articles that one request can mark.
MOST_MARKED = 10_000

LIKES, DISLIKES = 1, -1

Said = Callable[[Syncing, Sequence[int]], object]


def _say(kind: EventKind) -> Said:
    return lambda syncing, ids: syncing.mark(ids, kind)


# What adding and taking away each state says of an article. The states that only follow other
# clients' habits say nothing.
ADDED: Mapping[str, EventKind | None] = {
    "read": EventKind.READ,
    "kept-unread": EventKind.UNREAD,
    "unread": EventKind.UNREAD,
    "starred": EventKind.STAR,
    "like": EventKind.LIKE,
    "fresh": None,
    "reading-list": None,
    "tracking-kept-unread": None,
    "broadcast": None,
}
TAKEN: Mapping[str, EventKind | None] = {
    "read": EventKind.UNREAD,
    "unread": EventKind.READ,
    "starred": EventKind.UNSTAR,
    "kept-unread": None,
    "fresh": None,
    "reading-list": None,
    "tracking-kept-unread": None,
    "broadcast": None,
}

OK = "OK"


def nothing(_asked: GreaderRequest) -> Response:
    return plain_text(OK)


def edit_tag(request: GreaderRequest) -> Response:
    """States and labels of articles: `a` is added, `r` taken away, both any number of times.

    All is understood before anything is done.
    """
    given = request.fields.all("i")
    if not given:
        raise BadRequest("Missing i=... (article id).")
    if len(given) > MOST_MARKED:
        raise BadRequest(f"At most {MOST_MARKED:,} articles at once.")
    numbers = item_ids(given)
    said = [_taken_away(one, request) for one in request.fields.all("r")]
    said += [_added(one, request) for one in request.fields.all("a")]
    for one in said:
        if one is not None:
            one(request.syncing, numbers)
    return plain_text(OK)


def _added(stream: str, request: GreaderRequest) -> Said | None:
    state = state_of(stream)
    if state is not None:
        kind = _of_state(ADDED, state)
        return None if kind is None else _say(kind)
    label = _own_label(stream, request.labels)
    says = {
        request.labels.like: EventKind.LIKE,
        request.labels.dislike: EventKind.DISLIKE,
        request.labels.later: EventKind.LATER,
    }
    return _say(says[label]) if label in says else _tagged(label, given=True)


def _taken_away(stream: str, request: GreaderRequest) -> Said | None:
    state = state_of(stream)
    if state == "like":
        return lambda syncing, ids: syncing.unrate(ids, LIKES)
    if state is not None:
        kind = _of_state(TAKEN, state)
        return None if kind is None else _say(kind)
    label = _own_label(stream, request.labels)
    if label == request.labels.later:
        return _say(EventKind.NOT_LATER)
    ratings = {request.labels.like: LIKES, request.labels.dislike: DISLIKES}
    if label not in ratings:
        return _tagged(label, given=False)
    return lambda syncing, ids: syncing.unrate(ids, ratings[label])


def _tagged(label: str, *, given: bool) -> Said:
    try:
        name = tags.name(tags.from_label(label))
    except ValueError as refused:
        raise BadRequest(str(refused)) from None
    return lambda syncing, ids: syncing.tag(ids, name, given=given)


def _of_state(known: Mapping[str, EventKind | None], state: str) -> EventKind | None:
    if state not in known:
        raise BadRequest(f"There is no such state: {state[:80]!r}.")
    return known[state]


def _own_label(stream: str, labels: Labels) -> str:
    """A label that articles can have: like, dislike, later or a tag. Raises BadRequest."""
    label = label_of(stream)
    if label is None:
        raise BadRequest(f"Not a label: {stream[:80]!r}.")
    if label in (labels.like, labels.dislike, labels.later):
        return label
    if label in labels.folders:
        raise BadRequest(f"What is in {label!r} is managed by Newsloom.")
    if labels.means(label):
        raise BadRequest(
            f"{label!r} is a category, which feeds have, or a label of Newsloom's own."
        )
    return label


def mark_all_as_read(request: GreaderRequest) -> Response:
    """All of a stream that came until `ts`, or until now."""
    now = request.services.now()
    given = request.fields.whole("ts")
    until = now if given is None else moment(given, now)
    streams = request.fields.all("s")
    if not streams:
        raise BadRequest("Missing s=... (stream).")
    parts = [request.part(one) for one in streams]
    for part in parts:
        if part.kind is not StreamKind.READ:
            request.syncing.clear([part], until)
    return plain_text(OK)


def rename_tag(request: GreaderRequest) -> Response:
    """A category's name, or a tag's."""
    new = label_of(request.fields.one("dest"))
    if not new:
        raise BadRequest("Missing dest=user/-/label/... (new name).")
    for tag in _tags_of(request)[:1]:
        if request.labels.means(new):
            raise BadRequest(f"{new!r} is something else already: no tag can be called so.")
        annotating.rename_tag(request.syncing.reader, tag, tags.from_label(new))
        return plain_text(OK)
    named = _checked_name(new, request.labels)
    for old in _categories(request)[:1]:
        if old not in request.labels.categories:
            raise NotFound(f"There is no category {old[:80]!r}.")
        request.syncing.rename_folder(old, named)
    _forget(request)
    return plain_text(OK)


def disable_tag(request: GreaderRequest) -> Response:
    """Remove categories, whose feeds stay, or tags. One that is not there is removed already."""
    for tag in (found := _tags_of(request)):
        annotating.drop_tag(request.syncing.reader, tag)
    if found:
        return plain_text(OK)
    for old in _categories(request):
        request.syncing.rename_folder(old, UNCATEGORIZED)
    _forget(request)
    return plain_text(OK)


def _tags_of(request: GreaderRequest) -> list[str]:
    """The reader's tags among what a request names, if it names nothing else."""
    found = [request.labels.tag(one) for one in _named(request)]
    return [one for one in found if one] if all(found) else []


def _named(request: GreaderRequest) -> list[str]:
    """Labels as `s`, or as `t`, a bare name."""
    return [label_of(one) or "" for one in request.fields.all("s")] or [request.fields.one("t")]


def _categories(request: GreaderRequest) -> list[str]:
    """The names of categories that a request gives. Raises BadRequest."""
    given = _named(request)
    for one in given:
        if one in request.labels.folders or one in (request.labels.like, request.labels.dislike):
            raise BadRequest(f"{one!r} is built in and cannot be renamed or removed.")
    return given


def _checked_name(name: str, labels: Labels) -> str:
    """A name that a category may be given."""
    clean = " ".join(name.split())
    if clean in (labels.like, labels.dislike):
        raise BadRequest(f"{clean!r} is built in and cannot be the name of a category.")
    if not clean or len(clean) > 200:
        raise BadRequest("A category name can have up to 200 characters.")
    return clean


def _forget(request: GreaderRequest) -> None:
    request.services.folders.forget(request.syncing.reader.user)


async def edit_subscription(request: GreaderRequest) -> Response:
    """Follow, leave, rename and file feeds: `ac`, with `s` any number of times, `t`, `a`, `r`."""
    action, streams = request.fields.one("ac"), request.fields.all("s")
    titles = request.fields.all("t")
    acts: Mapping[str, Callable[[GreaderRequest, str, str], object]] = {
        "unsubscribe": _leave,
        "edit": _edit,
    }
    if not streams or not all(one.startswith(FEED) for one in streams):
        raise BadRequest("Missing s=feed/...")
    if len(titles) not in (0, len(streams)):
        raise BadRequest("There is to be a title t for each s, or none.")
    each = tuple(zip(streams, titles or [""] * len(streams), strict=True))
    if action == "subscribe":
        for stream, title in each:
            await _follow(request, stream.removeprefix(FEED), title)
    elif action in acts:
        for stream, title in each:
            await run_in_threadpool(acts[action], request, stream, title)
    else:
        raise BadRequest(f"ac must be subscribe, edit or unsubscribe, not {action[:80]!r}.")
    _forget(request)
    return plain_text(OK)


async def _follow(request: GreaderRequest, address: str, title: str) -> None:
    reader = request.syncing.reader
    folder = await run_in_threadpool(_filed, request, UNCATEGORIZED)
    added = await reader.add(address, _category(folder))
    if title:
        await run_in_threadpool(partial(reader.edit, added.feed_id, title=title))


def _leave(request: GreaderRequest, stream: str, _title: str) -> None:
    """Away; one that was left already is as it should be."""
    found = feed_number(stream.removeprefix(FEED), request.feeds)
    if found is not None:
        request.syncing.reader.unsubscribe(found)


def _edit(request: GreaderRequest, stream: str, title: str) -> None:
    feed = _followed(request, stream)
    present = next(one.category for one in request.subscriptions if one.feed_id == feed)
    folder = _filed(request, present)
    request.syncing.reader.edit(
        feed,
        title=title or None,
        category=_category(folder) if folder != present else None,
    )


def _followed(request: GreaderRequest, stream: str) -> FeedId:
    found = feed_number(stream.removeprefix(FEED), request.feeds)
    if found is None:
        raise NotFound(f"You do not follow {stream[:200]!r}.")
    return found


def _category(folder: str) -> str:
    return "" if folder == UNCATEGORIZED else folder


def _filed(request: GreaderRequest, present: str) -> str:
    """The folder after `r` and `a`; a feed has one, so the last that is added stands."""
    removed = {label_of(one) for one in request.fields.all("r")}
    folder = UNCATEGORIZED if present in removed else present
    for one in request.fields.all("a"):
        label = label_of(one)
        if label is None:
            raise BadRequest(f"Not a label: {one[:80]!r}.")
        folder = _checked_name(label, request.labels) if label else folder
    return folder


async def quickadd(request: GreaderRequest) -> Response:
    """Follow what is at an address. What came of it is told in words, not by the status."""
    address = request.fields.one("quickadd").removeprefix(FEED)
    if not address:
        raise BadRequest("Missing quickadd=...")
    answer: dict[str, object] = {"query": address, "numResults": 0}
    try:
        added = await request.syncing.reader.add(address)
    except UserError as error:
        return values(answer | {"error": str(error)})
    if not added.new:
        return values(answer | {"error": f"Already subscribed! {added.url}"})
    _forget(request)
    named = {"streamId": feed_stream(added.feed_id), "streamName": added.title or added.url}
    return values({"query": added.url, "numResults": 1, **named})


def import_opml(request: GreaderRequest) -> Response:
    """Follow every feed of a list."""
    try:
        subscribing.import_opml(request.syncing.reader, request.body)
    except (UserError, ParseError) as error:
        raise BadRequest(str(error)) from error
    _forget(request)
    return plain_text(OK)
