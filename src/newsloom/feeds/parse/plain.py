"""Texts as Newsloom keeps them: one plain line (titles, names), or HTML (bodies).

Decides what is markup and what is not; never sanitises, which belongs to showing.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from html import escape, unescape

from newsloom.kernel.text.formulas import readable

# Windows-1252 where a document says Latin-1, or writes &#146; for an apostrophe.
_WINDOWS = {
    code: bytes([code]).decode("windows-1252")
    for code in range(0x80, 0xA0)
    if code not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}
# To translate takes a hundred times as long as to see that there is nothing to be translated.
_WINDOWS_CHARACTERS = tuple(map(chr, _WINDOWS))
_WINDOWS_CHARACTER = re.compile("[\x80-\x9f]")
_SHORT = 500  # the characters in which one pattern finds sooner than a look for each of them
# "editor@paper.test (Jane Doe)", and the other way round; an address alone stays what it is.
_MAIL_AND_NAME = re.compile(r"[^\s()<>]+@[^\s()<>]+\s*\(([^()]+)\)")
_NAME_AND_MAIL = re.compile(r"(.*?\S)\s*(?:\([^\s()]+@[^\s()]+\)|<[^\s<>]+@[^\s<>]+>)")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

# Cut here before anything else looks at it: the longest title of 5,430 real articles has 241
# characters, and no pattern below may meet a hostile megabyte.
_LONGEST_LINE = 4_000

# In a plain text that is escaped: a full stop or a bracket after an address is not part of it.
_ADDRESS = re.compile(
    r"""\bhttps?://(?:\([^\s()<>"]*+\)|(?!&[lg]t;)[^\s<>"()]){0,2000}"""
    r"""(?:\([^\s()<>"]*+\)|(?!&[lg]t;)[^\s<>"'.,;:!?()\[\]{}*»”’])"""
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/?>")
_ANY_TAG = re.compile(r"<(?:[A-Za-z/][^<>]*|!--.*?--|![^<>]*|\?[^<>]*)>", re.DOTALL)
# For texts of any length: comments and quotes are not looked into, nothing is looked at twice.
_ROUGHLY_A_TAG = re.compile(r"<[^<>]*>")
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
# Tags that stand between words; the others stand inside them.
_BREAKS = frozenset({"br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr"})
# What publishers put into titles. Anything else in angle brackets is what the title is about:
# "What <video> does", "std::vector<int>".
_FORMATTING = _BREAKS | {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "mark", "nobr", "q", "rp", "rt", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
}  # fmt: skip


def one_line(text: str | None) -> str:
    """Plain text as one line: white space collapsed, nothing that no file may hold."""
    if not text:
        return ""
    if len(text) > _LONGEST_LINE:
        text = _cut(text)
    if text.isascii() and text.isprintable():
        text = text.strip()
        return text if "  " not in text else " ".join(text.split())
    # Before white space is collapsed: U+0085 is white space, and Windows' "…".
    text = " ".join((text if text.isascii() else _well_encoded(text)).split())
    return text if text.isprintable() else storable(text)


def line_of_markup(text: str | None) -> str:
    """One line of text that is declared to be HTML."""
    if not text:
        return ""
    text = _cut(text)
    if "<" in text:
        text = _ANY_TAG.sub(_gap, _UNSEEN.sub(" ", _with_formulas_read(text)))
    return one_line(entities(text))


def line_of_either(text: str | None) -> str:
    """One line of text that may be HTML or plain, as RSS titles are.

    It is HTML when it has an entity, or formatting that is opened and closed. A lone tag is part of
    the title. feedparser decides alike but then drops every tag it knows, closed or not.
    """
    if not text:
        return ""
    if "<" in text:
        text = _without_formatting(_with_formulas_read(_cut(text)))
    if "&" in text:
        text = entities(_cut(text))
    return one_line(text)


def _with_formulas_read(text: str) -> str:
    """Journals write MathML into titles."""
    return readable(text) if "</math>" in text or ":math>" in text else text


def body(text: str | None) -> str:
    """HTML as the publisher wrote it."""
    if not text:
        return ""
    return (text if text.isascii() else _well_encoded(text)).strip()


def body_of_plain(text: str | None, *, lines: bool = False) -> str:
    """HTML that shows a plain text; `lines` when its line breaks mean something.

    References in it are resolved, although by the letter a plain text has none: what real feeds
    call plain is HTML with its tags taken out (Blogger's summaries, "&nbsp;" and all).
    """
    shown = escape(entities(body(text)), quote=False)
    if "://" in shown:
        shown = _ADDRESS.sub(r'<a href="\g<0>">\g<0></a>', shown)
    return shown.replace("\n", "<br>\n") if lines else shown


def tag_of_either(text: str) -> str:
    """The name of a tag on one line. Cached, because feeds repeat their tags."""
    return _tag(text) if len(text) < _LONGEST_NAME else line_of_either(text)


def person_of_either(text: str) -> str:
    """The name in an author, likewise."""
    return _person(text) if len(text) < _LONGEST_NAME else person(line_of_either(text))


_LONGEST_NAME = 100
_tag = lru_cache(maxsize=4096)(line_of_either)


@lru_cache(maxsize=4096)
def _person(text: str) -> str:
    return person(line_of_either(text))


def person(author: str) -> str:
    """The name in an RSS author, which by the specification is a mail address."""
    match = _MAIL_AND_NAME.fullmatch(author) or _NAME_AND_MAIL.fullmatch(author)
    return match[1].strip() if match else author


def plain_words(html: str) -> str:
    """What HTML says, without white space, to be compared."""
    return "".join(entities(_ROUGHLY_A_TAG.sub(" ", html)).split())


def entities(text: str) -> str:
    """Character references resolved. Only those with a semicolon: "AT&T", "a&copy=1" stay."""
    return _ENTITY.sub(lambda match: unescape(match[0]), text)


def storable(text: str) -> str:
    """Without the characters that no database and no page takes."""
    return _FORBIDDEN.sub("", text)


def _cut(text: str) -> str:
    return text.strip()[:_LONGEST_LINE]


def _well_encoded(text: str) -> str:
    """What mistakes of encoding left in a text, undone."""
    # UTF-8 that was taken for Latin-1 and encoded again. Real text never decodes twice.
    with suppress(UnicodeEncodeError, UnicodeDecodeError):
        text = text.encode("latin-1").decode("utf-8")
    if len(text) < _SHORT:
        mistaken = _WINDOWS_CHARACTER.search(text) is not None
    else:
        mistaken = any(map(text.__contains__, _WINDOWS_CHARACTERS))
    return text.translate(_WINDOWS) if mistaken else text


def _without_formatting(text: str) -> str:
    closed = {match[2].lower() for match in _TAG.finditer(text) if match[1]}

    def kept(match: re.Match[str]) -> str:
        name, attributes = match[2].lower(), match[3]
        if name in _FORMATTING and (name in closed or name in {"br", "hr"}):
            return " " if name in _BREAKS else ""
        if name == "wbr" or (name == "img" and attributes.strip()):
            return ""
        return match[0]

    return _TAG.sub(kept, text)


def _gap(match: re.Match[str]) -> str:
    name = re.match(r"</?([A-Za-z0-9]+)", match[0])
    return " " if name and name[1].lower() in _BREAKS else ""
