"""What the Google Reader API changes. Answers `OK` and nothing after it: clients compare all."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from newsloom.feeds.service import arranging
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading import tag_names as tags
from newsloom.reading.service import annotating
from newsloom.reading.values.syncing import UNCATEGORIZED, StreamKind
from newsloom.sync.answers import plain_text, values
from newsloom.sync.fields import BadRequest, moment
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.greader.stream_ids import (
    FEED,
    Label,
    Said,
    feed_number,
    feed_stream,
    label_of,
    meaning,
)
from newsloom.sync.service import Syncing

OK = "OK"


def nothing(_request: GreaderRequest) -> Response:
    return plain_text(OK)


def edit_tag(request: GreaderRequest) -> Response:
    """States and labels of articles: `a` is added, `r` taken away, both any number of times.

    All is understood before anything is done.
    """
    numbers = request.numbers()
    said = [_said(request, one, given=False) for one in request.fields.all("r")]
    said += [_said(request, one, given=True) for one in request.fields.all("a")]
    for say in said:
        say(request.syncing, numbers)
    return plain_text(OK)


def _said(request: GreaderRequest, stream: str, *, given: bool) -> Said:
    """What it says of articles that they are given a state or a label, or that it is taken off."""
    found = meaning(stream, request.labels)
    said = found.given if given else found.taken
    if said is not None:
        return said
    label = label_of(stream) or ""
    if tags.key(label) in request.labels.taken:
        raise BadRequest(f"{label!r} is not for articles: it is a category or filled by Newsloom.")
    try:
        name = tags.name(tags.from_label(label))
    except ValueError as refused:
        raise BadRequest(str(refused)) from None
    return partial(Syncing.tag, name=name, given=given)


def mark_all_as_read(request: GreaderRequest) -> Response:
    """All of a stream that came until `ts`, or until now."""
    given = request.fields.whole("ts")
    until = request.now if given is None else moment(given, request.now)
    streams = request.fields.all("s")
    if not streams:
        raise BadRequest("Missing s=... (stream).")
    for part in [request.part(one) for one in streams]:
        request.syncing.clear([part], until)
    return plain_text(OK)


def rename_tag(request: GreaderRequest) -> Response:
    """A category's name, or a tag's."""
    new = label_of(request.fields.one("dest"))
    if not new:
        raise BadRequest("Missing dest=user/-/label/... (new name).")
    old, label = _named(request)[0]
    if label.part.tag:
        if tags.key(new) in request.labels.taken:
            raise BadRequest(f"{new!r} is something else already: no tag can be called so.")
        annotating.rename_tag(request.syncing.reader, label.part.tag, tags.from_label(new))
    elif label.part.category:
        request.syncing.rename_folder(old, _category_name(request, new))
        request.forget()
    else:
        raise NotFound(f"There is no category {old[:80]!r}.")
    return plain_text(OK)


def disable_tag(request: GreaderRequest) -> Response:
    """Remove categories, whose feeds stay, or tags. One that is not there is removed already."""
    for name, label in _named(request):
        if label.part.tag:
            annotating.drop_tag(request.syncing.reader, label.part.tag)
        else:
            request.syncing.rename_folder(name, UNCATEGORIZED)
    request.forget()
    return plain_text(OK)


def _named(request: GreaderRequest) -> list[tuple[str, Label]]:
    """Categories and tags as `s`, or as `t`, a bare name. Raises BadRequest."""
    names = [label_of(one) or "" for one in request.fields.all("s")] or [request.fields.one("t")]
    found = [(one, request.labels.find(one)) for one in names]
    for name, label in found:
        if label.part.kind not in (StreamKind.CATEGORY, StreamKind.TAG, StreamKind.NOTHING):
            raise BadRequest(f"{name!r} is built in and cannot be renamed or removed.")
    return found


def _category_name(request: GreaderRequest, name: str) -> str:
    """A name that a category may be given. Raises UserError."""
    clean = arranging.category_name(name)
    if clean in (request.services.terms.like, request.services.terms.dislike):
        raise BadRequest(f"{clean!r} is built in and cannot be the name of a category.")
    return clean


async def edit_subscription(request: GreaderRequest) -> Response:
    """Follow, leave, rename and file feeds: `ac`, with `s` any number of times, `t`, `a`, `r`."""
    action, streams = request.fields.one("ac"), request.fields.all("s")
    titles = request.fields.all("t")
    if not streams or not all(one.startswith(FEED) for one in streams):
        raise BadRequest("Missing s=feed/...")
    if len(titles) not in (0, len(streams)):
        raise BadRequest("There is to be a title t for each s, or none.")
    if action not in ("subscribe", "edit", "unsubscribe"):
        raise BadRequest(f"ac must be subscribe, edit or unsubscribe, not {action[:80]!r}.")
    for stream, title in zip_longest(streams, titles, fillvalue=""):
        name = stream.removeprefix(FEED)
        if action == "subscribe":
            added = await request.syncing.follow(name, _filed(request, UNCATEGORIZED))
            if title:
                await run_in_threadpool(partial(request.syncing.edit, added.feed_id, title=title))
        else:
            change = _leave if action == "unsubscribe" else _edit
            await run_in_threadpool(change, request, name, title)
    request.forget()
    return plain_text(OK)


def _leave(request: GreaderRequest, name: str, _title: str) -> None:
    """Away; one that was left already is as it should be."""
    found = feed_number(name, request.feeds)
    if found is not None:
        request.syncing.reader.unsubscribe(found)


def _edit(request: GreaderRequest, name: str, title: str) -> None:
    found = feed_number(name, request.feeds)
    if found is None:
        raise NotFound(f"You do not follow {name[:200]!r}.")
    present = next(one.category for one in request.subscriptions if one.feed_id == found)
    folder = _filed(request, present)
    request.syncing.edit(found, title=title, folder=folder if folder != present else None)


def _filed(request: GreaderRequest, present: str) -> str:
    """The folder after `r` and `a`; a feed has one, so the last that is added stands."""
    removed = {label_of(one) for one in request.fields.all("r")}
    folder = UNCATEGORIZED if present in removed else present
    for one in request.fields.all("a"):
        label = label_of(one)
        if label is None:
            raise BadRequest(f"Not a label: {one[:80]!r}.")
        folder = _category_name(request, label) if label else folder
    return folder


async def quickadd(request: GreaderRequest) -> Response:
    """Follow what is at an address. What came of it is told in words, not by the status."""
    address = request.fields.one("quickadd").removeprefix(FEED)
    if not address:
        raise BadRequest("Missing quickadd=...")
    answer: dict[str, object] = {"query": address, "numResults": 0}
    try:
        added = await request.syncing.follow(address)
    except UserError as error:
        return values(answer | {"error": str(error)})
    if not added.new:
        return values(answer | {"error": f"Already subscribed! {added.url}"})
    request.forget()
    named = {"streamId": feed_stream(added.feed_id), "streamName": added.title or added.url}
    return values({"query": added.url, "numResults": 1, **named})


def import_opml(request: GreaderRequest) -> Response:
    """Follow every feed of a list."""
    request.import_opml()
    return plain_text(OK)
