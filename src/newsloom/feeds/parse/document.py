"""Bytes to an XML tree that can be trusted: hostile documents refused, broken ones mended or named.

Knows XML, not feeds. Never opens a file or an address, never expands an entity.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from html.entities import html5
from itertools import chain
from typing import cast
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from lxml import etree
from lxml.etree import _Element

from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.elements import CONVENTIONAL, Node, canonical, local
from newsloom.feeds.parse.encoding import declared_utf8, to_utf8
from newsloom.feeds.parse.feed_head import newest, too_many
from newsloom.feeds.values.published import Damage, ParsedArticle
from newsloom.kernel.errors import ParseError

# Documents without a single mistake, which nearly all are, read by expat at half of lxml's price.
#
# Anything else is `None` here and read by `document`, which mends and names what is wrong. So this
# reads no entity, no DTD, nothing that is nested without reason, and needs no opinion on any of it.

# libxml2's bound on a text or attribute, which no text of a smaller document can exceed.
_LARGEST = 10_000_000
# libxml2's bound on levels.
_DEEPEST_WELLFORMED = 256
# Texts come in one piece up to here; the largest article of 5,430 real ones has 150,000 characters.
_BUFFER = 65_536


class _Doctype(Exception):
    """The document declares things."""


def read_whole(utf8: bytes) -> Node | None:
    """The tree of a well-formed document without a DOCTYPE; None for any other."""
    if len(utf8) > _LARGEST:
        return None
    parser = expat.ParserCreate("utf-8", "}")
    tree = TreeBuilder()
    parser.buffer_text = True
    parser.buffer_size = _BUFFER
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.data
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(utf8, True)
    except _Doctype:
        return None
    except expat.ExpatError as error:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]:
            raise MemoryError from error
        return None
    root = tree.close()
    return None if _too_deep_wellformed(root) else cast(Node, root)


def _refuse(*_declared: object) -> None:
    raise _Doctype


def _too_deep_wellformed(root: Element) -> bool:
    level = [root]
    for _ in range(_DEEPEST_WELLFORMED):
        level = list(chain.from_iterable(filter(len, level)))  # type: ignore[arg-type]
        if not level:
            return False
    return True


# libxml2's own bounds, all on because huge_tree is off: 256 levels, 10 MB a text or attribute,
# entities may not grow a document more than fivefold.
_LIMITS = frozenset({"ERR_RESOURCE_LIMIT", "ERR_ENTITY_LOOP", "ERR_NAME_TOO_LONG", "ERR_NO_MEMORY"})
# libxml2 stops telling after this many errors, so a limit it hit later would go unseen.
_MOST_ERRORS = 100
_DEEPEST = 256
# References and tags in a document to be mended: a second's work. 15 MB of Atom have half as many.
_MOST_MENDED = 2_000_000
# Mistakes that spoil no more than the character or the name they stand at, once the text is mended.
_HARMLESS = frozenset(
    {
        "NS_ERR_UNDEFINED_NAMESPACE", "NS_ERR_XML_NAMESPACE", "NS_ERR_QNAME", "NS_ERR_COLON",
        "NS_ERR_ATTRIBUTE_REDEFINED", "ERR_ATTRIBUTE_REDEFINED", "ERR_INVALID_CHAR",
        "ERR_INVALID_CHARREF", "ERR_HYPHEN_IN_COMMENT", "ERR_RESERVED_XML_NAME",
        "ERR_MISPLACED_CDATA_END", "ERR_NS_DECL_ERROR", "WAR_NS_URI_RELATIVE", "WAR_NS_URI",
        "ERR_DOCUMENT_END", "ERR_UNKNOWN_VERSION", "WAR_UNKNOWN_VERSION", "ERR_VERSION_MISMATCH",
    }
)  # fmt: skip
_ROOT = re.compile(rb"<(?:[A-Za-z][\w.-]*:)?(?:rss|feed|rdf|opml|channel)\b[^<>]*>?", re.IGNORECASE)
_ROOTS = frozenset({"rss", "feed", "rdf", "opml", "channel"})
_TAG = re.compile(rb"(<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z))|<[A-Za-z][^<>]*>", re.DOTALL)
_ANY_TAG = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][\w:.-]*)[^<>]*>", re.DOTALL
)
_UNQUOTED = re.compile(rb"""(\s[\w:.-]+)\s*=\s*([^\s"'<>=]+)(?=[\s/>])""")
_ARTICLE = re.compile(rb"<(item|entry)[\s>]")
_ARTICLE_PARTS = (re.compile(rb"<title[\s>]"), re.compile(rb"<link[\s>]|<guid[\s>]|<pubDate>"))
_ARTICLE_START = re.compile(r"<(?:item|entry)[\s>]")
_HEADS = {
    b"item": (b"<rss><channel>", b"</channel></rss>"),
    b"entry": (b'<feed xmlns="http://www.w3.org/2005/Atom">', b"</feed>"),
}
# How far in a feed may begin after what a server printed before it.
_JUNK = 8192
_DOCTYPE = re.compile(
    rb"<!DOCTYPE[^\[>]{0,1000}(?:\[(.{0,65536}?)\]\s*)?>", re.IGNORECASE | re.DOTALL
)
_DECLARED_ENTITY = re.compile(
    r"""<!ENTITY\s+([\w.-]{1,64})\s+(?:"([^"%&<]{0,1000})"|'([^'%&<]{0,1000})')"""
)
_DECLARED_CHARACTER = re.compile(r"""<!ENTITY\s+([\w.-]{1,64})\s+["'](&#x?[0-9a-fA-F]{1,7};)["']""")
# CDATA and comments hold these two rightly; elsewhere "&" must begin a reference and "<" a tag.
_SPECIAL = re.compile(
    r"(<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z))"
    r"|<(?![A-Za-z_/!?])|&(?:#([0-9]+|[xX][0-9a-fA-F]+);|([\w.-]{1,64});)?",
    re.DOTALL,
)
# libxml2 takes these into the tree, wherever they stand, and lxml then cannot read the text.
_SURROGATE = re.compile(
    r"&#(?:[xX]0*[dD][89a-fA-F][0-9a-fA-F]{2}"
    r"|0*5(?:529[6-9]|5[3-9]\d\d|6\d{3}|7[0-2]\d\d|73[0-3]\d|734[0-3]));"
)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_SECTIONS = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """An XML tree and how it came about."""

    root: Node
    utf8: bytes  # what was parsed
    url: str  # where it came from
    whole: bool = True  # nothing that structure depends on was wrong
    cut: bool = False  # it ends before its elements do
    problem: str = ""

    @property
    def damage(self) -> Damage:
        """What may be missing of it."""
        if self.cut:
            return Damage.CUT
        if not self.whole:
            return Damage.BROKEN
        return Damage.MENDED if self.problem else Damage.NONE


def read_document(body: bytes, url: str, content_type: str) -> Document | None:
    """The tree, or None when there is no XML in it. Raises ParseError for hostile documents."""
    utf8, problem = _start(body), ""
    if not declared_utf8(utf8, content_type):
        decoded = to_utf8(utf8, content_type)
        utf8, problem = decoded.utf8, decoded.problem
    if (whole := read_whole(utf8)) is not None:
        return Document(whole, utf8, url, problem=problem)
    root, errors = _parse(utf8, url)
    if root is not None and not _spoils(root, errors) and not _entities_declared(root):
        return Document(cast(Node, root), utf8, url, problem=problem or _words(errors))
    if _names(errors) == {"ERR_INVALID_CHAR"}:  # the commonest mistake, and the cheapest to mend
        utf8 = utf8.translate(None, _CONTROLS)
        root, left = _parse(utf8, url)
        if root is not None and not left:
            return Document(cast(Node, root), utf8, url, problem=problem or _words(errors))
    return _second_reading(body, url, content_type, errors)


def _spoils(root: _Element, errors: list[etree._LogEntry]) -> bool:
    """Whether the tree cannot be taken as it is.

    After the first fatal error libxml2 drops references from all later texts. Only what follows the
    end of a feed comes too late for that (the end of something else may be junk before a feed).
    """
    fatal = {one.type_name for one in errors if one.level_name == "FATAL"}
    if fatal == {"ERR_DOCUMENT_END"}:
        return local(root.tag).lower() not in _ROOTS
    return bool(fatal) or len(errors) >= _MOST_ERRORS


def _start(body: bytes) -> bytes:
    body = body.removeprefix(b"\xef\xbb\xbf")
    return body if body[:1] == b"<" else body.lstrip(b" \t\r\n")


def _parse(utf8: bytes, url: str) -> tuple[_Element | None, list[etree._LogEntry]]:
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        # Never collect_ids=False: in lxml 6.1 it makes libxml2 read the external DTD after all.
    )
    try:
        root = etree.fromstring(utf8, parser, base_url=url)
    except etree.XMLSyntaxError:
        root = None
    errors = [one for one in parser.error_log if one.level_name != "WARNING"]
    for error in errors:
        if error.type_name in _LIMITS or "too big" in error.message:
            raise ParseError(f"The document is refused: {_sentence(error)}.")
    return root, errors


def _second_reading(
    body: bytes, url: str, content_type: str, errors: list[etree._LogEntry]
) -> Document | None:
    """Mend what can be mended in the text itself and parse again."""
    utf8, problem = _mended(body, content_type, _names(errors))
    if not utf8:
        return None
    root, left = _parse(utf8, url)
    if root is None:
        return None
    if len(left) >= _MOST_ERRORS and _too_deep(utf8):
        raise ParseError(f"The document is refused: elements in more than {_DEEPEST} elements.")
    names = _names(left)
    return Document(
        cast(Node, root),
        utf8,
        url,
        whole=names <= _HARMLESS and len(left) < _MOST_ERRORS,
        cut=not names <= _HARMLESS and _is_open(utf8, root),
        problem=problem or _words(errors or left),
    )


def _mended(body: bytes, content_type: str, broken: set[str]) -> tuple[bytes, str]:
    """UTF-8 without junk around the feed, control characters, and ampersands that mean nothing."""
    decoded = to_utf8(_start(body), content_type)
    utf8, problem = decoded.utf8, decoded.problem
    if utf8.count(b"&") + utf8.count(b"<") > _MOST_MENDED:
        raise ParseError("The document is refused: broken, and too large to repair.")
    doctype = _DOCTYPE.match(utf8, max(utf8[:_JUNK].upper().find(b"<!DOCTYPE"), 0))
    entities = _declared(doctype[1] or b"") if doctype else {}
    before = doctype.end() if doctype else 0
    if (root := _ROOT.search(utf8, before, before + _JUNK)) is None:
        utf8 = _with_root(utf8)
        if (root := _ROOT.search(utf8, 0, _JUNK)) is None:
            return b"", problem
    # Nothing before the root matters any more, and much of what goes wrong goes wrong there.
    utf8 = _declaring(root[0], utf8[root.start() :]).translate(None, _CONTROLS)
    if "ERR_ATTRIBUTE_NOT_STARTED" in broken:
        utf8 = _TAG.sub(lambda tag: tag[1] or _UNQUOTED.sub(rb'\1="\2"', tag[0]), utf8)
    text = _FORBIDDEN.sub("", _SURROGATE.sub("\ufffd", utf8.decode("utf-8", "replace")))
    # Without the start of a section that never ends, if articles come after it.
    for start, end in (("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")):
        place = text.find(start, text.rfind(end) + 1)
        if place >= 0 and _ARTICLE_START.search(text, place):
            text = text[:place] + text[place + len(start) :]
    text = _SPECIAL.sub(lambda match: _reference(match, entities), text)
    return text.encode("utf-8"), problem


def _with_root(utf8: bytes) -> bytes:
    """A document whose head is lost, from its first article on."""
    first = _ARTICLE.search(utf8, 0, _JUNK)
    if first is None or not all(tag.search(utf8, first.end()) for tag in _ARTICLE_PARTS):
        return utf8
    start, end = _HEADS[first[1]]
    return start + utf8[first.start() :] + end


def _declaring(root: bytes, utf8: bytes) -> bytes:
    """With the namespaces declared whose usual prefixes are used without."""
    name = re.match(rb"<[\w.:-]+", root)
    missing = b"".join(
        f' xmlns:{prefix}="{address}"'.encode()
        for prefix, address in CONVENTIONAL.items()
        if f"<{prefix}:".encode() in utf8 and f"xmlns:{prefix}".encode() not in root
    )
    return name[0] + missing + utf8[name.end() :] if name else utf8


def _too_deep(utf8: bytes) -> bool:
    """Nesting as HTML parsers count it: an end tag ends all that was opened since its start."""
    stack: list[bytes] = []
    for tag in _ANY_TAG.finditer(utf8):
        name = tag[2]
        if not name or tag[0].endswith(b"/>"):
            continue
        if not tag[1]:
            stack.append(name)
            if len(stack) > _DEEPEST:
                return True
        elif name in stack:
            while stack.pop() != name:
                pass
    return False


def _declared(subset: bytes) -> dict[str, str]:
    """The entities a document declares for itself, where they are plain characters."""
    text = subset.decode("utf-8", "replace")
    found = {name: double or single for name, double, single in _DECLARED_ENTITY.findall(text)}
    return found | {name: unescape(value) for name, value in _DECLARED_CHARACTER.findall(text)}


def _reference(match: re.Match[str], entities: dict[str, str]) -> str:
    """Every reference as a number: after its first error libxml2 drops the ones with names."""
    if match[1]:
        return match[1]
    if match[2]:
        digits = match[2]
        code = int(digits[1:9], 16) if digits[0] in "xX" else int(digits[:9])
        # unescape knows which code points are no characters, and Windows' misuse of 128 to 159.
        return _numbers(_FORBIDDEN.sub("", unescape(f"&#{code};")))
    name = match[3]
    if not name:
        return _numbers(match[0])
    meant = entities.get(name) or html5.get(f"{name};")
    return _numbers(meant) if meant else f"&#38;{name};"


def _numbers(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)


def _is_open(utf8: bytes, element: _Element) -> bool:
    """Whether the last element of that name lacks its end, looking outside CDATA and comments.

    libxml2 closes whatever a document leaves open, and its messages differ with the place of the
    cut, so the text itself is asked.
    """
    prefix = f"{element.prefix}:" if element.prefix else ""
    name = re.escape(f"{prefix}{local(element.tag)}".encode())
    tags = re.compile(rb"<(/?)" + name + rb"(?=[\s/>]|\Z)([^<>]*)")
    last = deque(tags.finditer(_SECTIONS.sub(b"", utf8)), maxlen=1)
    return any(not tag[1] and not tag[2].endswith(b"/") for tag in last)


def _entities_declared(root: _Element) -> bool:
    dtd = root.getroottree().docinfo.internalDTD  # None without a DOCTYPE, whatever the stubs say
    return bool(dtd) and any(True for _ in dtd.entities())  # type: ignore[attr-defined]


def _names(errors: list[etree._LogEntry]) -> set[str]:
    return {error.type_name for error in errors}


def _words(errors: list[etree._LogEntry]) -> str:
    return f"not well-formed XML: {_sentence(errors[0])}" if errors else ""


def _sentence(error: etree._LogEntry) -> str:
    message = " ".join(error.message.split())[:200]
    return f"line {error.line}, {message[:1].lower()}{message[1:]}"


_DATES = frozenset({"pubdate", "published", "date", "issued", "created", "updated", "modified"})


def read_articles(
    document: Document,
    parents: Iterable[Node],
    names: frozenset[str],
    read: Callable[[Node], ParsedArticle],
) -> tuple[tuple[ParsedArticle, ...], str]:
    """The articles, and what was wrong with the document as a whole.

    Nothing half is returned: an article that the end of the document went through is left out, and
    a document with no whole article before its cut is refused.
    """
    elements = [child for parent in parents for child in parent if canonical(child.tag) in names]
    if not document.whole or not elements:
        elements = [one for one in document.root.iter() if canonical(one.tag) in names]
    problem = document.problem
    if document.cut:
        if elements and _is_open(document.utf8, cast(_Element, elements[-1])):
            elements.pop()
        if not elements:
            raise ParseError("The document is cut off before the end of its first article.")
        problem = f"cut off after {len(elements)} whole articles, which are read"
    articles = tuple([read(element) for element in newest(elements, _date)])
    return articles, problem or too_many(len(elements))


def _date(element: Node) -> datetime | None:
    said = (parse_date(child.text) for child in element if local(child.tag).lower() in _DATES)
    return next(filter(None, said), None)
