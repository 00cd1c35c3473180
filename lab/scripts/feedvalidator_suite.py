"""How many expectations of the W3C feed validator's test documents Newsloom meets.

    python lab/scripts/feedvalidator_suite.py FOLDER [--failed]

A document says in a comment what a validator must or must not report of it. A reader reports
nothing, so each is counted by what the reader has to do for it, as far as that is something:

    articles   a well-formed feed: each of its items and entries is an article
    date       the date of an item is valid (or not invalid): it is known
    link       the same of its link
    title      an item's title has HTML, or looks as if it had: it is one line without tags of it
    safe       a security risk or a dangerous style: nothing of it is in what is shown
    damage     it is not well-formed: refused with a reason, or read and named damaged
    refused    it is no feed (OPML, KML, OpenSearch): refused with a reason
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.html import sanitize

_URL = "https://feeds.example/feed.xml"
_EXPECT = re.compile(r"Expect:\s*(!?\w+)(?:\{(.*?)\})?")
_ROOTS = frozenset({"rss", "feed", "entry", "rdf", "channel"})
_ITEMS = frozenset({"item", "entry"})
_DATE = re.compile(r"Valid\w*Date|!Invalid\w*Date")
_DATED = re.compile(
    r"element:(?:pubDate|published|updated|issued|created|modified|dc:date)\b(?!\.)"
)
_BROKEN = frozenset({"SAXError", "UnicodeError"})
_DANGEROUS = re.compile(
    r"<(?:script|style|object|embed|i?frame|form|input|meta|link|base|applet)\b"
    r"|<[^>]*\s(?:on\w+|style)=|<[^>]*=[\"']?\s*(?:java|vb)script:",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?(?:a|b|i|em|strong|code|br)\b[^<>]*>", re.IGNORECASE)


def _judged(document: bytes) -> Iterator[tuple[str, bool]]:
    """Each kind of expectation of a document, and whether it is met."""
    said = _EXPECT.search(document.decode("utf-8", "replace"))
    name, where = (said[1], said[2] or "") if said else ("", "")
    try:
        root = etree.fromstring(document, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        root = None
    try:
        feed = parse_feed(document, _URL)
    except ParseError:
        feed = None
    if root is None:
        if name in _BROKEN:
            yield "damage", feed is None or bool(feed.damage or feed.problem)
        return
    if etree.QName(root).localname.lower() not in _ROOTS:
        yield "refused", feed is None
        return
    items = [
        one
        for one in root.iter("{*}item", "{*}entry")
        if not any(etree.QName(above).localname in _ITEMS for above in one.iterancestors())
    ]
    articles = feed.articles if feed else ()
    yield "articles", feed is not None and len(articles) == len(items)
    inside = re.search(r"parent:(?:item|entry)\b", where) and items
    if inside and _DATE.fullmatch(name) and _DATED.search(where):
        yield "date", bool(articles) and (articles[0].published or articles[0].updated) is not None
    if inside and "element:link" in where and name in {"ValidURI", "!InvalidLink"}:
        yield "link", bool(articles) and bool(articles[0].url)
    if inside and name in {"ContainsHTML", "!ContainsHTML"} and "element:title" in where:
        title = articles[0].title if articles else ""
        yield "title", bool(title) and not (name[0] != "!" and _MARKUP.search(title))
    if name.startswith(("SecurityRisk", "Dangerous")):
        shown = [sanitize(html, _URL) for one in articles for html in (one.summary, one.content)]
        yield "safe", feed is not None and not any(map(_DANGEROUS.search, shown))


def main() -> None:
    folder, failed = Path(sys.argv[1]), "--failed" in sys.argv
    met: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for file in sorted(one for one in folder.rglob("*") if one.suffix in {".xml", ".opml", ".rss"}):
        for kind, is_met in _judged(file.read_bytes()):
            of[kind] += 1
            met[kind] += is_met
            if failed and not is_met:
                print(f"{kind}: {file.relative_to(folder)}")
    for kind, number in of.items():
        print(f"{kind:10} {met[kind]:6,} of {number:6,}")
    print(f"{'all':10} {met.total():6,} of {of.total():6,}  {met.total() / of.total():.1%}")


if __name__ == "__main__":
    main()
