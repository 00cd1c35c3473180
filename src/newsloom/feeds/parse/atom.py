"""Atom 0.3 and 1.0. Maps elements to fields; a text's declared type decides how it is read."""

from __future__ import annotations

import base64
import binascii

from newsloom.feeds.parse import extensions
from newsloom.feeds.parse.document import Document, read_articles
from newsloom.feeds.parse.draft import (
    Draft,
    Handlers,
    add_enclosure,
    add_summary,
    joined,
    read_article,
)
from newsloom.feeds.parse.elements import (
    Node,
    canonical,
    language,
    markup_of,
    plain_of,
    text_of,
    xhtml_of,
)
from newsloom.feeds.parse.feed_head import FeedHead
from newsloom.feeds.parse.links import absolute, base_of
from newsloom.feeds.parse.plain import body, line_of_markup, one_line, storable
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed

_ENTRY = frozenset({"atom:entry", "entry"})
_RELATIONS = "http://www.iana.org/assignments/relation/"  # RFC 4287, 4.2.7.2


def _kind(element: Node) -> str:
    """text, html, xhtml, base64 or other, from Atom 1.0's type or Atom 0.3's type and mode."""
    kind = (element.get("type") or "text").strip().lower()
    mode = (element.get("mode") or "").lower()
    if mode == "base64":
        return "base64"
    if kind in {"xhtml", "application/xhtml+xml"}:
        return "html" if mode == "escaped" else "xhtml"
    if kind in {"html", "text/html"}:
        return "xhtml" if mode == "xml" or _is_inline(element) else "html"
    if kind in {"text", "text/plain"}:
        return "text"
    if kind.startswith("text/"):
        return "html"
    if kind.startswith(("image/", "audio/", "video/")):
        return "none"
    return "xhtml" if kind.endswith(("/xml", "+xml")) or kind == "xml" else "other"


def _is_inline(element: Node) -> bool:
    return len(element) > 0


def line(element: Node) -> str:
    """A title or name as plain text."""
    kind = _kind(element)
    if kind == "html":
        return line_of_markup(element.text)
    if kind in {"base64", "other"} and not _is_inline(element):
        text = "".join((element.text or "").split())
        return line_of_markup(_base64(text, strict=kind == "other")) or one_line(text_of(element))
    return one_line(text_of(element))


def html(element: Node) -> str:
    """A body as HTML."""
    match _kind(element):
        case "html":
            return markup_of(element)
        case "xhtml":
            return xhtml_of(element)
        case "text":
            return xhtml_of(element) if _is_inline(element) else plain_of(element)
        case "base64":
            return _base64(element.text or "")
        case "other":
            if _is_inline(element):
                return xhtml_of(element)
            return _base64("".join((element.text or "").split()), strict=True) or plain_of(element)
        case _:
            return ""


def _base64(text: str, *, strict: bool = False) -> str:
    try:
        return body(storable(base64.b64decode(text, validate=strict).decode("utf-8")))
    except (binascii.Error, ValueError):
        return ""


def _rel(element: Node) -> str:
    """How an address is related, in lower case; the address of a relation is its name."""
    return (element.get("rel") or "alternate").strip().lower().removeprefix(_RELATIONS)


def _id(draft: Draft, element: Node) -> None:
    draft.guid = draft.guid or one_line(element.text)
    draft.guid_is_url = True  # an entry without a link whose id is an address is found there


def _title(draft: Draft, element: Node) -> None:
    draft.title = draft.title or line(element)


def _link(draft: Draft, element: Node) -> None:
    rel = _rel(element)
    href = element.get("href")
    if rel == "alternate":
        kind, address = element.get("type") or "text/html", absolute(draft.base, element, href)
        if kind.lower() in {"text/html", "application/xhtml+xml", "html"}:
            # Of several translations, the one in the language of the entry.
            written = (element.get("hreflang") or "").partition("-")[0].lower()
            fits = bool(written) and written == draft.language.partition("-")[0].lower()
            if not draft.url or (fits and not draft.url_fits):
                draft.url = address
                draft.url_fits = fits
        draft.other_url = draft.other_url or address
    elif rel == "enclosure":
        add_enclosure(draft, element, href, element.get("type"), element.get("length"))
    elif rel == "replies":
        draft.comments_url = draft.comments_url or absolute(draft.base, element, href)
    elif rel == "canonical":
        extensions.canonical_link(draft, element)


def _content(draft: Draft, element: Node) -> None:
    if source := element.get("src"):  # somewhere else, and a page at best
        draft.other_url = draft.other_url or absolute(draft.base, element, source)
    elif not draft.content:
        draft.content = draft.placed(html(element), element)


def _category(draft: Draft, element: Node) -> None:
    name = one_line(element.get("term") or element.get("label") or element.text)
    if name:
        draft.categories.append(name)


def _source(draft: Draft, element: Node) -> None:
    """The feed an article was taken over from: its name, and its author where there is no other."""
    for child in element:
        match canonical(child.tag).removeprefix("atom:"):
            case "author":
                draft.credited.append(person(child))
            case "title":
                draft.publisher = line(child)
            case "link" if _rel(child) == "alternate":
                draft.publisher_url = absolute(draft.base, child, child.get("href"))


_OWN = {
    "id": _id,
    "title": _title,
    "link": _link,
    "author": lambda draft, element: draft.authors.append(person(element)),
    "summary": lambda draft, element: add_summary(draft, draft.placed(html(element), element)),
    "content": _content,
    "published": extensions.published,
    "issued": extensions.published,
    "created": extensions.created,
    "updated": extensions.updated,
    "modified": extensions.updated,
    "category": _category,
    "source": _source,
}
# A feed that forgot the namespace is read all the same.
ARTICLE = Handlers(
    extensions.ARTICLE | _OWN | {f"atom:{name}": handler for name, handler in _OWN.items()},
    extensions.thumbnails_inside,
)


def person(element: Node) -> str:
    """A name; where there is none, the address that stands for it."""
    parts = {canonical(child.tag).removeprefix("atom:"): child for child in reversed(list(element))}
    for part in ("name", "email", "uri", "url"):
        if part in parts and (text := one_line(text_of(parts[part]))):
            return text
    return one_line(element.text)


def read_atom(document: Document) -> ParsedFeed:
    """`<feed>`; an `<entry>` that stands alone is a feed of one."""
    root = document.root
    head = FeedHead(base_of(root, document.url), language(root))
    alone = canonical(root.tag) in _ENTRY
    if not alone:
        read_head(root, head)
    home = head.home(document.url)

    def read(entry: Node) -> ParsedArticle:
        return read_article(
            entry,
            ARTICLE,
            home=home,
            base=head.base or home,
            language=head.language,
            author=head.author,
        )

    articles, problem = read_articles(document, () if alone else (root,), _ENTRY, read)
    old = "purl.org/atom" in str(root.tag) or root.get("version") == "0.3"
    return head.feed("atom 0.3" if old else "atom 1.0", articles, problem)


def read_head(root: Node, head: FeedHead) -> None:
    """The feed's own elements; the entries among them are passed over."""
    authors = []
    for element in root:
        name = canonical(element.tag).removeprefix("atom:")
        match name:
            case "entry" | "category":  # Blogger lists a thousand
                continue
            case "title":
                head.title = head.title or line(element)
            case "subtitle" | "tagline":
                head.description = head.description or html(element)
            case "link":
                head.notes.link(element)
                if _rel(element) == "alternate":
                    head.site_url = head.site_url or absolute(
                        head.base, element, element.get("href")
                    )
            case "author":
                authors.append(person(element))
            case "logo" | "icon" | "itunes:image":
                # The logo before the icon, wherever they stand.
                found = absolute(head.base, element, element.text or element.get("href"))
                head.image = (found or head.image) if name == "logo" else (head.image or found)
            case "dc:language":
                head.language = one_line(element.text)[:35]
            case _:
                head.notes.note(name, element)
    head.author = joined(authors)
