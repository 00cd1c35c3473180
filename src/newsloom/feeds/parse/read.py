"""Bytes to a ParsedFeed: which format it is, who reads it, and what is refused, in clear words.

Pure: no network, no clock, no file. What a body may weigh is the fetcher's to bound; here it is
bounded again so that nothing a caller hands over can run for minutes.
"""

from __future__ import annotations

from dataclasses import replace

from newsloom.feeds.parse import rss
from newsloom.feeds.parse.atom import read_atom
from newsloom.feeds.parse.document import Document, read_articles, read_document
from newsloom.feeds.parse.draft import read_article
from newsloom.feeds.parse.elements import Node, canonical, language, local
from newsloom.feeds.parse.feed_head import FeedHead
from newsloom.feeds.parse.lenient import is_small, read_leniently
from newsloom.feeds.parse.links import absolute, base_of
from newsloom.feeds.parse.rss import read_rss
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.errors import ParseError

# RSS 0.90 and 1.0, which are RDF: articles stand beside the channel and are named by an address.
#
# The elements are those of RSS; only the frame and the identity differ.


def read_rdf(document: Document) -> ParsedFeed:
    """`<rdf:RDF>`; some feeds still put the articles into the channel."""
    root = document.root
    head = FeedHead(base_of(root, document.url), language(root))
    channels = [child for child in root if canonical(child.tag) == "channel"]
    for child in root:
        if canonical(child.tag) == "image":
            head.image = absolute(head.base, child, rss.image_address(child))
    for channel in channels[:1]:
        rss.read_head(channel, head)
    home = head.home(document.url)

    def read(item: Node) -> ParsedArticle:
        return read_article(
            item,
            rss.ARTICLE,
            home=home,
            base=head.base or home,
            language=head.language,
            guid=rss.about(item),
        )

    articles, problem = read_articles(document, (root, *channels), rss.ITEM, read)
    # 0.90 had a namespace of Netscape's; everything later is 1.0.
    first = channels[0] if channels else root
    return head.feed(
        "rdf 0.9" if "netscape.com" in str(first.tag).lower() else "rdf 1.0", articles, problem
    )


# Four times what the fetcher lets through: a document of 100,000 articles has 21 MB.
_LARGEST_BODY = 64_000_000
_HTML = "The document is an HTML page, not a feed."
_BLANK = b" \t\r\n\0"


def parse_feed(body: bytes, url: str, *, content_type: str = "") -> ParsedFeed:
    """The feed in a response body. `url` is where it finally came from, the base of its links.

    Raises ParseError, saying what the body is instead, when it is no feed; when it is hostile; and
    when it is cut off before its first article is whole.
    """
    if len(body) > _LARGEST_BODY:
        raise ParseError(f"The document has {len(body):,} bytes; {_LARGEST_BODY:,} are the limit.")
    head = body[:4096].removeprefix(b"\xef\xbb\xbf").lstrip(_BLANK)
    if not head and not body.strip(_BLANK):
        raise ParseError("The document is empty.")
    if head[:1] in {b"{", b"["}:
        from newsloom.feeds.parse.json_feed import read_json_feed  # few feeds are JSON

        return read_json_feed(body, url, content_type)
    if head[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise ParseError(_HTML)  # even if it shows the code of a feed further down
    document = read_document(body, url, content_type)
    kind = _kind(document.root) if document is not None else ""
    if document is None or kind not in _FRAMES:
        raise ParseError(_what_it_is(document, head))
    return _read(document, kind)


def _kind(root: Node) -> str:
    """Which format, by the name of the root; under a namespace nobody knows, by that name alone."""
    kind = canonical(root.tag)
    namespace = str(root.tag)[: -len(local(root.tag))]
    if not kind and local(root.tag).lower() in {"rss", "feed"} and namespace:
        for element in root.iter():
            if isinstance(element.tag, str):  # an entity has none
                name = element.tag.removeprefix(namespace)
                if name != element.tag and ":" not in name:  # lxml would refuse that name
                    element.tag = name
        kind = canonical(root.tag)
    return kind


def _what_it_is(document: Document | None, head: bytes) -> str:
    start = head[:1024].replace(b"\0", b"").lower()
    name = local(document.root.tag) if document is not None else ""
    if name.lower() == "html" or b"<html" in start or b"<!doctype html" in start:
        return _HTML
    if name:
        return f"The document is XML, but not a feed: its first element is <{name[:40]}>."
    if start.startswith(b"<"):
        return "The document looks like HTML or XML, but contains no feed."
    if start.startswith((b"%pdf", b"\x89png", b"\xff\xd8", b"gif8", b"pk\x03\x04", b"\x1f\x8b")):
        return "The document is not a feed."
    return "The document is plain text, not a feed."


def _read(document: Document, kind: str) -> ParsedFeed:
    feed = _FRAMES[kind](document)
    if document.damage:
        feed = replace(feed, damage=document.damage)
    if document.cut or document.whole:
        return feed
    if is_small(document.utf8):
        found = read_leniently(document.utf8, document.url or feed.site_url)
        if len(found) >= len(feed.articles):
            feed = replace(feed, articles=_merged(found, feed.articles))
    if not feed.articles:  # a page that shows how a feed looks, or a ruin of one
        raise ParseError(f"The document is a feed, but no article can be read: {feed.problem}.")
    return feed


def _merged(
    lenient: tuple[ParsedArticle, ...], strict: tuple[ParsedArticle, ...]
) -> tuple[ParsedArticle, ...]:
    """Every article of the lenient reading, in our own reading where the damage did not touch it.

    So an article is the same whether its feed was broken elsewhere or not, and no broken day makes
    revisions of everything. Damage shows in one of these four: elements run into each other.
    """

    def traits(article: ParsedArticle) -> tuple[object, ...]:
        dated = article.published or article.updated
        return article.title, article.url, article.guid, dated and dated.replace(microsecond=0)

    known = {traits(article): article for article in strict}
    return tuple(known.get(traits(article), article) for article in lenient)


_FRAMES = {
    "rss": read_rss,
    "channel": read_rss,
    "rdf:rdf": read_rdf,
    "rdf": read_rdf,
    "atom:feed": read_atom,
    "feed": read_atom,
    "atom:entry": read_atom,
}
