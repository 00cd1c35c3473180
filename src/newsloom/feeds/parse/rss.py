"""RSS 0.91 to 2.0: `<rss>` and its channel. Maps elements to fields; repairs nothing.

RSS 1.1, whose root is the channel itself, comes along.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from newsloom.feeds.parse import extensions
from newsloom.feeds.parse.document import Document, read_articles
from newsloom.feeds.parse.draft import Draft, Handlers, add_enclosure, read_article
from newsloom.feeds.parse.elements import Node, attribute, canonical, language, markup_of, text_of
from newsloom.feeds.parse.feed_head import FeedHead
from newsloom.feeds.parse.links import absolute, base_of
from newsloom.feeds.parse.plain import line_of_either, one_line
from newsloom.feeds.values.published import ParsedFeed

_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
ITEM = frozenset({"item"})


def _title(draft: Draft, element: Node) -> None:
    draft.title = draft.title or line_of_either(text_of(element))


def _link(draft: Draft, element: Node) -> None:
    draft.url = draft.url or absolute(draft.base, element, element.text or element.get("href"))


def _guid(draft: Draft, element: Node) -> None:
    if not draft.guid:
        draft.guid = one_line(element.text)
        is_url = element.get("isPermaLink")
        draft.guid_is_said_url = (is_url or "").strip().lower() == "true"
        draft.guid_is_url = not is_url or draft.guid_is_said_url


def _enclosure(draft: Draft, element: Node) -> None:
    add_enclosure(draft, element, element.get("url"), element.get("type"), element.get("length"))


def _image(draft: Draft, element: Node) -> None:
    """Not in the specification, yet written: an address, or the channel's structure."""
    if not draft.image_later:
        draft.image_later = absolute(draft.base, element, image_address(element))


def _comments(draft: Draft, element: Node) -> None:
    draft.comments_url = draft.comments_url or absolute(draft.base, element, element.text)


def _source(draft: Draft, element: Node) -> None:
    """Whose article it is, where a search engine or a planet lists those of others."""
    draft.publisher = line_of_either(text_of(element))
    draft.publisher_url = absolute(draft.base, element, element.get("url"))


ARTICLE = Handlers(
    extensions.ARTICLE
    | {
        "title": _title,
        "link": _link,
        "guid": _guid,
        "description": extensions.summary,
        "summary": extensions.summary,
        "content": extensions.content,
        "body": extensions.content,
        "fullitem": extensions.content,
        "pubdate": extensions.published,
        "published": extensions.published,
        "updated": extensions.updated,
        "modified": extensions.updated,
        "issued": extensions.published,
        "author": extensions.credited,
        "category": extensions.category,
        "enclosure": _enclosure,
        "image": _image,
        "comments": _comments,
        "source": _source,
    },
    extensions.thumbnails_inside,
)


def about(item: Node) -> str:
    """What RDF names an article by, with or without its namespace."""
    return one_line(attribute(item, _ABOUT) or item.get("about")) if item.keys() else ""


def image_address(element: Node) -> str:
    for child in element:
        if canonical(child.tag) == "url":
            return child.text or ""
    return element.get("href") or element.get("url") or element.text or ""


def read_rss(document: Document) -> ParsedFeed:
    """`<rss>` with a channel, or whatever of the two a feed has."""
    root = document.root
    channel = next((child for child in root if canonical(child.tag) == "channel"), root)
    base = base_of(channel, base_of(root, document.url))
    head = FeedHead(base, language(root) or language(channel))
    read_head(channel, head)
    home = head.home(document.url)
    articles, problem = read_articles(
        document,
        (channel,) if channel is root else (channel, root),
        ITEM,
        lambda item: read_article(
            item, ARTICLE, home=home, base=base or home, language=head.language, guid=about(item)
        ),
    )
    return head.feed(_version(root), articles, problem)


def read_head(channel: Node, head: FeedHead) -> None:
    """The channel's own elements; the articles among them are passed over."""
    others: dict[str, Node] = {}  # by other vocabularies
    for element in channel:
        name = canonical(element.tag)
        match name:
            case "item":
                continue
            case "title":
                head.title = head.title or line_of_either(text_of(element))
            case "link":
                head.site_url = head.site_url or absolute(head.base, element, element.text)
            case "description":
                head.description = head.description or markup_of(element)
            case (
                "dc:title"
                | "itunes:title"
                | "itunes:summary"
                | "itunes:subtitle"
                | "dc:description"
            ):
                others.setdefault(name, element)
            case "language" | "dc:language":
                head.language = one_line(element.text)[:35] or head.language
            case "image":
                head.image = absolute(head.base, element, image_address(element)) or head.image
            case "itunes:image":
                head.image = head.image or absolute(head.base, element, element.get("href"))
            case _:
                head.notes.note(name, element)
    _fill(head, others)
    head.site_url = head.site_url or _site_by_atom(channel, head.base)


def _fill(head: FeedHead, others: Mapping[str, Node]) -> None:
    """With what the channel says in other vocabularies, where it says nothing in its own."""
    for name, element in others.items():
        if name.endswith("title"):
            head.title = head.title or line_of_either(text_of(element))
        else:
            head.description = head.description or markup_of(element)


def _site_by_atom(channel: Node, base: str) -> str:
    """What a channel without a link of its own links to in Atom's words."""
    for element in channel:
        if canonical(element.tag) == "atom:link":
            rel = (element.get("rel") or "alternate").strip().lower()
            if rel == "alternate":
                return absolute(base, element, element.get("href"))
    return ""


def _version(root: Node) -> str:
    """As declared, to two digits; RSS without a version is read as 2.0."""
    if "rss1.1" in str(root.tag):
        return "rss 1.1"
    match = re.match(r"\s*(\d\.\d{1,2})", root.get("version") or "")
    return f"rss {match[1]}" if match else "rss 2.0"
