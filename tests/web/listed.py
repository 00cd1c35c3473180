"""What a page that lists articles shows, read out of its HTML."""

from __future__ import annotations

import re


def titles(page: str) -> list[str]:
    return re.findall(r'<a class="open"[^>]*>([^<]*)</a>', page)


def shown(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'id="a(\d+)" data-id', page)]


def onward(page: str) -> str:
    """Where the list goes on; "" at its end."""
    found = re.search(r'<p class="more" id="more"><a href="([^"]+)"', page)
    return found[1].replace("&amp;", "&") if found else ""
