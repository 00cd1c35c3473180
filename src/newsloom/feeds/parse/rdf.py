"""RSS 0.90 and 1.0, which are RDF: articles stand beside the channel and are named by an address.

The elements are those of RSS; only the frame and the identity differ.
"""

from __future__ import annotations

from newsloom.feeds.parse import rss
from newsloom.feeds.parse.document import Document
from newsloom.feeds.parse.draft import read_article
from newsloom.feeds.parse.feed_head import FeedHead
from newsloom.feeds.parse.frame import read_articles
from newsloom.feeds.parse.links import absolute, base_of
from newsloom.feeds.parse.names import canonical
from newsloom.feeds.parse.nodes import Node, language
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed


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
    return head.feed(_version(root, channels), articles, problem)


def _version(root: Node, channels: list[Node]) -> str:
    """0.90 had a namespace of Netscape's; everything later is 1.0."""
    first = channels[0] if channels else root
    return "rdf 0.9" if "netscape.com" in str(first.tag).lower() else "rdf 1.0"
