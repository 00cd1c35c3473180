"""The picture an article is shown with in lists, where its feed names none: the first in its text.

Pure. Not what counts readers, nor what is drawn to be small: faces, buttons, smileys.
"""

from __future__ import annotations

from newsloom.kernel.text.markup import TAG, attributes
from newsloom.kernel.text.picture_sources import is_placeholder
from newsloom.kernel.text.repair import repaired
from newsloom.kernel.text.urls import join

# No picture further down is looked for: it stands at the top, or illustrates something else.
_LOOKED_AT = 5_000
# What is read for that: a placeholder may be some thousand characters of data.
_READ = 20_000
# Pixels; a picture that says it is smaller is none of the article.
_LEAST = 100
# In addresses of what is no picture of an article.
_OTHERS = (
    "feedburner.com/~", "feedsportal", "doubleclick", "/pixel", "pixel.", "/beacon", "/emoji/",
    "gravatar.com", "feeds.wordpress.com", "stats.wordpress", "stat.wordpress", "/smilies/", ".svg",
    "1x1", "spacer", "/share",
)  # fmt: skip


def lead_picture(html: str, base_url: str) -> str:
    """The address of the first picture in HTML that may stand for it; "" for none."""
    if len(html) > _READ:
        html = html[: html.rfind("<", 0, _READ)]  # no half tag
    if "<" not in html:
        return ""
    for tag in TAG.finditer(repaired(html, base_url)[:_LOOKED_AT]):
        if (tag[1] or "").lower() != "img" or not tag[0].endswith(">"):
            continue
        given = attributes(tag[0])
        address = join(base_url, given.get("src", ""))
        sides = [side for side in (given.get("width"), given.get("height")) if side]
        small = any(side.isascii() and side.isdigit() and int(side[:6]) < _LEAST for side in sides)
        if address and not small and is_article_picture(address):
            return address
    return ""


def is_article_picture(address: str) -> bool:
    """Whether a picture may be one of the article, as far as its address says."""
    address = address.lower()
    return not any(map(address.__contains__, _OTHERS)) and not is_placeholder(address)
