"""The pictures a feed sends beside an article's text, put into it where the text lacks them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import unquote

from newsloom.kernel.text.lead_picture import is_article_picture
from newsloom.kernel.text.picture_sources import picture_key

# A post has four, a gallery some dozens.
_MOST = 60
# Pixels; what is declared to be smaller is a face or a button.
_LEAST = 50

_PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
_SIZED = re.compile(
    r"(?<=[?&])(?:w|width|h|height|q|quality|dpr|fit|auto|s|resize|format|impolicy|[xy]pos|crop\w*)"
    r"=[^&#]*&?",
    re.IGNORECASE,
)
# A name of so many characters is that of one picture, wherever it stands.
_TELLING = 10
_PICTURES_IN_TEXT = ("<img", "<picture", "<IMG", "<amp-img")
# What may stand between a picture's name and the type of the file.
_SIZE = re.compile(r"(?:-scaled|-\d{2,4}x\d{2,4}|_[a-z])?(?:[.?\"'&]|\Z)")


class Picture(NamedTuple):
    """A picture as a feed declares it; a size of 0 is unknown."""

    url: str
    description: str = ""  # plain text
    width: int = 0
    height: int = 0
    link: str = ""  # what it is a thumbnail of


def with_pictures(
    summary: str, content: str, title: str, pictures: Sequence[Picture], thumbnail: Picture
) -> tuple[str, str]:
    """Summary and content; the longer, which is the one shown, with the pictures it lacks.

    Adds the thumbnail only if there is no other picture. Pictures come before the text of an
    article, and after the text of a post without a title.
    """
    html = content if len(content) > len(summary) else summary
    has_some = "<" in html and any(map(html.__contains__, _PICTURES_IN_TEXT))
    pictures = list(filter(_is_shown, pictures))[:_MOST] if pictures else []
    if has_some and pictures:
        pictures = [one for one in pictures if not (_is_in(one, html) or one.url in html)]
        if pictures and "%2F" in html:
            text = unquote(html)
            pictures = [one for one in pictures if not _is_in(one, text)]
    if has_some and not pictures:
        return summary, content
    missing = _widest(pictures)
    if not missing and not has_some and _is_shown(thumbnail):
        missing = [thumbnail]
    shown = "".join(map(_html, missing))
    html = f"{shown}{html}" if title else f"{html}{shown}"
    return (summary, html) if len(content) > len(summary) else (html, content)


def _widest(pictures: Sequence[Picture]) -> list[Picture]:
    """Each once, in the largest of its sizes."""
    if len(pictures) < 2:
        return list(pictures)
    best: dict[str, Picture] = {}
    for one in pictures:
        key = _rendition(one)
        if key not in best or one.width > best[key].width:
            description = one.description or (best[key].description if key in best else "")
            best[key] = one._replace(description=description)
    return list(best.values())


def _rendition(one: Picture) -> str:
    """The same for all sizes of one picture."""
    path, mark, query = one.url.partition("?")
    if _PICTURE_FILE.search(path):
        query = ""
    for side in (one.width, one.height):
        if side:
            path = path.replace(str(side), "")
    return path + _SIZED.sub("", mark + query)


def _is_shown(one: Picture) -> bool:
    small = 0 < one.width < _LEAST or 0 < one.height < _LEAST
    return bool(one.url) and not small and is_article_picture(one.url)


def _is_in(one: Picture, html: str) -> bool:
    """Whether a text shows it, perhaps in another size or from another server."""
    name = _PICTURE_FILE.sub("", picture_key(one.url))
    file = name.rpartition("/")[2]
    name = file if len(file) >= _TELLING else name
    at = html.find(name) if name else -1
    while at >= 0:
        if _SIZE.match(html, at + len(name)):
            return True
        at = html.find(name, at + 1)
    return False


def _html(one: Picture) -> str:
    said = escape(one.description) if one.description else ""
    sides = f' width="{one.width}" height="{one.height}"' if one.width and one.height else ""
    shown = f'<img src="{escape(one.url)}" alt="{said}"{sides}>'
    return f'<p><a href="{escape(one.link)}">{shown}</a></p>' if one.link else f"<p>{shown}</p>"
