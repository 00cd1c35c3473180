"""`store.sites`."""

from __future__ import annotations

from newsloom.feeds.store.sites.host_turns import HostTurns
from newsloom.feeds.store.sites.icons import Icons
from newsloom.feeds.store.sites.pages import Pages
from newsloom.feeds.store.sites.pauses import Pauses
from newsloom.feeds.store.sites.picture_key import PictureKey
from newsloom.feeds.store.sites.robots import Robots


class SiteStore(HostTurns, Pauses, Robots, Icons, Pages, PictureKey):
    """Sites of feeds and articles: turns at hosts, pauses, robots.txt, icons, pages, pictures."""
