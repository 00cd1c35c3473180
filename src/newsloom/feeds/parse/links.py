"""Addresses inside a feed document: made absolute, and refused when they could not be followed."""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import urljoin, urlsplit

from newsloom.feeds.parse.elements import XML, Node, attribute
from newsloom.kernel.text.slips import is_placeholder, meant

_BASE = f"{XML}base"
# What a reader can open or hand on. Not javascript:, data:, file:, vbscript:, which a feed has no
# reason to link to and a page must never be given.
_WITH_HOST = frozenset({"http", "https", "ftp", "gemini", "gopher"})
_WITHOUT_HOST = frozenset({"magnet", "mailto", "news", "nntp"})
_BREAKS = dict.fromkeys(range(32)) | {127: None}
# Longer than any browser or server accepts; a data blob rather than an address.
_LONGEST = 16_384

# The most in a real article is below a thousand; a million would take seconds.
_MOST_REBASED = 10_000
_PATH = re.compile(r"https?://[\w.:-]+(?=/|\Z)", re.ASCII)
_ROOTED = re.compile(
    r"/(?:[\w-][\w.~%=+,-]*/)*(?:[\w-][\w.~%=+,-]*)?(?:[?#][\w.~%=+,/-]+)?", re.ASCII
)
# An address in HTML that says no scheme and is no place in the same text.
# Begins with "=" because a literal first character makes the search ten times faster.
_RELATIVE = re.compile(
    r"""=(?:(?<=\shref=)|(?<=\ssrc=)|(?<=\sposter=))\s*"""
    r"""(["'])(?![A-Za-z][A-Za-z0-9+.-]*:|\#)([^"'<>]{1,2000})\1""",
    re.IGNORECASE,
)


def absolute(base: str, element: Node, address: str | None) -> str:
    """The address, resolved against what stands around the element; "" when unusable."""
    if not address:
        return ""
    address = address.strip()
    return address if _plain(address) else resolve(base_of(element, base), address)


def base_of(element: Node, outside: str) -> str:
    """What relative addresses inside an element start from: its xml:base, or as outside of it."""
    if not element.keys():
        return outside
    said = attribute(element, _BASE)
    if not said or _plain(said):
        return said or outside
    return resolve(outside, said) or outside


def resolve(base: str, address: str) -> str:
    """The same for a base known as text."""
    # As browsers do: line breaks and tabs inside an address are dropped, spaces around it too.
    address = address.strip().translate(_BREAKS)
    if not address or len(address) > _LONGEST or is_placeholder(address):
        return ""
    address = meant(address).replace(" ", "%20")
    if address.endswith("://"):
        return ""
    try:
        joined = urljoin(base, address)
        parts = urlsplit(joined)
    except ValueError:  # "http://[broken"
        return ""
    usable = bool(parts.netloc) if parts.scheme in _WITH_HOST else parts.scheme in _WITHOUT_HOST
    return joined if usable else ""


def rebased(html: str, base: str) -> str:
    """HTML with its relative addresses made absolute."""

    site = _PATH.match(base)

    def resolved(match: re.Match[str]) -> str:
        address = unescape(match[2])
        if site and _ROOTED.fullmatch(address):  # as most of them are
            return f"={match[1]}{site[0]}{match[2]}{match[1]}"
        address = resolve(base, address)
        return f"={match[1]}{escape(address)}{match[1]}" if address else match[0]

    return _RELATIVE.sub(resolved, html, count=_MOST_REBASED)


def _plain(address: str) -> bool:
    """Already absolute and ordinary, which nearly every address is."""
    return (
        address.startswith(("http://", "https://"))
        and 8 < len(address) <= _LONGEST
        and address.isprintable()
        and " " not in address
        and "[" not in address
        # What may be a slip: slashes or a scheme too many, an "&" escaped twice.
        and address.find("//", 7) < 0
        and "///" not in address
        and ("&" not in address or ("&amp;" not in address and "&#" not in address))
    )
