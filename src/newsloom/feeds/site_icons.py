"""Which site a feed belongs to, and where that site's icon may be. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from newsloom.kernel.text.hosts import comparable
from newsloom.kernel.text.urls import is_http, join

# What a picture is called that is drawn to be seen small.
_SMALL = re.compile(r"icon|touch|\.ico$", re.IGNORECASE)


def home_of(url: str, site_url: str) -> str:
    """The home page of a feed's site: as the feed says, else where the feed itself is."""
    return site_url if is_http(site_url) else url


@lru_cache(maxsize=65_536)
def site_key(home: str) -> str:
    """One name for a site whatever page of it is meant: its host and an unusual port; "" for none.

    www, mobile views and the scheme make no other site.
    """
    try:
        authority = urlsplit(home).netloc
    except ValueError:
        return ""
    return comparable(authority) if is_http(home) else ""


def icon_addresses(home: str, images: Iterable[str]) -> tuple[str, ...]:
    """Where to ask for an icon, the likeliest first: never elsewhere than at the site itself.

    A feed may name a picture on any host, and many name a large one; only one that is on the site
    and is called an icon goes before the place that every browser looks at.
    """
    usual = join(home, "/favicon.ico")
    site = site_key(home)
    own = [one for one in dict.fromkeys(images) if site and site_key(one) == site]
    named = [one for one in own if _SMALL.search(urlsplit(one).path)]
    others = [one for one in own if one not in named]
    return tuple(dict.fromkeys(one for one in (*named[:1], usual, *others[:1]) if one))
