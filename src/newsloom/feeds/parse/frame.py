"""Which elements of an XML document are its articles. Reads none of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.document import Document
from newsloom.feeds.parse.feed_head import newest, too_many
from newsloom.feeds.parse.names import canonical, local
from newsloom.feeds.parse.nodes import Node
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.errors import ParseError

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
        if elements and document.ends_inside(elements[-1]):
            elements.pop()
        if not elements:
            raise ParseError("The document is cut off before the end of its first article.")
        problem = f"cut off after {len(elements)} whole articles, which are read"
    articles = tuple([read(element) for element in newest(elements, _date)])
    return articles, problem or too_many(len(elements))


def _date(element: Node) -> datetime | None:
    said = (parse_date(child.text) for child in element if local(child.tag).lower() in _DATES)
    return next(filter(None, said), None)
