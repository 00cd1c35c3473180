"""Addresses as people mistype them, as they meant them. Pure.

Only what could be no other address is changed: a scheme that does not exist, one written twice,
slashes and a colon that are too many, too few or turned round. All of these are from real feeds.
"""

from __future__ import annotations

import re

# "hhttp", "htp", "ttp", "htttps" and the letters in another order; none is a scheme of its own.
_SCHEME = r"(?:h{0,3}t{0,3}h?t{1,3}p{1,3}|hptt|htpt|hptp|htt)(?P<s>s)?"
_BEGINNING = re.compile(
    # A colon, its neighbour on the keyboard, or a space beside it; then slashes of either kind.
    rf"{_SCHEME}\s?[:;]\s?(?P<slashes>[/\\]+)\s?"
    # Without a colon only what is spelt right: "ftp//" and "tp//" may be folders.
    r"|http(?P<secure>s)?(?P<more>//+)",
    re.IGNORECASE,
)
# "http:/x.example/1" forgot a slash, "http:/2011/1" and "http:/index.html" mean the same site.
_NAME = r"(?:[\w-]+\.)+(?P<top>[^\W\d_]{2,}|xn--[a-z0-9-]+)(?::\d+)?(?=[/?#]|$)"
_HOST = re.compile(_NAME)
_FILES = frozenset(
    {
        "asp", "aspx", "cgi", "gif", "htm", "html", "jpeg", "jpg", "json", "jsp", "pdf", "php",
        "png", "rdf", "rss", "shtml", "txt", "xml",
    }
)  # fmt: skip
# Never a folder or a file.
_BARE = re.compile(rf"www\.{_NAME}", re.IGNORECASE)
# Escaped once more than the document needs.
_ESCAPED = re.compile(r"&(?:(?:amp|#0*38|#x0*26);)+", re.IGNORECASE)

# What templates write where there is no id or link.
_PLACEHOLDERS = frozenset(
    {
        "n/a", "na", "n.a.", "none", "null", "nil", "nan", "undefined", "unknown", "empty", "false",
        "true", "tbd", "todo", "guid", "id", "-", "--", "?", "#", "0", "(null)", "(none)",
        "00000000-0000-0000-0000-000000000000",
    }
)  # fmt: skip


def meant(address: str) -> str:
    """The address that somebody meant to write; the same for one without a slip."""
    scheme, rest = "", address
    while match := _BEGINNING.match(rest):
        slashes = match["slashes"] or match["more"]
        rest = rest[match.end() :].lstrip()
        if "\\" in slashes:
            rest = rest.replace("\\", "/")
        if slashes in {"/", "\\"} and not _is_host(rest):
            return f"/{rest}"
        scheme = "https://" if match["s"] or match["secure"] else "http://"
    if not scheme and _BARE.match(rest):
        scheme = "http://"
    address = scheme + rest
    return _ESCAPED.sub("&", address) if "&" in address else address


def _is_host(rest: str) -> bool:
    host = _HOST.match(rest)
    return host["top"].lower() not in _FILES if host else _BEGINNING.match(rest) is not None


def is_placeholder(text: str) -> bool:
    """Whether an id or a link is what a template writes in place of one: "N/A", "null"."""
    return " ".join(text.split()).casefold() in _PLACEHOLDERS
