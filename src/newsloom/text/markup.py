"""HTML as a run of tags: found, dropped with what nobody sees, counted. Makes no tree, so that no
nesting and no size costs more than reading the text once; sanitises nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
_UNSEEN = (
    "script", "style", "template", "svg", "iframe", "object", "audio", "video", "canvas", "noembed",
    "noframes", "head", "title", "select", "textarea", "annotation",
)  # fmt: skip
_CLOSES = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _UNSEEN}
# Elements without content: a hidden picture hides no words.
_EMPTY = frozenset(
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

# A browser reads these to the end of the text when they are not closed.
_TO_THE_END = frozenset(("script", "style"))


def pieces(html: str) -> tuple[list[str], list[str | None]]:
    """The texts a reader may see, and between each two the name of the tag that parts them.

    Closing tags are named "/p"; comments and declarations have no name.
    """
    parts = TAG.split(html)
    unseen = any(name and name.lower() in _CLOSES for name in set(parts[1::2]))
    if unseen or _may_hide(html):
        parts = TAG.split(_seen(html))
    return parts[0::2], parts[1::2]


def _seen(html: str) -> str:
    """The HTML without the elements that hold no text of the article."""
    kept: list[str] = []
    begin = at = 0
    never_closed = set()
    while tag := TAG.search(html, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        # Nothing without a blank has an attribute.
        may_hide = name not in _EMPTY and not name.startswith("/") and tag.end() - tag.start() > 9
        if may_hide and _hides(tag[0]):
            kept.append(html[begin : tag.start()])
            begin = at = _end(html, name, at)
            continue
        # "<iframe src=… />" is written by many, and then nothing follows that belongs to it.
        if name not in _CLOSES or name in never_closed or tag[0].endswith("/>"):
            continue
        closing = _CLOSES[name].search(html, at)
        if closing is None and name not in _TO_THE_END:
            never_closed.add(name)
            continue
        kept.append(html[begin : tag.start()])
        begin = at = closing.start() if closing else len(html)
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
