"""HTML as its publisher meant it, before it is sanitised: pictures that scripts would load, embeds
as links, nothing swallowed.

Works on the run of tags, so that no input costs more than reading it once; makes nothing safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from newsloom.kernel.text.formulas import drawn_words, shown_math, without_prefixes, written_tex
from newsloom.kernel.text.markup import EMPTY, TAG, Contents, attributes, comments_closed, unescaped
from newsloom.kernel.text.picture_sources import is_inline_picture, picture_key, real_source
from newsloom.kernel.text.urls import host, join

# Elements that are shown; of all others that are not hidden only the content is.
SHOWN = frozenset(
    (
        "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "big",
        "blockquote", "br", "caption", "center", "cite", "code", "col", "colgroup", "dd",
        "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer",
        "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img", "ins",
        "kbd", "li", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp",
        "section", "small", "source", "span", "strike", "strong", "sub", "summary", "sup",
        "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul",
        "var", "video", "wbr",
    )
)  # fmt: skip

# Elements whose content is not shown. A parser would also hide what follows one that is not closed.
HIDDEN = frozenset(
    (
        "script", "style", "template", "svg", "math", "iframe", "applet", "canvas",
        "noembed", "noframes", "noscript", "title", "head", "select", "textarea", "xmp",
        "plaintext", "frameset",
    )
)  # fmt: skip

# Where the address is until a script of the page puts it into place, the likeliest first.
_LAZY = ("data-src", "data-lazy-src", "data-original", "data-litespeed-src", "data-url")

# Players, by where they are framed from: the page to watch at.
_PLAYERS = (
    (
        re.compile(r"//(?:www\.|m\.)?youtube(?:-nocookie)?\.com/(?:embed|v|shorts|live)/([\w-]{6,20})"),
        "https://www.youtube.com/watch?v={}",
    ),
    (re.compile(r"//player\.vimeo\.com/video/(\d+)"), "https://vimeo.com/{}"),
    (re.compile(r"//(?:www\.)?dailymotion\.com/embed/video/(\w+)"), "https://www.dailymotion.com/video/{}"),
    (re.compile(r"//(?:www\.)?loom\.com/embed/(\w+)"), "https://www.loom.com/share/{}"),
    (re.compile(r"//open\.spotify\.com/embed/(\w+/\w+)"), "https://open.spotify.com/{}"),
    (re.compile(r"//www\.tiktok\.com/embed/(?:v2/)?(\d+)"), "https://www.tiktok.com/@/video/{}"),
)  # fmt: skip
# Scripts that write what they are called for.
_WRITING = re.compile(r"//(gist\.github\.com/[^?#]+|asciinema\.org/a/\w+)\.js")
_WRITES_TEXT = re.compile(rf"math/tex|{_WRITING.pattern}")


def repaired(html: str, base_url: str) -> str:
    """HTML in which only what the sanitiser shows is left of embeds, scripts and raw text."""
    return _Repair(html, base_url).run()


def prepared(html: str, base_url: str) -> str:
    """A whole page with its pictures as its scripts would show them, without scripts, style sheets
    and drawings; TeX and words in drawings stay, as does all else."""
    return _Repair(_without_code(html), base_url, only=_PICTURES).run()


def _without_code(html: str) -> str:
    """A page without scripts and style sheets, which end where browsers end them."""
    parts: list[str] = []
    begin = at = 0
    unclosed: set[str] = set()
    while tag := TAG.search(html, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        if name not in _CODE or tag[0].endswith("/>") or _WRITES_TEXT.search(tag[0]):
            continue
        parts.append(html[begin : tag.start()])
        closed = None if name in unclosed else _CODE[name].search(html, at)
        if closed is None:
            unclosed.add(name)
        begin = at = at if closed is None else closed.end()
    return "".join((*parts, html[begin:]))


class _Repair:
    def __init__(
        self, html: str, base_url: str, depth: int = 0, only: frozenset[str] | None = None
    ) -> None:
        self._only = only
        self._html = without_prefixes(comments_closed(html))
        self._depth = depth
        self._base = base_url
        self._contents = Contents(self._html)
        self._aligned = "direction" in self._html or "text-align" in self._html
        self._formulas = 0
        self._embedded: set[str] = set()
        self._pictures: set[str] = set()  # keys of those shown
        self._in_noscript: set[str] = set()
        self._sources: list[str] | None = None  # in a <picture>
        self._last_picture = -1  # where the last one ends that is shown

    def run(self) -> str:
        html, begin, at = self._html, 0, 0
        parts: list[str] = []
        while tag := TAG.search(html, at):
            at = tag.end()
            name = (tag[1] or "").lower()
            write = _WRITERS.get(name)
            if self._only and name not in self._only and name not in _DROPPED:
                at = self._contents.end(tag, name) if name in _SCRIPTS else at
                continue
            if name == "span" and self._formulas and "katex-html" in tag[0]:
                # KaTeX draws the formula before it once more, in boxes.
                parts.append(html[begin : tag.start()])
                begin = at = self._contents.end_of_nested(tag, name)
                continue
            if write is None and name.removeprefix("/") in SHOWN:
                if self._aligned and (found := _directions(tag[0])):
                    parts += (html[begin : tag.end() - 1], found)
                    begin = tag.end() - 1
                if name not in EMPTY and _CLOSES_ITSELF.search(tag[0]):
                    parts.append(f"{html[begin : tag.end()]}</{name}>")
                    begin = tag.end()
                continue
            # The sanitiser would drop what is inside of elements of SVG that stand in no <svg>.
            parts.append(html[begin : tag.start()])
            begin = at = self._contents.end(tag, name) if name in HIDDEN else at
            if write is not None:
                parts.append(write(self, tag, html[tag.end() : at]))
        return "".join((*parts, html[begin:])) if parts else html

    def image(self, tag: re.Match[str], _content: str) -> str:
        given = attributes(tag[0])
        if self._formulas and "mwe-math-fallback" in given.get("class", ""):
            return ""  # Wikipedia's picture of the formula before it
        address = real_source(given, self._sources or ())
        self._sources = None if self._sources is None else []
        if not address:
            if _NOSCRIPT.match(self._html, tag.end()):
                return ""  # the picture stands there
            shown = given.get("alt") or is_inline_picture(given.get("src", ""))
            return _tag("img", given) if shown else ""
        key = picture_key(address)
        # Written twice, for browsers with and without scripts.
        if address != given.get("src") and key in self._in_noscript:
            return ""
        self._pictures.add(key)
        self._last_picture = tag.end()
        return _tag("img", {**given, "src": address})

    def picture(self, _tag: re.Match[str], _content: str) -> str:
        self._sources = []
        return ""

    def picture_end(self, tag: re.Match[str], _content: str) -> str:
        """A <picture> without an <img> shows nothing in browsers."""
        found = self.image(tag, "") if self._sources else ""
        self._sources = None
        return found

    def source(self, tag: re.Match[str], content: str) -> str:
        if self._sources is None:
            return self.media(tag, content)
        given = attributes(tag[0])
        self._sources.append(given.get("data-srcset") or given.get("srcset") or "")
        return ""

    def media(self, tag: re.Match[str], _content: str) -> str:
        given, name = attributes(tag[0]), (tag[1] or "").lower()
        address = given.get("src") or self._address(given, "src")
        shown = _tag(name, {**given, "src": address} if address else given)
        # What stands in a player is not shown: one that is never closed has nothing in it.
        ends = name == "source" or self._contents.end(tag, name) > tag.end()
        return shown if ends else f"{shown}</{name}>"

    def noscript(self, tag: re.Match[str], content: str) -> str:
        """The pictures and embeds in it, unless the one before it is the same, loaded later."""
        if self._depth or not ("<img" in content or "<iframe" in content or "&lt;" in content):
            return ""
        near = self._last_picture >= 0 and tag.start() - self._last_picture < _NEAR
        near = near and "<iframe" not in content
        if near and _TAGS_AND_SPACE.fullmatch(self._html, self._last_picture, tag.start()):
            return ""
        inside = _Repair(content if "<i" in content else unescaped(content), self._base, depth=1)
        inside._embedded = self._embedded
        parts = _SHOWN_IN_NOSCRIPT.findall(inside.run())
        if inside._pictures and inside._pictures <= self._pictures:
            return ""
        self._pictures |= inside._pictures
        self._in_noscript |= inside._pictures
        return "".join(parts)

    def frame(self, tag: re.Match[str], _content: str) -> str:
        given = attributes(tag[0])
        if given.get("width") in _UNSEEN_SIDES and given.get("height") in _UNSEEN_SIDES:
            return ""  # counts readers
        address = self._address(given, "src")
        if not address and self._depth == 0:
            return _Repair(given.get("srcdoc", ""), self._base, depth=1).run()
        return self._link(address, given.get("title", ""))

    def math(self, tag: re.Match[str], content: str) -> str:
        self._formulas += bool(content)
        return shown_math(tag[0], content) if content else ""

    def drawing(self, _tag: re.Match[str], content: str) -> str:
        words = drawn_words(content)
        return f" {words} " if words else ""

    def script(self, tag: re.Match[str], content: str) -> str:
        given = attributes(tag[0])
        if given.get("type", "").startswith("math/tex"):
            return f" {written_tex(content)} "
        writing = _WRITING.search(given.get("src", ""))
        return self._link(f"https://{writing[1]}") if writing else ""

    def object(self, tag: re.Match[str], _content: str) -> str:
        given = attributes(tag[0])
        address = self._address(given, "data")
        if given.get("type", "").startswith("image/") and address:
            return _tag("img", {"src": address, "alt": given.get("aria-label", "")})
        return self._link(address, given.get("title", ""))

    def param(self, tag: re.Match[str], _content: str) -> str:
        """The file that an object of old plays."""
        given = attributes(tag[0])
        if given.get("name", "").lower() not in {"movie", "src", "filename", "url"}:
            return ""
        return self._link(join(self._base, given.get("value", "")))

    def player(self, tag: re.Match[str], _content: str) -> str:
        given = attributes(tag[0])
        video = given.get("videoid") or given.get("data-videoid") or ""
        title = given.get("playlabel") or given.get("title") or ""
        return self._link(f"https://www.youtube.com/embed/{video}", title) if video else ""

    def _address(self, given: dict[str, str], attribute: str) -> str:
        """The address of an embed, also while it waits for a script to load it."""
        for name in (*_LAZY, attribute):
            if (value := given.get(name)) and (address := join(self._base, value)):
                return address
        return ""

    def _link(self, address: str, title: str = "") -> str:
        """A link to what is embedded, once each, called by its title or its site."""
        if not address:
            return ""
        kind = "Embedded"
        for player, page in _PLAYERS:
            if found := player.search(address):
                kind, address = "Video", page.format(found[1])
                break
        if address in self._embedded:
            return ""
        self._embedded.add(address)
        site = host(address)
        title = " ".join(title.split())[:200]
        named = f"{title} ({site})" if title else site
        return f'<p><a href="{escape(address)}">{kind}: {escape(named)}</a></p>'


def _tag(name: str, given: dict[str, str]) -> str:
    """A tag with what the sanitiser knows of its attributes."""
    kept = "".join(f' {one}="{escape(given[one])}"' for one in _ATTRIBUTES if one in given)
    return f"<{name}{kept}>"


def _directions(tag: str) -> str:
    """What a tag's style says of directions, as attributes; those it has itself stand first."""
    if "style" not in tag or not tag.endswith(">") or tag.endswith("/>"):
        return ""
    style = attributes(tag).get("style", "")
    found = ((name, one.search(style)) for name, one in _DIRECTIONS)
    return "".join(f' {name}="{one[1].lower()}"' for name, one in found if one)


_DIRECTIONS = (
    ("dir", re.compile(r"(?<![\w-])direction\s*:\s*(rtl|ltr)", re.IGNORECASE)),
    ("align", re.compile(r"text-align\s*:\s*(left|right|center|justify)", re.IGNORECASE)),
)
# "<a href=//news.test/>" does not: the stroke belongs to the address.
_CLOSES_ITSELF = re.compile(r"""(?:^<[a-zA-Z][^\s/>]*|[\s"'])/>$""")
_ATTRIBUTES = ("src", "alt", "title", "width", "height", "id", "dir", "lang", "poster", "type")
_NEAR = 1_000
_NOSCRIPT = re.compile(r"\s*<noscript\b", re.IGNORECASE)
_TAGS_AND_SPACE = re.compile(r"(?:\s++|</?(?:picture|a|span|div|p|figure|amp-img)\b[^>]*+>)*+")
_SHOWN_IN_NOSCRIPT = re.compile(r"<img\b[^>]*+>|<p><a [^>]*+>(?:Embedded|Video): [^<]*+</a></p>")
_UNSEEN_SIDES = frozenset(("0", "1", "0px", "1px"))

_PICTURES = frozenset(
    ("img", "image", "amp-img", "amp-anim", "picture", "/picture", "source", "noscript")
)
_CODE = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*+>?", re.IGNORECASE) for name in ("script", "style")
}
# Of those of whole pages only the words stay.
_DROPPED = frozenset(("script", "svg"))
# In them "<img" is no picture.
_SCRIPTS = frozenset(("script", "style", "textarea", "template", "xmp"))
_WRITERS: dict[str, Callable[[_Repair, re.Match[str], str], str]] = {
    "img": _Repair.image,
    "image": _Repair.image,
    "amp-img": _Repair.image,
    "amp-anim": _Repair.image,
    "picture": _Repair.picture,
    "/picture": _Repair.picture_end,
    "source": _Repair.source,
    "audio": _Repair.media,
    "video": _Repair.media,
    "noscript": _Repair.noscript,
    "math": _Repair.math,
    "svg": _Repair.drawing,
    "iframe": _Repair.frame,
    "amp-iframe": _Repair.frame,
    "frame": _Repair.frame,
    "embed": _Repair.frame,
    "script": _Repair.script,
    "object": _Repair.object,
    "param": _Repair.param,
    "lite-youtube": _Repair.player,
    "amp-youtube": _Repair.player,
}
