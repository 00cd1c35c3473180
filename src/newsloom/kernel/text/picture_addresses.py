"""Addresses under which we serve the pictures of others, and HTML that names those. Pure.

An address carries a keyed hash of the one it stands for, so that nobody can have us fetch another.
It needs no sign-in: an article is shown in a frame of no origin, to which browsers send no cookies.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from hmac import compare_digest
from html import escape, unescape
from urllib.parse import quote

PATH = "/pictures"
# Longer ones are seldom pictures, and no page has room for fifty of them.
LONGEST = 4_000

# What sanitize() writes: attributes in double quotes, ">" only at the end of a tag.
_SHOWN = re.compile(r'(<img\b[^>]*?\ssrc="|<video\b[^>]*?\sposter=")(https?://[^"]*)(")')


def signature(key: bytes, url: str) -> str:
    """Of that address, with 96 bits."""
    made = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), key=key, digest_size=12).digest()
    return urlsafe_b64encode(made).decode()


def signed(key: bytes, url: str, given: str) -> bool:
    """Whether we gave that address out. Compares in constant time."""
    return compare_digest(signature(key, url).encode(), given.encode("utf-8", "replace"))


def address(key: bytes, url: str, *, thumbnail: bool = False) -> str:
    """Where we serve the picture at an http(s) address; "" for what is none, or too long."""
    if not url.startswith(("http://", "https://")) or len(url) > LONGEST:
        return ""
    kind = "thumbnail" if thumbnail else "whole"
    return f"{PATH}/{kind}/{signature(key, url)}?url={quote(url, safe='/:')}"


def through_us(html: str, key: bytes, path: str = "") -> str:
    """Sanitised HTML whose pictures are asked of us, whose pages stand under a path.

    Only pictures: a film is asked of its site.
    """

    def ours(found: re.Match[str]) -> str:
        before, url, after = found.groups()
        made = address(key, unescape(url))
        return f"{before}{escape(path + made if made else made)}{after}"

    return _SHOWN.sub(ours, html)


def without_pictures(html: str) -> str:
    """Sanitised HTML whose pictures are links to them, called by what is said of them."""

    def link(found: re.Match[str]) -> str:
        tag = found[0]
        url, said = _attribute(tag, "src"), _attribute(tag, "alt")
        words = said or "Picture"
        if not url.startswith(("http://", "https://")):
            return words
        return f'<a href="{url}" target="_blank" rel="noopener noreferrer nofollow">{words}</a>'

    return _IMAGE.sub(link, html)


_IMAGE = re.compile(r"<img\b[^>]*>")


def _attribute(tag: str, name: str) -> str:
    """As it stands there: still escaped."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return found[1].strip() if found else ""
