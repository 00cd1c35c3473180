"""Feeds, categories, icons, OPML and the user over the Miniflux API."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from yarl import URL

import newsloom
from newsloom.feeds.service import addresses, arranging, subscribing
from newsloom.kernel.errors import NotAFeed, NotFound, UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.syncing import UNCATEGORIZED, StreamKind, StreamPart, StreamQuery
from newsloom.sync.answers import HEADERS, values
from newsloom.sync.fields import BadRequest
from newsloom.sync.miniflux.entries import TRUE, no_content
from newsloom.sync.miniflux.request import MinifluxRequest
from newsloom.sync.miniflux.shapes import API_VERSION, Category, icon_of, user_of

CREATED = 201


def version(_request: MinifluxRequest) -> Response:
    """The Miniflux whose API this is, and in `commit` which Newsloom."""
    return values(
        {
            "version": API_VERSION,
            "commit": f"newsloom-{newsloom.__version__}",
            "build_date": "",
            "go_version": "",
            "compiler": "",
            "arch": "",
            "os": "",
        }
    )


def me(request: MinifluxRequest) -> Response:
    return values(user_of(request.user, request.syncing.name()))


def integrations(_request: MinifluxRequest) -> Response:
    """Saving an entry is always there: it is then to be read later."""
    return values({"has_integrations": True})


# --- feeds ---


def feeds(request: MinifluxRequest) -> Response:
    return values(list(request.feeds.values()))


def feed(request: MinifluxRequest, at: int) -> Response:
    return values(request.feed(at))


def counters(request: MinifluxRequest) -> Response:
    """Feeds with none are left out."""
    found = request.syncing.counts()
    reads = {str(at): read for at, (read, _unread) in found.items() if read}
    unreads = {str(at): unread for at, (_read, unread) in found.items() if unread}
    return values({"reads": reads, "unreads": unreads})


async def follow(request: MinifluxRequest) -> Response:
    """Follow the feed at an address, with a user name and password where it needs them."""
    address = request.text("feed_url") or ""
    if not address:
        raise BadRequest("The feed URL cannot be empty.")
    name, secret = request.text("username"), request.text("password")
    if name:
        address = str(URL(addresses.complete(address)).with_user(name).with_password(secret))
    at = request.whole("category_id")
    chosen = await run_in_threadpool(request.own_category, at) if at else None
    folder = UNCATEGORIZED if chosen is None else chosen.title
    added = await request.syncing.follow(address, folder)
    if not added.new:
        raise BadRequest("This feed already exists.")
    if request.flag("crawler"):
        await run_in_threadpool(request.syncing.reader.set_full_text, added.feed_id, True)
    request.forget()
    return values({"feed_id": added.feed_id}, CREATED)


def edit(request: MinifluxRequest, at: int) -> Response:
    """A feed's title, category, and whether its pages are fetched. Clients send other fields as
    they got them, which change nothing; another address is refused."""
    present = request.feed(at)
    address, title, crawler = (
        request.text("feed_url"),
        request.text("title"),
        request.flag("crawler"),
    )
    if address and address != present["feed_url"]:
        raise BadRequest("The address of a feed cannot be changed: add the other feed instead.")
    wanted = request.whole("category_id")
    folder = request.own_category(wanted).title if wanted else None
    renamed = title if title != present["title"] else None
    request.syncing.edit(FeedId(at), title=renamed, folder=folder)
    if crawler is not None and crawler != present["crawler"]:
        request.syncing.reader.set_full_text(FeedId(at), crawler)
    _keep(request, present["category"]["title"])
    return values(request.feed(at), CREATED)


def leave(request: MinifluxRequest, at: int) -> Response:
    present = request.feed(at)
    request.syncing.reader.unsubscribe(FeedId(at))
    _keep(request, present["category"]["title"])
    return no_content()


def _keep(request: MinifluxRequest, category: str) -> None:
    """A category stays without its last feed."""
    if category != UNCATEGORIZED:
        arranging.make(request.syncing.reader, category)
    request.forget()


def refresh_all(request: MinifluxRequest) -> Response:
    """With the next pass, those that may be polled already."""
    request.syncing.reader.feeds.refresh_all()
    return no_content()


def refresh(request: MinifluxRequest, at: int) -> Response:
    request.feed(at)
    request.syncing.reader.feeds.refresh(FeedId(at))
    return no_content()


def icon(request: MinifluxRequest, at: int) -> Response:
    request.feed(at)
    return values(icon_of(at, subscribing.icon(request.syncing.reader, FeedId(at))))


async def discover(request: MinifluxRequest) -> Response:
    """The feed at an address, and the others that its page names."""
    fetcher = request.syncing.reader.fetcher
    if fetcher is None:
        raise UserError("Nothing can be fetched here: there is no network.")
    try:
        address = request.text("url") or ""
        found = await addresses.find(fetcher, address, request.syncing.reader.documents())
    except NotAFeed as error:
        raise NotFound("resource not found") from error
    named = ((found.reply.request.url, found.title), *found.choices)
    return values([{"url": url, "title": title, "type": "rss"} for url, title in named])


def export(request: MinifluxRequest) -> Response:
    document = subscribing.export_opml(request.syncing.reader)
    return Response(document, 200, HEADERS, "text/xml; charset=utf-8")


def import_opml(request: MinifluxRequest) -> Response:
    request.import_opml()
    return values({"message": "Feeds imported successfully"}, CREATED)


# --- categories ---


def categories(request: MinifluxRequest) -> Response:
    """With counts=true also how many feeds and unread entries each has."""
    found = [one.json(request.user) for one in request.categories.values()]
    if request.fields.one("counts").lower() in TRUE:
        unread = StreamPart(StreamKind.UNREAD)
        used = [one.category for one in request.subscriptions]
        for shown, one in zip(found, request.categories.values(), strict=True):
            size, _came = request.syncing.size(StreamQuery(within=(one.part, unread)))
            shown |= {"feed_count": used.count(one.title), "total_unread": size}
    return values(found)


def category(request: MinifluxRequest, at: int) -> Response:
    return values(request.category(at).json(request.user))


def category_feeds(request: MinifluxRequest, at: int) -> Response:
    request.category(at)
    return values([one for one in request.feeds.values() if one["category"]["id"] == at])


def create_category(request: MinifluxRequest) -> Response:
    title = arranging.make(request.syncing.reader, _free_title(request))
    request.forget()
    return values(_named(request, title).json(request.user), CREATED)


def rename_category(request: MinifluxRequest, at: int) -> Response:
    """Its id changes with its title."""
    present = request.own_category(at)
    title = present.title
    if request.text("title") not in (None, title):
        title = _free_title(request)
        request.syncing.rename_folder(present.title, title)
        request.forget()
    return values(_named(request, title).json(request.user), CREATED)


def remove_category(request: MinifluxRequest, at: int) -> Response:
    """Its feeds stay, without a category. Miniflux would remove them too."""
    request.syncing.rename_folder(request.own_category(at).title, UNCATEGORIZED)
    request.forget()
    return no_content()


def refresh_category(request: MinifluxRequest, at: int) -> Response:
    title = request.category(at).title
    chosen = [one.feed_id for one in request.subscriptions if one.category == title]
    request.syncing.reader.feeds.refresh_all(chosen)
    return no_content()


def _named(request: MinifluxRequest, title: str) -> Category:
    return next(one for one in request.categories.values() if one.title == title)


def _free_title(request: MinifluxRequest) -> str:
    """The title in the body, which no category has yet. Raises UserError."""
    found = arranging.category_name(request.text("title") or "")
    if found in {one.title for one in request.categories.values()}:
        raise BadRequest("This category already exists.")
    return found
