"""Calls of `store.sites`; those of them that only read."""

from __future__ import annotations

from newsloom.feeds.values.pages import FetchedPage, KnownRobots, SiteIcon
from newsloom.feeds.values.polling import Pause
from store.builders import HOUR, NOW

from .made import FEED, ONE, USER

CALLS = {
    "pauses": lambda s: s.sites.pauses(NOW),
    "pause_host": lambda s: s.sites.pause_host(Pause("x.test", NOW, NOW, "asked")),
    "take_host": lambda s: s.sites.take_host("x.test", owner="x", now=NOW, until=NOW, wish=HOUR),
    "wanted_hosts": lambda s: s.sites.wanted_hosts("x", NOW),
    "keep_hosts": lambda s: s.sites.keep_hosts("x", NOW),
    "give_back_hosts": lambda s: s.sites.give_back_hosts("x", {}, now=NOW, long_ago=NOW),
    "wake": lambda s: s.sites.wake(NOW, furthest=NOW, slack=NOW),
    "followed_sites": lambda s: s.sites.followed_sites(NOW),
    "icons_by_site": lambda s: s.sites.icons_by_site(),
    "put_icons": lambda s: s.sites.put_icons([SiteIcon("x.test", "https://x.test/i", NOW)]),
    "icon": lambda s: s.sites.icon("x.test"),
    "icon_tags": lambda s: s.sites.icon_tags(),
    "picture_key": lambda s: s.sites.picture_key(b"k" * 32),
    "feed_home": lambda s: s.sites.feed_home(USER, FEED),
    "set_full_text": lambda s: s.sites.set_full_text(FEED, True),
    "queue_pages": lambda s: s.sites.queue_pages([ONE], NOW),
    "wanted_pages": lambda s: s.sites.wanted_pages(NOW, NOW, 1, 1),
    "put_page": lambda s: s.sites.put_page(FetchedPage(ONE, "https://x.test/1", NOW, 1)),
    "sites.page": lambda s: s.sites.page(ONE),
    "fetched_pages": lambda s: s.sites.fetched_pages(["https://x.test/1"]),
    "paused_hosts": lambda s: s.sites.paused_hosts(["x.test"], NOW),
    "robots": lambda s: s.sites.robots("https://x.test"),
    "put_robots": lambda s: s.sites.put_robots(KnownRobots("https://x.test", NOW, 200)),
}
READS = {
    "icons_by_site",
    "feed_home",
    "fetched_pages",
    "followed_sites",
    "icon",
    "icon_tags",
    "sites.page",
    "paused_hosts",
    "pauses",
    "robots",
    "wanted_hosts",
    "wanted_pages",
}
