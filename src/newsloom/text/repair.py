"""HTML as its publisher meant it, before it is sanitised: embeds as links, nothing swallowed.

Works on the run of tags, so that no input costs more than reading it once; makes nothing safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from newsloom.text.markup import TAG, Contents, attributes, comments_closed
from newsloom.text.urls import host, join

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


def repaired(html: str, base_url: str) -> str:
    """HTML in which only what the sanitiser shows is left of embeds, scripts and raw text."""
    return _Repair(html, base_url).run()


class _Repair:
    def __init__(self, html: str, base_url: str, depth: int = 0) -> None:
        self._html = comments_closed(html)
        self._depth = depth
        self._base = base_url
        self._contents = Contents(self._html)
        self._embedded: set[str] = set()

    def run(self) -> str:
        html, begin, at = self._html, 0, 0
        parts: list[str] = []
        while tag := TAG.search(html, at):
            at = tag.end()
            name = (tag[1] or "").lower()
            if name.removeprefix("/") in SHOWN:
                continue
            # The sanitiser would drop what is inside of elements of SVG that stand in no <svg>.
            parts.append(html[begin : tag.start()])
            if write := _WRITERS.get(name):
                parts.append(write(self, attributes(tag[0])))
            begin = at = self._contents.end(tag, name) if name in HIDDEN else at
        return "".join((*parts, html[begin:])) if parts else html

    def frame(self, given: dict[str, str]) -> str:
        if given.get("width") in _UNSEEN_SIDES and given.get("height") in _UNSEEN_SIDES:
            return ""  # counts readers
        address = self._address(given, "src")
        if not address and self._depth == 0:
            return _Repair(given.get("srcdoc", ""), self._base, depth=1).run()
        return self._link(address, given.get("title", ""))

    def script(self, given: dict[str, str]) -> str:
        writing = _WRITING.search(given.get("src", ""))
        return self._link(f"https://{writing[1]}") if writing else ""

    def object(self, given: dict[str, str]) -> str:
        address = self._address(given, "data")
        if given.get("type", "").startswith("image/") and address:
            return f'<img src="{escape(address)}" alt="{escape(given.get("aria-label", ""))}">'
        return self._link(address, given.get("title", ""))

    def param(self, given: dict[str, str]) -> str:
        """The file that an object of old plays."""
        if given.get("name", "").lower() not in {"movie", "src", "filename", "url"}:
            return ""
        return self._link(join(self._base, given.get("value", "")))

    def player(self, given: dict[str, str]) -> str:
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


_UNSEEN_SIDES = frozenset(("0", "1", "0px", "1px"))

_WRITERS: dict[str, Callable[[_Repair, dict[str, str]], str]] = {
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
