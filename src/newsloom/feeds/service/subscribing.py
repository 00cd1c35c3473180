"""Following feeds: by address, by lists of feeds; and the icons of their sites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.text.urls import without_password
from newsloom.reading.values.results import Added, Imported

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.feeds.parse.opml import LeftOut, OutlineFeed
    from newsloom.feeds.values.pages import SiteIcon
    from newsloom.kernel.ids import FeedId
    from newsloom.reading.values.reading import Subscription

# Pages of a list whose feeds are looked for: somebody waits, for at most so long.
MOST_DISCOVERED = 20
DISCOVERY_SECONDS = 30
OPML_TYPES = "text/x-opml, application/xml, text/xml, */*;q=0.1"


async def add(reader: Reader, address: str, category: str = "") -> Added:
    """Subscribe to a feed, to the likeliest of a site's, or to the first a page links to.

    Raises UserError with words when the address cannot be had, NotAFeed when nothing there is
    a feed.
    """
    fetcher = reader.fetcher
    if fetcher is None:
        raise UserError("Feeds cannot be added here: there is no network.")
    import asyncio

    from newsloom.feeds.service import addresses
    from newsloom.feeds.values.polling import PollCounts

    # What is polled for others already is not asked once more for everybody who joins them.
    url = addresses.complete(address)
    title = await asyncio.to_thread(reader.store.reading.polled_feed, url)
    if title is not None:
        feed, new = await asyncio.to_thread(
            reader.store.reading.subscribe, reader.user, url, reader.now(), category=category
        )
        reader.on_change()
        return Added(feed, url, title, new)
    found = await addresses.find(fetcher, address, reader.documents())
    url = found.reply.request.url
    feed, new = await asyncio.to_thread(
        reader.store.reading.subscribe, reader.user, url, reader.now(), category=category
    )
    counts = await reader.first_poll(fetcher, feed, found.reply) if new else PollCounts()
    reader.on_change()
    return Added(feed, url, found.title, new, counts.new + counts.duplicates, found.choices)


def icon(reader: Reader, feed: FeedId) -> SiteIcon:
    """The icon of a feed's site. Raises NotFound when there is none to show."""
    from newsloom.feeds.site_icons import home_of, site_key

    home = reader.store.sites.feed_home(reader.user, feed)
    found = reader.store.sites.icon(site_key(home_of(*home))) if home else None
    if found is None:
        raise NotFound(f"Feed {feed} has no icon.")
    return found


def icons(reader: Reader, subscriptions: Sequence[Subscription]) -> Mapping[FeedId, str]:
    """Which of the feeds have an icon, and what changes when it does."""
    tags = reader.store.sites.icon_tags()
    if not tags:
        return {}
    from newsloom.feeds.site_icons import home_of, site_key

    keys = {one.feed_id: site_key(home_of(one.url, one.site_url)) for one in subscriptions}
    return {feed: tags[key] for feed, key in keys.items() if key in tags}


def import_opml(reader: Reader, document: bytes) -> int:
    """Subscribe to every feed of an OPML file; how many are new. They are polled when due."""
    outline = reader.documents().outline(document)
    return _imported(reader, outline.feeds, outline.left_out).new


async def import_list(reader: Reader, document: bytes) -> Imported:
    """The same, and what of it was not imported. Where the list knows only the page of a site, its
    feed is looked for, for the first MOST_DISCOVERED."""
    import asyncio

    from newsloom.feeds.parse.opml import LeftOut

    outline = await asyncio.to_thread(reader.documents().outline, document)
    found = await asyncio.gather(
        *map(partial(_feed_of_page, reader), outline.pages[:MOST_DISCOVERED])
    )
    feeds = [one for one in found if not isinstance(one, LeftOut)]
    left_out = [one for one in found if isinstance(one, LeftOut)]
    left_out += [
        LeftOut(one.title, one.url, "only its page is known; add it by hand")
        for one in outline.pages[MOST_DISCOVERED:]
    ]
    return await asyncio.to_thread(
        _imported, reader, (*outline.feeds, *feeds), (*outline.left_out, *left_out)
    )


async def _feed_of_page(reader: Reader, page: OutlineFeed) -> OutlineFeed | LeftOut:
    import asyncio

    from newsloom.feeds.parse.opml import LeftOut
    from newsloom.feeds.service import addresses

    reason = "only its page is known, and there is no network"
    if reader.fetcher is not None:
        try:
            async with asyncio.timeout(DISCOVERY_SECONDS):
                found = await addresses.find(reader.fetcher, page.url, reader.documents())
            return replace(page, url=found.reply.request.url)
        except UserError as error:
            reason = f"only its page is known: {str(error).rstrip('.')}"
        except TimeoutError:
            reason = "only its page is known, which took too long to answer"
    return LeftOut(page.title, page.url, reason)


def _imported(
    reader: Reader, feeds: Sequence[OutlineFeed], left_out: Sequence[LeftOut]
) -> Imported:
    if not feeds:
        why = f" {left_out[0].title or left_out[0].url}: {left_out[0].reason}." if left_out else ""
        raise UserError(f"That file lists no feeds.{why}")
    new = follow_all(reader, [(one.url, one.title, one.category) for one in feeds])
    return Imported(new, tuple(left_out))


def follow_all(reader: Reader, wanted: Sequence[tuple[str, str, str]]) -> int:
    """Subscribe to feeds, each an address, a title and a category: how many are new. All or none.

    Those that nobody has followed before are due at once.
    """
    new = reader.store.reading.subscribe_all(reader.user, wanted, reader.now())
    reader.on_change()
    return new


async def import_opml_from(reader: Reader, address: str) -> Imported:
    """The same for a list at an address. Raises UserError with words when it cannot be had."""
    if reader.fetcher is None:
        raise UserError("Nothing can be fetched here: there is no network.")
    from newsloom.feeds.parse.opml import LARGEST_BODY
    from newsloom.feeds.service import addresses
    from newsloom.kernel.http.values import Request

    request = Request(
        url=addresses.complete(address),
        accept=OPML_TYPES,
        max_megabytes=LARGEST_BODY / 1_000_000,
    )
    reply = await addresses.get(reader.fetcher, request)
    return await import_list(reader, reply.body)


def export_opml(reader: Reader, *, passwords: bool = False) -> bytes:
    """What can be followed anywhere: not what was imported or comes over a bridge. Feeds' passwords
    are left out unless asked for."""
    from newsloom.feeds.parse.opml import write_opml

    found = [one for one in reader.subscriptions() if one.url.startswith(("http://", "https://"))]
    written = write_opml(found)
    return written if passwords else without_password(written.decode()).encode()


def with_passwords(reader: Reader) -> int:
    """How many feeds have a password in their address."""
    return sum(one.url != without_password(one.url) for one in reader.subscriptions())
