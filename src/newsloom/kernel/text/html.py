"""HTML of articles as plain text and as HTML that is safe to show. Pure; bounded on any input."""

from __future__ import annotations

import re
import unicodedata
from html import escape, unescape
from urllib.parse import quote, unquote

import nh3

from newsloom.kernel.text.characters import plain, without_controls
from newsloom.kernel.text.formulas import ATTRIBUTES as MATHML_ATTRIBUTES
from newsloom.kernel.text.formulas import MATHML, readable
from newsloom.kernel.text.markup import Limits, beyond, pieces, unescaped
from newsloom.kernel.text.picture_sources import is_inline_picture
from newsloom.kernel.text.repair import HIDDEN, SHOWN, repaired
from newsloom.kernel.text.urls import join, without_campaign

# Before every name from an article, so that none is a name of the page around it.
_ANCHOR = "text-"

_ANCHOR_VALUE = r"""\s*+=\s*+(?:"([^"]{1,400}+)"|'([^']{1,400}+)'|([^\s"'>]{1,400}+))"""
_ANCHOR_NAME = re.compile(rf"\s(?:id|name){_ANCHOR_VALUE}", re.IGNORECASE)
_ANCHOR_LINK = re.compile(rf"\shref{_ANCHOR_VALUE}", re.IGNORECASE)
# Tags that stand between words; all others stand inside them ("<b>W</b>ord").
BREAKS = {
    **dict.fromkeys(
        (
            "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd",
            "details", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
            "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li",
            "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody",
            "tfoot", "thead", "tr", "ul",
        ),
        "\n",
    ),
    **dict.fromkeys(("td", "th", "option", "img", "button", "rt"), " "),
}  # fmt: skip
BREAKS |= {f"/{name}": mark for name, mark in BREAKS.items()}

# The window of HTML read first, for each character of text wanted: 95% of real bodies hold more
# text than a fourth of their length.
_WINDOW = 4


def to_text(html: str, limit: int) -> str:
    """What a reader sees, one line a paragraph, at most `limit` characters. Linear in the input."""
    window = _WINDOW * max(limit, 0) + 1_000
    text = _text(html[:window])
    # An element cut by the window may show what it would have hidden: the last words do not count.
    while window < len(html) and len(text) < limit + 100:
        window *= 4
        text = _text(html[:window])
    return text[: max(limit, 0)].rstrip()


def _text(html: str) -> str:
    texts, names = pieces(readable(html.replace("\n", " ")))
    marked = texts[:1]
    for name, text in zip(names, texts[1:], strict=True):
        marked += (BREAKS.get(name.lower(), "") if name else "", text)
    lines = [plain(" ".join(line.split())) for line in unescaped("".join(marked)).split("\n")]
    return "\n".join(filter(None, lines))


def visible(html: str) -> str:
    """The characters a reader sees, without white space: for comparing and for measuring."""
    text = "".join(pieces(html)[0]) if "<" in html else html
    return plain("".join(unescaped(text).split()))


def excerpt(text: str, length: int) -> str:
    """The beginning of a plain text on one line, cut between words, at most `length` characters."""
    # Nothing behind this can matter: words are shorter, and so is white space in plain text.
    line = " ".join(text[: 8 * max(length, 0) + 1_000].split())
    if len(line) <= length:
        return line
    cut = max(length - 1, 0)
    space = line.rfind(" ", 0, cut + 1)
    if space > cut // 2:
        cut = space
    while cut and _belongs_to_the_one_before(line[cut]):
        cut -= 1
    return f"{line[:cut].rstrip(' ,;:–—-')}…" if cut else ""


# Of a text whose article has no title.
HEADLINE_LENGTH = 80


def headline(title: str, text: str) -> str:
    """A title to show: of an article without one, the first words of its plain text."""
    return title or excerpt(text, HEADLINE_LENGTH)


def _belongs_to_the_one_before(character: str) -> bool:
    joins = unicodedata.combining(character) != 0 or unicodedata.category(character) in {"Mn", "Me"}
    return joins or character in "\u200d\ufe0f" or "\U0001f3fb" <= character <= "\U0001f3ff"


# nh3 is quadratic in depth and in attributes (100,000 nested elements: 24 s; 50,000 attributes:
# 4 s), and reopens unclosed formatting in every paragraph (10 KB became 2.8 MB). The largest of
# 7,844 real bodies had 760,000 characters, depth 204 and work 30,000; at these limits nh3 needs
# under 0.2 s.
LIMITS = Limits(characters=1_000_000, depth=256, attributes=64, work=250_000)

# Of a text beyond them; some 35,000 words.
_PLAIN_TEXT = 200_000

_ATTRIBUTES = {
    "*": {"align", "dir", "id", "lang", "title"},
    "a": {"href", "hreflang", "name"},
    "audio": {"src"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "img": {"src", "alt", "width", "height"},
    "li": {"value"},
    "ol": {"start", "reversed", "type"},
    "source": {"src", "type"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
    "video": {"src", "poster", "width", "height"},
}
# Only for texts with formulas: nh3 takes over all of its lists anew for each text (0.1 ms).
_WITH_MATH = {**_ATTRIBUTES, **{name: set(MATHML_ATTRIBUTES) for name in MATHML}}
_TAGS, _TAGS_WITH_MATH = set(SHOWN), set(SHOWN | MATHML)
_GONE_WITH_CONTENT = set(HIDDEN - MATHML)
# One attribute each: several come out in another order every time. It stands last in its tag.
_ADDED = {
    "a": {"target": "_blank"},
    "audio": {"preload": "none"},
    "img": {"referrerpolicy": "no-referrer"},
    "video": {"preload": "none"},
}
# The others, put before it: ">" ends a tag wherever it stands in what nh3 gives.
_ADDED_TOO = (
    (' referrerpolicy="no-referrer">', ' loading="lazy" decoding="async"'),
    (' preload="none">', ' controls=""'),
)
_ADDRESSES = frozenset(("src", "poster"))
_NUMBERS = frozenset(("width", "height", "colspan", "rowspan", "span", "start", "value"))


def sanitize(html: str, base_url: str) -> str:
    """HTML without anything that runs, frames, submits or styles; links absolute, or within it.

    What is too large or too deep for the cleaner is shown as its text, and says so.
    """
    html = without_controls(html)
    published, html = html, repaired(html, base_url)
    # Only now: what is taken out may have parted the tags of others.
    if problem := beyond(html, LIMITS):
        text = to_text(published, _PLAIN_TEXT)
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line)
        return f"<p><em>Shown as plain text because the HTML is {problem}.</em></p>{paragraphs}"
    formulas = "<math" in html
    clean = nh3.clean(
        html,
        tags=_TAGS_WITH_MATH if formulas else _TAGS,
        clean_content_tags=_GONE_WITH_CONTENT,
        attributes=_WITH_MATH if formulas else _ATTRIBUTES,
        attribute_filter=_Attributes(html, base_url).shown,
        set_tag_attribute_values=_ADDED,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto", "data"},
        url_relative=lambda reference: reference,  # the filter made all of them absolute
    )
    clean = _WITHIN.sub(lambda link: link[0].replace('target="_blank"', 'target="_self"'), clean)
    for last, others in _ADDED_TOO:
        clean = clean.replace(last, others + last)
    return without_controls(clean)


_WITHIN = re.compile(rf'<a [^>]*?href="#{_ANCHOR}[^>]*>')


class _Attributes:
    """The attributes of one article, among them the names that links in it lead to."""

    def __init__(self, html: str, base_url: str) -> None:
        self._base_url = base_url
        self._page = ""
        self._names: frozenset[str] = frozenset()
        if "#" in html:
            self._page = _comparable(base_url)
            linked = {
                self._fragment(value) for value in _values(_ANCHOR_LINK, html) if "#" in value
            }
            self._names = frozenset(
                name for value in _values(_ANCHOR_NAME, html) if (name := value.strip()) in linked
            )

    def shown(self, tag: str, name: str, value: str) -> str | None:
        """Addresses absolute, numbers plain; what is neither is dropped."""
        if name == "href":
            mail = value[:7].lower() == "mailto:"
            return value if mail else self._link(value) or join(self._base_url, value) or None
        if tag == "img" and name == "src" and value[:5].lower() == "data:":
            return value if is_inline_picture(value) else None
        if name in _ADDRESSES:
            return join(self._base_url, value) or None
        if name in {"id", "name"}:  # None for one that nothing leads to
            anchor = value.strip()
            return _ANCHOR + anchor.removeprefix(_ANCHOR) if anchor in self._names else None
        if name == "align":
            shown = value.lower() in {"left", "right", "center", "justify"} and tag != "img"
            return value if shown else None
        if name in _NUMBERS:
            plain_number = value.isascii() and value.isdecimal() and len(value) <= 5
            return value if plain_number else None
        return value

    def _link(self, address: str) -> str:
        """The link to write for one in the article; "" for one that leads elsewhere."""
        name = self._fragment(address) if self._names and "#" in address else ""
        return f"#{_ANCHOR}{quote(name.removeprefix(_ANCHOR))}" if name in self._names else ""

    def _fragment(self, address: str) -> str:
        """The name a link leads to in the article itself; "" for a link to another page."""
        page, _mark, fragment = address.strip().partition("#")
        if page and (
            not self._page or _comparable(join(f"http://{self._page}", page)) != self._page
        ):
            return ""
        return unquote(fragment)


def _comparable(url: str) -> str:
    page = without_campaign(url.partition("#")[0])
    return page.removeprefix("https://").removeprefix("http://").rstrip("/")


def _values(attribute: re.Pattern[str], html: str) -> list[str]:
    return [unescape(one[1] or one[2] or one[3]) for one in attribute.finditer(html)]
