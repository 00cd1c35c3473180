"""HTML as a run of tags: found, dropped with what nobody sees, counted. Makes no tree, so that no
nesting and no size costs more than reading the text once; sanitises nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import islice

# A tag ends at the first ">" outside a quoted value, or at the end of the text, as in the HTML
# standard; so every "<" that opens one is matched, no part of the text is read twice, and a summary
# cut inside a tag leaves nothing of it behind. Group 1 is the name, with "/" where it closes.
_REST_OF_TAG = r"""(?:[^>=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?+)*+(?:>|\Z)"""
TAG = re.compile(
    rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?[a-zA-Z][^\s/>]*+){_REST_OF_TAG}|[!?/][^>]*+(?:>|\Z))",
    re.DOTALL,
)

# Elements whose content is not text of the article: code, pictures, what a frame or a player says
# to browsers that know neither.
_UNSEEN = frozenset((
    "script", "style", "template", "svg", "iframe", "object", "audio", "video", "canvas", "noembed",
    "noframes", "head", "title", "select", "textarea", "annotation",
))  # fmt: skip
# Elements without content: a hidden picture hides no words.
EMPTY = frozenset(
    (
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    )
)  # fmt: skip
# By the word each begins with: a pattern for all of them at once takes twenty times as long.
_MAY_HIDE = {
    "hidden": re.compile(r"hidden[\s=>/]"),
    "display": re.compile(r"display\s*+:\s*+none"),
    "visibility": re.compile(r"visibility\s*+:\s*+(?:hidden|collapse)"),
    "opacity": re.compile(r"opacity\s*+:\s*+(?:[^1-9]|\Z)"),
    "font-size": re.compile(r"font-size\s*+:\s*+(?:[^1-9]|\Z)"),
}
_STYLE = re.compile(r"""\sstyle\s*=\s*("[^"]*+"|'[^']*+'|[^\s>]++)""", re.IGNORECASE)
_HIDDEN_STYLE = re.compile(
    r"display\s*+:\s*+none|visibility\s*+:\s*+(?:hidden|collapse)"
    r"""|(?:opacity|font-size)\s*+:\s*+0*+(?:\.0*+)?(?:px|pt|r?em|%)?\s*+(?:[;!"']|\Z)""",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"\shidden(?=[\s=>/])", re.IGNORECASE)

# These may stand inside each other.
_NESTING = frozenset(("svg", "math", "object", "template", "head", "noscript"))
# Code that is never closed ends where the text goes on.
_CODE = frozenset(("script", "style"))
_TEXT_GOES_ON = re.compile(
    r"</?(?:p|div|h[1-6]|ul|ol|li|dl|blockquote|figure|table|section|article|pre|img|br|hr|script)"
    r"(?=[\s/>])",
    re.IGNORECASE,
)


class Contents:
    """Where elements end whose content is not text, in one HTML text.

    A tag that closes itself or is never closed has no content: "<iframe src=x />", written by many,
    would otherwise take in the rest of the article. Reads nothing twice.
    """

    def __init__(self, html: str) -> None:
        self._html = html
        self._edges: dict[str, re.Match[str] | None] = {}
        self._no_more_text = False
        self._open_ended: set[str] = set()

    def end(self, tag: re.Match[str], name: str) -> int:
        """The end of the element that `tag` opens, its closing tag included."""
        if tag[0].endswith("/>"):
            return tag.end()
        edge = self._edge(name, tag.end())
        if edge is not None and edge[0].startswith("</"):
            return edge.end()
        return self._code(tag) if name in _CODE else tag.end()

    def end_of_nested(self, tag: re.Match[str], name: str) -> int:
        """The end of an element that may hold others of its name; its tag's, if never closed."""
        depth = 1
        if name not in self._open_ended:
            for other in TAG.finditer(self._html, tag.end()):
                found = (other[1] or "").lower()
                depth += (found == name) - (found == f"/{name}")
                if not depth:
                    return other.end()
            self._open_ended.add(name)
        return tag.end()

    def _edge(self, name: str, at: int) -> re.Match[str] | None:
        known = self._edges.get(name)
        if name not in self._edges or (known is not None and known.start() < at):
            known = self._edges[name] = _edges_of(name).search(self._html, at)
        return known

    def _code(self, tag: re.Match[str]) -> int:
        """The end of a script that is never closed; of one that has an address, its tag's."""
        if _SOURCE.search(tag[0]):
            return tag.end()
        found = None if self._no_more_text else _TEXT_GOES_ON.search(self._html, tag.end())
        self._no_more_text = found is None
        return len(self._html) if found is None else found.start()


@cache
def _edges_of(name: str) -> re.Pattern[str]:
    """Where an element may end: its closing tag, or if it has none, the next of its kind."""
    # Scripts write scripts.
    quoted = r"""(?<!["'`\\])""" if name == "script" else ""
    slash = "/" if name in _NESTING else "/?"
    return re.compile(rf"{quoted}<{slash}{name}(?=[\s/>])[^>]*+>?", re.IGNORECASE)


_SOURCE = re.compile(r"\ssrc\s*=", re.IGNORECASE)
_OPEN_COMMENT = re.compile(r"<!--[^>]*+>?")


def comments_closed(html: str) -> str:
    """HTML in which a comment that was never closed ends at the first ">" in it."""
    begin = html.find("<!--", html.rfind("-->") + 1) if "<!--" in html else -1
    return html if begin < 0 else html[:begin] + _OPEN_COMMENT.sub("", html[begin:])


# Python refuses to read integers of thousands of digits; no character has more than seven.
_NO_CHARACTER = re.compile("&#[0-9]{8,};?")


def unescaped(text: str) -> str:
    """Text with its character references resolved."""
    return unescape(_NO_CHARACTER.sub("\ufffd", text)) if "&" in text else text


_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?+""")


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag, by lower-case name; of two with one name, the first."""
    found: dict[str, str] = {}
    for one in islice(_ATTRIBUTE.finditer(tag, 1), 1, None):  # the first is the tag's name
        found.setdefault(one[1].lower(), unescaped(one[2] or one[3] or one[4] or "").strip())
    return found


def pieces(html: str) -> tuple[list[str], list[str | None]]:
    """The texts a reader may see, and between each two the name of the tag that parts them.

    Closing tags are named "/p"; comments and declarations have no name.
    """
    html = comments_closed(html)
    parts = TAG.split(html)
    unseen = any(name and name.lower() in _UNSEEN for name in set(parts[1::2]))
    if unseen or _may_hide(html):
        parts = TAG.split(_seen(html))
    return parts[0::2], parts[1::2]


def _seen(html: str) -> str:
    """The HTML without the elements that hold no text of the article."""
    kept: list[str] = []
    begin = at = 0
    contents = Contents(html)
    while tag := TAG.search(html, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        # Nothing without a blank has an attribute.
        may_hide = name not in EMPTY and not name.startswith("/") and tag.end() - tag.start() > 9
        if may_hide and _hides(tag[0]):
            kept.append(html[begin : tag.start()])
            begin = at = _end(html, name, at)
        elif name in _UNSEEN:
            kept.append(html[begin : tag.start()])
            begin = at = contents.end(tag, name)
    kept.append(html[begin:])
    return "".join(kept)


def _may_hide(html: str) -> bool:
    """Whether anything in it could say so: looking at every tag takes much longer."""
    small = html.lower()
    return any(word in small and said.search(small) for word, said in _MAY_HIDE.items())


def _hides(tag: str) -> bool:
    """Whether a tag says of its own element that nobody sees it. Style sheets are not read."""
    if not _may_hide(tag):
        return False
    style = _STYLE.search(tag)
    if style and _HIDDEN_STYLE.search(style[1]):
        return True
    return _HIDDEN.search(_QUOTED.sub("", tag)) is not None


def _end(html: str, name: str, at: int) -> int:
    """Where an element opened before `at` ends: at its own closing tag, else at the end."""
    depth = 1
    for tag in TAG.finditer(html, at):
        other = (tag[1] or "").lower()
        if other == name and name in _NOT_NESTING:
            return tag.start()  # "<p>" ends the paragraph before it
        depth += (other == name) - (other == f"/{name}")
        if not depth:
            return tag.start()
    return len(html)


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be given to a parser that builds a tree."""

    characters: int
    depth: int  # elements open at once
    attributes: int  # in one tag
    work: int  # open elements, summed over all tags: what reopening unclosed formatting multiplies


# Elements that end by themselves, or that the standard closes when their like begins.
_NOT_NESTING = frozenset(
    (
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr", "param", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot",
    )
)  # fmt: skip
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")


def beyond(html: str, limits: Limits) -> str:
    """Which limit a text breaks, in words; "" for none. Never counts less than a browser nests.

    Only a closing tag that names the innermost open element is taken to close it: browsers ignore
    many others ("<div><object></div></object>" nests ever deeper).
    """
    if len(html) > limits.characters:
        return "too large"
    open_now: list[str] = []
    work = 0
    for tag in TAG.finditer(html):
        name = (tag[1] or "").lower()
        if name.startswith("/"):
            if open_now and open_now[-1] == name[1:]:
                del open_now[-1]
        elif name:
            work += len(open_now)
            if name not in _NOT_NESTING:
                open_now.append(name)
            if len(open_now) > limits.depth or work > limits.work:
                return "nested too deeply"
            long = tag.end() - tag.start() > 2 * limits.attributes
            if long and _attributes(tag[0]) > limits.attributes:
                return "overloaded with attributes"
    return ""


def _attributes(tag: str) -> int:
    bare = _QUOTED.sub("", tag)
    return max(bare.count("="), len(bare.replace("/", " ").split()) - 1)
