"""Finds the feeds that a web page links to. Pure; bounded whatever the bytes are.

Reads tags with regular expressions that cannot backtrack, not with an HTML parser: libxml2 takes
160 s for one tag with 120,000 attributes, and nothing but three kinds of tag is wanted. A tag ends
as in browsers: at the first ">" outside a quoted value, whatever else that value holds.
"""

from __future__ import annotations

import codecs
import html as entities
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from newsloom.kernel.text.decoding import codec_of, decode
from newsloom.kernel.text.markup import TAG
from newsloom.kernel.text.response_headers import links
from newsloom.kernel.text.slips import meant

# Feeds are named in the head, and links to them in the page's frame; what comes after two
# megabytes is somebody's article.
MOST_BYTES = 2_000_000
MOST_LINKS = 30
_LONGEST_URL = 2_000
_LONGEST_TITLE = 200
_LONGEST_TAG = 32_000
_MOST_TAGS = 20_000  # of the wanted ones: less than a second of work
_WANTED = frozenset({"link", "base", "a", "meta"})

FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/json",
        "application/x.atom+xml",
        "application/xml",
        "text/xml",
    }
)

# Said of machine interfaces too: WordPress links its REST answers so on every page.
_NO_FEED = re.compile(r"wp-json|oembed|/api/")

# The last part of a path that a feed's address has, by what feed software writes.
_FEED_PATH = re.compile(
    r"(?:^|/)(?:feed|rss|rss2|atom|rdf)/?$"
    r"|(?:^|/)(?:feed|rss|atom|index)\.(?:xml|rss|rdf|atom|json)$"
    r"|\.(?:rss|atom|rdf)$"
)

_FEED_QUERY = re.compile(
    r"(?:^|[&;])(?:page=backend|feed=(?:rss2?|atom|rdf)|format=(?:feed|rss|atom)|type=rss"
    r"|(?:output|alt|mode)=(?:rss|atom)|rss=1)(?:$|[&;])"
)

# Where software puts a feed that no page links to: WordPress and Substack, generators of static
# sites, Hugo, Ghost, Discourse, SPIP.
_USUAL = (
    "feed", "rss.xml", "atom.xml", "index.xml", "rss/", "latest.rss", "spip.php?page=backend",
)  # fmt: skip
# The same for software that names itself in its pages.
_OF_SOFTWARE = {
    "wordpress": "feed/", "ghost": "rss/", "substack": "feed", "discourse": "latest.rss",
    "hugo": "index.xml", "jekyll": "feed.xml", "spip": "spip.php?page=backend", "drupal": "rss.xml",
    "joomla": "?format=feed&type=rss", "blogger": "feeds/posts/default", "hexo": "atom.xml",
    "movable type": "atom.xml", "squarespace": "?format=rss", "wix": "blog-feed.xml",
    "gatsby": "rss.xml", "astro": "rss.xml", "eleventy": "feed.xml", "dokuwiki": "feed.php",
    "phpbb": "feed.php", "pelican": "feeds/all.atom.xml", "dotclear": "feed/atom",
}  # fmt: skip

# What a link to a feed is called, surest first: "subscribe" may as well be a newsletter.
_CALLED = (
    re.compile(r"\b(?:rss|atom|feeds?|xml|syndicat\w*|flux|канал|лента)\b"),
    re.compile(
        r"\b(?:subscribe|follow|abonn\w*|s.abonner|suscr\w*|iscriviti|assin\w*|подпис\w*|prenumer\w*)"
        r"|订阅|訂閱|購読|구독|اشترك"
    ),
)
_MOST_CALLED = 4

# A page that says that what was here is elsewhere: it does little else, so it is short.
_REFRESH = re.compile(
    r"\s{0,9}(\d{1,3})(?:\.\d{0,9})?\s{0,9}[;,]\s{0,9}(?:url\s{0,9}=)?(.*)", re.IGNORECASE
)
_LONGEST_WAIT = 30  # seconds; what comes later is a page that loads itself anew
_MOVED = re.compile(
    r"\bha(?:s|ve) (?:\w+ )?(?:moved|migrated|relocated)\b|\bmoved (?:permanently|to\b)"
    r"|\bnew (?:address|location|home)\b|umgezogen|neue adresse|déménagé|nouvelle adresse"
    r"|nueva dirección|se ha mudado|переехал|новый адрес|verhuisd|移転|搬到|迁移"
)
_MOVED_BYTES = 20_000

_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]{1,40}+)(?:\s{0,9}+=\s{0,9}+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?+"""
)
_HIDDEN = (
    (re.compile("<!--"), re.compile("-->")),
    (re.compile("<script", re.IGNORECASE), re.compile("</script", re.IGNORECASE)),
)
_CHARSET = re.compile(rb"""charset\s{0,9}=\s{0,9}["']?([A-Za-z0-9._:-]{2,40})""", re.IGNORECASE)
# What a page that is no UTF-8 cannot be in, or was used to hide markup from those who look for it.
_NO_PAGE = ("utf-", "hz", "iso2022_kr")


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page names."""

    url: str  # absolute
    title: str = ""
    type: str = ""  # as written; empty for an ordinary link that looks like one


def feed_links(
    html: bytes, url: str, content_type: str = "", headers: Iterable[str] = ()
) -> tuple[FeedLink, ...]:
    """The feeds a page names, each once: its own, those of comments, links that look like one.

    `headers` are the values of its Link headers, which come before what the page says.
    """
    declared: list[FeedLink] = []
    likely: list[FeedLink] = []
    base = url
    for header in links(headers):
        said = {"rel": " ".join(header.relations), "type": header.type, "href": header.target}
        if not header.anchor and _is_declared(said):
            _add(declared, url, said | {"title": header.title}, header.type)
    for name, attributes, _words in _tags(decoded(html[:MOST_BYTES], content_type)):
        if name == "base":
            base = _joined(url, attributes.get("href", "")) or url
        elif name == "link" and _is_declared(attributes):
            _add(declared, base, attributes, attributes.get("type", ""))
        elif name == "a" and _looks_like_feed(attributes.get("href", "")):
            _add(likely, base, attributes, "")
        if len(declared) + len(likely) >= 4 * MOST_LINKS:
            break
    # A stable sort: the order of the page, with the feeds of comments moved behind the others.
    declared.sort(key=lambda one: "comment" in one.url.lower() or "comment" in one.title.lower())
    unique: dict[str, FeedLink] = {}
    for link in (*declared, *likely):
        unique.setdefault(link.url, link)
    return tuple(unique.values())[:MOST_LINKS]


def possible_feeds(html: bytes, url: str, content_type: str = "") -> tuple[FeedLink, ...]:
    """What may be a feed of a page that names none: where its software has it, links that are
    called so, and its canonical address."""
    named: list[FeedLink] = []
    called: list[list[FeedLink]] = [[] for _ in _CALLED]
    base = url
    for name, attributes, words in _tags(decoded(html[:MOST_BYTES], content_type)):
        if name == "base":
            base = _joined(url, attributes.get("href", "")) or url
        elif name == "meta" and attributes.get("name", "").lower() == "generator":
            software = attributes.get("content", "").lower()
            paths = [path for known, path in _OF_SOFTWARE.items() if known in software]
            named += [FeedLink(root + path) for root in _bases(url) for path in paths[:2]]
        elif name == "link" and "canonical" in attributes.get("rel", "").lower().split():
            _add(called[-1], base, attributes, "")
        elif name == "a":
            said = " ".join((words, attributes.get("title", ""), attributes.get("class", "")))
            rank = next((at for at, one in enumerate(_CALLED) if one.search(said.lower())), None)
            if rank is not None and len(called[rank]) < _MOST_CALLED:
                _add(called[rank], base, attributes, "")
    unique: dict[str, FeedLink] = {}
    for link in (*called[0], *named, *called[1]):
        unique.setdefault(link.url, link)
    unique.pop(url, None)
    return tuple(unique.values())[:MOST_LINKS]


def moved_to(html: bytes, url: str, content_type: str = "") -> str:
    """Where a page says that what was here is now: by a refresh, or in words with one link; "" for
    most pages."""
    text = decoded(html[:MOST_BYTES], content_type)
    base, canonical = url, ""
    others: list[str] = []
    for name, attributes, _words in _tags(text):
        if name == "base":
            base = _joined(url, attributes.get("href", "")) or url
        elif name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
            match = _REFRESH.fullmatch(attributes.get("content", "")[:_LONGEST_URL])
            target = _joined(base, match[2].strip(" \"'")) if match else ""
            if match and int(match[1]) <= _LONGEST_WAIT and target and target != url:
                return target
        elif name == "link" and "canonical" in attributes.get("rel", "").lower().split():
            canonical = _joined(base, attributes.get("href", ""))
        elif name == "a" and len(others) < MOST_LINKS:
            others.append(_joined(base, attributes.get("href", "")))
    if len(html) > _MOVED_BYTES or not _MOVED.search(text.lower()):
        return ""
    different = {link for link in (canonical, *others) if link and link != url}
    return different.pop() if len(different) == 1 else ""


def _bases(url: str) -> tuple[str, ...]:
    """What the paths of a site's feeds start from: the page's folder, then the root."""
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}/"
    return tuple(
        dict.fromkeys([urljoin(root, parts.path.rpartition("/")[0].lstrip("/") + "/"), root])
    )


def guesses(url: str) -> tuple[str, ...]:
    """Where a site's feed usually is when no page links to it: by the page, then at the root."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        return ()
    return tuple(base + name for name in _USUAL for base in _bases(url))


def _tags(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Each tag that is wanted: its name, its attributes, and the words of a link."""
    text = _without_hidden(text)
    wanted = 0
    for tag in TAG.finditer(text):
        name = (tag[1] or "").lower()
        if name not in _WANTED or not tag[0].endswith(">"):
            continue
        wanted += 1
        if wanted > _MOST_TAGS:
            return
        attributes: dict[str, str] = {}
        for one in _ATTRIBUTE.finditer(tag[0], len(name) + 1, len(name) + 1 + _LONGEST_TAG):
            value = one[2] or one[3] or one[4] or ""
            attributes.setdefault(one[1].lower(), entities.unescape(value).strip())
        words = text[tag.end() : tag.end() + _LONGEST_TITLE].partition("</a")[0]
        yield name, attributes, words if name == "a" else ""


def _without_hidden(text: str) -> str:
    """Without comments and scripts, where tags are text."""
    for opening, closing in _HIDDEN:
        kept: list[str] = []
        start = 0
        while found := opening.search(text, start):
            kept.append(text[start : found.start()])
            end = closing.search(text, found.end())
            start = end.end() if end else len(text)
        kept.append(text[start:])
        text = "".join(kept)
    return text


def _is_declared(attributes: dict[str, str]) -> bool:
    rel = attributes.get("rel", "").lower().split()
    kind = attributes.get("type", "").lower().partition(";")[0].strip()
    if "feed" in rel:
        return True
    return (
        "alternate" in rel
        and "stylesheet" not in rel
        and kind in FEED_TYPES
        and not _NO_FEED.search(attributes.get("href", "").lower())
    )


def _looks_like_feed(href: str) -> bool:
    path, _, query = href.partition("#")[0].lower().partition("?")
    scheme, _, rest = path.partition("://")
    # "https://reader.example/subscribe/https://site.example/feed" is a service's button.
    inner = rest if scheme in {"http", "https"} else path
    return (
        "://" not in inner
        and "%3a" not in inner
        and bool(_FEED_PATH.search(path) or _FEED_QUERY.search(query))
    )


def _add(links: list[FeedLink], base: str, attributes: dict[str, str], kind: str) -> None:
    if address := _joined(base, attributes.get("href", "")):
        title = " ".join(attributes.get("title", "").replace("\0", " ").split())
        links.append(FeedLink(address, title[:_LONGEST_TITLE], kind[:_LONGEST_TITLE]))


def _joined(base: str, href: str) -> str:
    """The absolute address, or an empty string when it is none that can be fetched."""
    # feed: and feed:https: were once how browsers were told to subscribe.
    if href.lower().startswith("feed:"):
        href = href[5:] if "://" in href[5:] else "http:" + href[5:]
    try:
        joined = urljoin(base, meant(href[: _LONGEST_URL + 1])).partition("#")[0]
        parts = urlsplit(joined)
    except ValueError:
        return ""
    if not href or parts.scheme not in {"http", "https"} or not parts.netloc:
        return ""
    return joined if len(joined) <= _LONGEST_URL and joined.isprintable() else ""


def decoded(page: bytes, content_type: str = "") -> str:
    """A page as UTF-8, else as its header or it itself says; nothing but words depends on it.

    A label means what browsers mean by it: "iso-8859-1" is windows-1252.
    """
    if page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return page.decode("utf-16", "replace")
    named = (_CHARSET.search(content_type.encode("ascii", "ignore")), _CHARSET.search(page[:4096]))
    labels = (codec_of(match[1].decode("ascii")) for match in named if match)
    return decode(page, (label for label in labels if not label.startswith(_NO_PAGE))).text


def base_of(html: str, url: str) -> str:
    """What the relative addresses of a page are relative to."""
    for name, attributes, _words in _tags(html[:MOST_BYTES]):
        if name == "base":
            return _joined(url, attributes.get("href", "")) or url
    return url
