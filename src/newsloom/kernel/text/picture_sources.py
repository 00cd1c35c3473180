"""The address of a picture as its publisher meant it, where scripts would load it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

# Scripts move one of these to `src` when the picture comes into view: data-src, data-lazy-src,
# data-original, data-cfsrc and some thirty more.
_LAZY = re.compile(r"data-(?:[\w-]*src|original|lazy|lazyload|echo)")
_LAZY_SET = re.compile(r"data-[\w-]*srcset")
# Tumblr's data-orig-src is where its own copy came from, often gone.
_NOT_THE_PICTURE = re.compile(
    r"placeholder|fallback|error|low|thumb|small|blur|lqip|preview|orig-src"
)

_ADDRESS = re.compile(
    r"(?:https?:)?//[^\s{}]+|/?[^\s{}:]*[^\s{}:/.]\.\w{2,5}(?:[?#][^\s{}]*)?|/[^\s{}]+"
)
_PLACEHOLDER = re.compile(
    r"(?:[\w-]*placeholder[\w-]*|(?:blank|spacer|transparent|pixel|1x1|lazy|lazyload|loading|"
    r"loader|gr[ea]y|clear|trans)(?:[-_.]?(?:image|img|pixel|min|\d+(?:x\d+)?))*+"
    r"|(?:dummy|empty)[-_.]?(?:image|img|pixel))"  # alone they may be what is shown
    r"\.(?:gif|png|svg|jpe?g|webp)",
    re.IGNORECASE,
)
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+([\d.]{1,9})([wx]))?")
# Of the sizes offered, the largest that is not wider, in pixels.
_WIDEST = 1_600
# Twice as sharp counts as that much wider.
_ONCE = 800
_MOST_CANDIDATES = 100

_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)", re.IGNORECASE)
# The second is a width and a quality behind an id.
_SIZE = re.compile(
    r"(?:-\d{2,4}x\d{2,4}|(?<=\w{20})-\d{3,4}-\d\d|-scaled)(?=\.\w+$)|_[a-z](?=\.jpg$)"
)


def real_source(given: Mapping[str, str], sources: Iterable[str] = ()) -> str:
    """The address of the picture that an <img> shows, as written; "" for a placeholder alone.

    `sources` are the `srcset` of the <source> elements before it in a <picture>.
    """
    lazy = [
        value
        for name, value in given.items()
        if name.startswith("data-") and not _NOT_THE_PICTURE.search(name)
        if _LAZY.fullmatch(name) and _is_address(value)
    ]
    src = given.get("src", "")
    return (
        next(iter(lazy), "")
        or _largest(value for name, value in given.items() if _LAZY_SET.fullmatch(name))
        or (src if src and _is_picture(src) else "")
        or _largest((given.get("srcset", ""), *sources))
        or next((value for name, value in given.items() if _is_file(name, value)), "")
    )


def _is_file(name: str, value: str) -> bool:
    """Whether an attribute of any other name holds the address of a picture."""
    return name.startswith("data-") and _is_address(value) and _FILE.search(value) is not None


# Written into the text itself. Placeholders are SVG, or have some hundred bytes.
_INLINE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]{1000,}+")


def is_inline_picture(address: str) -> bool:
    """Whether an address is a picture itself, of a kind that runs nothing."""
    return _INLINE.fullmatch(address) is not None


def is_placeholder(address: str) -> bool:
    """Whether a picture only keeps a place for another, as far as its address says."""
    name = address.partition("?")[0].rpartition("/")[2]
    return len(name) < 100 and _PLACEHOLDER.fullmatch(name) is not None


def picture_key(address: str) -> str:
    """Addresses with the same key are one picture, whatever its size and whoever serves it."""
    path = unquote(address.partition("?")[0].partition("#")[0])
    return _SIZE.sub("", "/".join(path.rsplit("/", 2)[-2:]))


def _is_address(value: str) -> bool:
    return _is_picture(value) and _ADDRESS.fullmatch(value) is not None


def _is_picture(address: str) -> bool:
    inline = address[:11].lower().startswith(("data:", "about:", "javascript:", "#"))
    return not inline and not is_placeholder(address)


def _largest(srcsets: Iterable[str]) -> str:
    best, address = 0.0, ""
    for srcset in srcsets:
        for one, _match in zip(_CANDIDATE.finditer(srcset), range(_MOST_CANDIDATES), strict=False):
            if not _is_picture(one[1]):
                continue
            width = _number(one[2]) * (1 if one[3] == "w" else _ONCE) if one[2] else _ONCE
            rank = width if width <= _WIDEST else 1 / width
            # The last of a size is what every browser shows: newer formats stand before it.
            if rank >= best:
                best, address = rank, one[1]
    return address


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # "1.2.3"
        return 0.0
