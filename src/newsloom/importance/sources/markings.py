"""Tracking marks in the links of an article. Pure, and bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from urllib.parse import parse_qsl, urlsplit

from newsloom.kernel.text.urls import is_tracking

MOST_LINKS = 100
_LINK = re.compile(
    r"""(?:href|src)\s{0,3}=\s{0,3}["']?(https?://[^"'\s<>]{1,2000})""", re.IGNORECASE
)
# Hosts of pixels and advertisements, as feeds carry them.
_HOSTS = (
    "doubleclick.net",
    "feedads.g.doubleclick.net",
    "googlesyndication.com",
    "google-analytics.com",
    "scorecardresearch.com",
    "pixel.wp.com",
    "stats.wordpress.com",
    "feeds.feedburner.com",
    "feedsportal.com",
    "taboola.com",
    "outbrain.com",
    "adclick.g.doubleclick.net",
    "list-manage.com",
)


def marked(documents: Iterable[str]) -> tuple[int, int]:
    """How many links there are in documents, and how many of them track or advertise."""
    links = bad = 0
    for document in documents:
        for match in islice(_LINK.finditer(document), MOST_LINKS):
            links += 1
            bad += _tracks(match[1].replace("&amp;", "&"))
    return links, bad


def _tracks(link: str) -> bool:
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
        pairs = parse_qsl(parts.query, max_num_fields=50)
    except ValueError:
        return False
    return any(host == one or host.endswith(f".{one}") for one in _HOSTS) or any(
        is_tracking(name, value) for name, value in pairs
    )
