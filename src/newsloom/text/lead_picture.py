"""The picture an article is shown with in lists, where its feed names none: the first in its text.

Pure. Not what counts readers, nor what is drawn to be small: faces, buttons, smileys.
"""

from __future__ import annotations

import re
from html import unescape

from newsloom.text.urls import join

# No picture further down is looked for: it stands at the top, or illustrates something else.
_LOOKED_AT = 5_000
_IMAGE = re.compile(r"<img\b[^>]{1,4000}>", re.IGNORECASE)
_ATTRIBUTE = r"""\s{}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
_SOURCE = re.compile(_ATTRIBUTE.format("src"), re.IGNORECASE)
_SIDES = tuple(re.compile(_ATTRIBUTE.format(side), re.IGNORECASE) for side in ("width", "height"))
# Pixels; a picture that says it is smaller is none of the article.
_LEAST = 100
# In addresses of what is no picture of an article.
_OTHERS = re.compile(
    r"feedburner\.com/~|feedsportal|doubleclick|/pixel|pixel\.|/beacon|/emoji/|gravatar\.com|"
    r"feeds\.wordpress\.com|stats?\.wordpress|/smilies/|\.svg\b|1x1|spacer|/share",
    re.IGNORECASE,
)


def lead_picture(html: str, base_url: str) -> str:
    """The address of the first picture in HTML that may stand for it; "" for none."""
    for found in _IMAGE.finditer(html[:_LOOKED_AT]):
        tag = found[0]
        source = _value(_SOURCE, tag)
        if not source or source.startswith("data:") or _OTHERS.search(source):
            continue
        if any(_is_small(_value(side, tag)) for side in _SIDES):
            continue
        address = join(base_url, unescape(source))
        if address.startswith(("http://", "https://")):
            return address
    return ""


def _value(attribute: re.Pattern[str], tag: str) -> str:
    found = attribute.search(tag)
    return "" if found is None else next(one for one in (*found.groups(), "") if one is not None)


def _is_small(side: str) -> bool:
    return side.isascii() and side.isdigit() and int(side[:6]) < _LEAST
