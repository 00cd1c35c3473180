"""Documents with an address in letters of some language, in each place where an address can stand.

Made here, so that they are always there. Each document has the odd address in one place alone: what
fails is known by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

HOSTS = (
    "bücher.example", "пример.рф", "例え.テスト", "مثال.إختبار", "παράδειγμα.δοκιμή",
    "faß.example:8080", "☃.example", "ｆｕｌｌ.example", "xn--bcher-kva.example",
    "b%C3%BCcher.example",
)  # fmt: skip

_PLACE = re.compile(r"https://plain\.example")
_SPACES = (
    'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_RSS = f"""<rss version="2.0" {_SPACES}><channel><title>T</title><link>https://plain.example/</link>
<image><url>https://plain.example/icon.png</url></image><itunes:image href="https://plain.example/i"/>
<atom:link rel="hub" href="https://plain.example/hub"/>
<atom:link rel="self" href="https://plain.example/self"/>
<item xml:base="https://plain.example/base/"><title>One</title><link>relative</link></item>
<item><title>Two</title><link>https://plain.example/2</link>
<guid>https://plain.example/guid</guid><comments>https://plain.example/comments</comments>
<enclosure url="https://plain.example/a.mp3" type="audio/mpeg"/>
<media:thumbnail url="https://plain.example/a.jpg"/>
<media:content url="https://plain.example/b.jpg" medium="image"/>
<feedburner:origLink>https://plain.example/origin</feedburner:origLink>
<source url="https://plain.example/source">S</source><dc:source>https://plain.example/dc</dc:source>
<description>&lt;a href="https://plain.example/in"&gt;text&lt;/a&gt;</description></item>
</channel></rss>"""
_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://plain.example/base/">
<title>T</title><link href="https://plain.example/"/><icon>https://plain.example/icon.ico</icon>
<logo>https://plain.example/logo.png</logo><link rel="hub" href="https://plain.example/hub"/>
<entry><id>https://plain.example/id</id><title>One</title><link href="https://plain.example/1"/>
<link rel="enclosure" href="https://plain.example/a.mp3" type="audio/mpeg"/>
<link rel="canonical" href="https://plain.example/canonical"/>
<link rel="replies" href="https://plain.example/replies"/>
<author><name>A</name><uri>https://plain.example/author</uri></author>
<source><title>S</title><link href="https://plain.example/source"/></source>
<content type="html">&lt;img src="https://plain.example/in.png"&gt;</content></entry>
<entry><title>Two</title><link href="relative"/></entry></feed>"""
_RDF = f"""<rdf:RDF {_SPACES} xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://plain.example/about"><title>T</title><link>https://plain.example/</link>
</channel><image><url>https://plain.example/i.png</url></image>
<item rdf:about="https://plain.example/1"><title>One</title><link>https://plain.example/2</link>
</item></rdf:RDF>"""
_JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "T",
"home_page_url": "https://plain.example/", "feed_url": "https://plain.example/feed",
"icon": "https://plain.example/icon.png", "hubs": [{"type": "WebSub", "url": "https://plain.example/h"}],
"items": [{"id": "https://plain.example/id", "url": "https://plain.example/1",
"external_url": "https://plain.example/x", "image": "https://plain.example/1.png",
"attachments": [{"url": "https://plain.example/a.mp3", "mime_type": "audio/mpeg"}],
"content_html": "<a href='https://plain.example/in'>a</a>"}, {"id": "2", "url": "relative"}]}"""
# The end of a title lost: what no XML parser takes, and feedparser reads once more.
_FEEDS = {
    "rss": _RSS,
    "broken rss": _RSS.replace("</title>", "", 1),
    "atom": _ATOM,
    "broken atom": _ATOM.replace("</title>", "", 1),
    "rdf": _RDF,
    "broken rdf": _RDF.replace("</title>", "", 1),
    "json": _JSON,
}
_OPML = """<opml version="2.0"><body><outline text="Folder">
<outline text="A" xmlUrl="https://plain.example/a" htmlUrl="https://plain.example/"/></outline>
<outline text="B" xmlUrl="feed:https://plain.example/b"/></body></opml>"""
_PAGE = """<!doctype html><html><head><base href="https://plain.example/base/">
<link rel="alternate" type="application/rss+xml" href="https://plain.example/feed" title="T">
<link rel="alternate" type="application/atom+xml" href="relative">
<link rel="icon" href="https://plain.example/icon.png"></head>
<body><a href="https://plain.example/rss.xml">RSS</a></body></html>"""


def feeds() -> Iterator[tuple[str, bytes]]:
    """A name and a feed."""
    for name, feed in _FEEDS.items():
        yield from _in_each_place(name, feed)


def lists() -> Iterator[tuple[str, bytes]]:
    """A name and an OPML list."""
    yield from _in_each_place("opml", _OPML)
    yield from _in_each_place("broken opml", _OPML.replace('text="B"', 'text="B & C"'))


def pages() -> Iterator[tuple[str, bytes]]:
    """A name and a page that names feeds."""
    yield from _in_each_place("page", _PAGE)


def _in_each_place(name: str, document: str) -> Iterator[tuple[str, bytes]]:
    for host in HOSTS:
        for place, match in enumerate(_PLACE.finditer(document)):
            odd = f"{document[: match.start()]}https://{host}{document[match.end() :]}"
            yield f"{name}, place {place}, {host}", odd.encode()
