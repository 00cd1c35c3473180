"""`store.sites`."""

from __future__ import annotations

from newsloom.store.sites.host_turns import HostTurns
from newsloom.store.sites.icons import Icons
from newsloom.store.sites.pages import Pages
from newsloom.store.sites.pauses import Pauses
from newsloom.store.sites.picture_key import PictureKey
from newsloom.store.sites.robots import Robots


class SiteStore(HostTurns, Pauses, Robots, Icons, Pages, PictureKey):
    """Sites of feeds and articles: turns at hosts, pauses, robots.txt, icons, pages, pictures."""
