"""Article by article beside feedparser: what is the same, and a name for everything that is not.

Both sides are first put into one notation (`_notation_*`): white space collapsed, HTML as its words
and its addresses, times to the second. What still differs must belong to a class with a name and a
verdict, or it is counted as unexplained.
"""

from __future__ import annotations

import calendar
import html
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import feedparser
from lxml import etree

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.errors import ParseError

# Where the documents are said to come from, so that relative addresses have a base on both sides.
BASE = "https://feeds.example/feed.xml"
FIELDS = (
    "guid", "url", "title", "author", "published", "updated", "summary", "content", "categories",
    "enclosures", "image",
)  # fmt: skip

SAME = "same information"  # said in another place, or by another convention
OURS = "ours better"
THEIRS = "theirs better"
UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Difference:
    """One class of difference: the field, its name, whose reading is right, how often, where."""

    field: str
    name: str
    verdict: str
    articles: int
    feeds: int
    example: str  # the file it was first seen in


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Shares are of the articles both parsers return, 0 to 1."""

    feeds: int
    articles: int  # ours
    feedparser_articles: int
    compared: int
    fields: dict[str, float]  # the same information, by field
    alike: float  # the same information in every field
    agreement: float  # alike, or different only where ours is better
    theirs_better: float
    unexplained: float
    differences: tuple[Difference, ...]
    counts_differ: tuple[tuple[str, int, int], ...]  # file, ours, feedparser's
    refused: tuple[tuple[str, str], ...]  # file, why

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def table(self) -> list[tuple[str, ...]]:
        """Rows for people: fields first, then the classes of difference."""
        rows: list[tuple[str, ...]] = [
            ("field", name, f"{share:.2%}") for name, share in self.fields.items()
        ]
        rows += [
            ("whole article", "same information in every field", f"{self.alike:.2%}"),
            ("whole article", "the same, or ours better", f"{self.agreement:.2%}"),
            ("articles", "Newsloom / feedparser", f"{self.articles} / {self.feedparser_articles}"),
        ]
        rows += [
            (one.field, f"{one.verdict}: {one.name}", f"{one.articles} in {one.feeds} feeds")
            for one in self.differences
        ]
        return rows


@dataclass(frozen=True, slots=True)
class _Pair:
    """One article as both read it, with what an explanation may need to look at."""

    ours: ParsedArticle
    theirs: Any
    feed: Any  # feedparser's
    captions: frozenset[str]  # of pictures, in the whole document
    raw: bytes


def agreement(folder: Path) -> AgreementReport:
    """Compare every file of a folder. Needs no network; feedparser takes most of the time."""
    tally = _Tally()
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        tally.add(file.name, file.read_bytes())
    return tally.report()


class _Tally:
    """Counts while the files go by."""

    def __init__(self) -> None:
        self.feeds = self.ours = self.theirs = self.compared = 0
        self.same: Counter[str] = Counter()
        self.worst: Counter[str] = Counter()  # articles by the worst verdict in them
        self.classes: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        self.counts: list[tuple[str, int, int]] = []
        self.refused: list[tuple[str, str]] = []

    def add(self, name: str, raw: bytes) -> None:
        self.feeds += 1
        theirs = _feedparser(raw)
        self.theirs += len(theirs.entries)
        try:
            ours = parse_feed(raw, BASE)
        except ParseError as error:
            self.refused.append((name, str(error)))
            return
        self.ours += len(ours.articles)
        if len(ours.articles) != len(theirs.entries):
            self.counts.append((name, len(ours.articles), len(theirs.entries)))
        captions = _captions(raw)
        for article, entry in _paired(ours, theirs.entries):
            self._compare(name, _Pair(article, entry, theirs.feed, captions, raw))

    def _compare(self, name: str, pair: _Pair) -> None:
        self.compared += 1
        verdicts = set()
        for field in FIELDS:
            ours, theirs = _READ_OURS[field](pair.ours), _READ_THEIRS[field](pair.theirs)
            if ours == theirs:
                self.same[field] += 1
                continue
            verdict, words = _explained(field, pair, ours, theirs)
            self.same[field] += verdict == SAME
            self.classes[field, words, verdict].append(name)
            verdicts.add(verdict)
        self.worst[next((v for v in (UNEXPLAINED, THEIRS, OURS) if v in verdicts), SAME)] += 1

    def report(self) -> AgreementReport:
        total = max(self.compared, 1)
        return AgreementReport(
            feeds=self.feeds,
            articles=self.ours,
            feedparser_articles=self.theirs,
            compared=self.compared,
            fields={field: self.same[field] / total for field in FIELDS},
            alike=self.worst[SAME] / total,
            agreement=(self.worst[SAME] + self.worst[OURS]) / total,
            theirs_better=self.worst[THEIRS] / total,
            unexplained=self.worst[UNEXPLAINED] / total,
            differences=tuple(
                Difference(field, words, verdict, len(files), len(set(files)), files[0])
                for (field, words, verdict), files in sorted(
                    self.classes.items(), key=lambda one: (one[0][2], -len(one[1]))
                )
            ),
            counts_differ=tuple(self.counts),
            refused=tuple(self.refused),
        )


def _feedparser(raw: bytes) -> Any:
    try:
        return feedparser.parse(
            BytesIO(raw),
            response_headers={"content-location": BASE},
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception:  # noqa: BLE001 - a wrong byte in the declaration is enough for one
        return feedparser.FeedParserDict(entries=[], feed=feedparser.FeedParserDict())


def _paired(ours: ParsedFeed, entries: list[Any]) -> Iterator[tuple[ParsedArticle, Any]]:
    """By place when both have as many, else by address or guid."""
    if len(ours.articles) == len(entries):
        yield from zip(ours.articles, entries, strict=True)
        return
    by_key = {key: entry for entry in entries for key in (entry.get("link"), entry.get("id"))}
    for article in ours.articles:
        entry = by_key.get(article.url) or by_key.get(article.guid)
        if entry is not None:
            yield article, entry


# --- one notation for both ---

_TAG = re.compile(r"<(?:[A-Za-z/][^<>]*|!--.*?--|![^<>]*)>", re.DOTALL)
_INLINE = re.compile(
    r"</?(?:a|abbr|b|cite|code|em|i|q|s|small|span|strong|sub|sup|u)\b[^<>]*>", re.IGNORECASE
)
_ADDRESS = re.compile(r"""\s(?:href|src)\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _plain(markup: str | None) -> str:
    """A line of HTML as its text."""
    return _line(html.unescape(_TAG.sub(" ", _INLINE.sub("", markup or ""))))


def _body(markup: str | None) -> tuple[str, tuple[str, ...]]:
    """HTML as its words and the addresses it points to; whether they are absolute is another
    question, answered by the base that only one side applies."""
    text = markup or ""
    words = html.unescape(html.unescape(_TAG.sub(" ", text)))
    addresses = (html.unescape(one).rsplit("/", 1)[-1] for one in _ADDRESS.findall(text))
    return "".join(words.split()), tuple(sorted(addresses))


def _second(moment: datetime | None) -> datetime | None:
    return moment.replace(microsecond=0) if moment else None


def _moment(parsed: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None
    except (ValueError, OverflowError):
        return None


_READ_OURS: dict[str, Callable[[ParsedArticle], Any]] = {
    "guid": lambda one: one.guid,
    "url": lambda one: one.url,
    "title": lambda one: _line(one.title),
    "author": lambda one: one.author,
    "published": lambda one: _second(one.published),
    "updated": lambda one: _second(one.updated),
    "summary": lambda one: _body(one.summary),
    "content": lambda one: _body(one.content),
    "categories": lambda one: one.categories,
    "enclosures": lambda one: tuple(file.url for file in one.enclosures),
    "image": lambda one: one.image,
}


def _their_title(entry: Any) -> str:
    kind = (entry.get("title_detail") or {}).get("type", "")
    text = entry.get("title")
    return _plain(text) if kind in {"text/html", "application/xhtml+xml"} else _line(text)


def _their_author(entry: Any) -> str:
    """feedparser keeps the names apart and repeats the last as `author`; here all count."""
    people = entry.get("authors", [])
    names = [one.get("name") or one.get("email") for one in people] or [entry.get("author")]
    return ", ".join(dict.fromkeys(_plain(name) for name in names if name))


def _their_categories(entry: Any) -> tuple[str, ...]:
    names = (_plain(tag.get("term") or tag.get("label")) for tag in entry.get("tags", []))
    return tuple(dict.fromkeys(name for name in names if name))


def _their_files(entry: Any) -> tuple[str, ...]:
    links = entry.get("links", [])
    return tuple(
        dict.fromkeys(
            link["href"] for link in links if link.get("rel") == "enclosure" and link.get("href")
        )
    )


def _their_content(entry: Any) -> Any:
    """Of several contents, which feedparser makes of second descriptions, the longest."""
    values = [one.get("value") or "" for one in entry.get("content", [])]
    return _body(max(values, key=len, default=""))


def _their_image(entry: Any) -> str:
    """The same preference as ours: a thumbnail, a picture among the media, the podcast's cover."""
    media = entry.get("media_content", [])
    pictures = (
        [one.get("url") for one in entry.get("media_thumbnail", [])],
        [one.get("url") for one in media if _is_picture(one)],
        [(entry.get("image") or {}).get("href")],
    )
    return next((url for group in pictures for url in group if url), "")


def _is_picture(media: Any) -> bool:
    return media.get("medium") == "image" or str(media.get("type", "")).startswith("image/")


_READ_THEIRS: dict[str, Callable[[Any], Any]] = {
    "guid": lambda entry: _line(entry.get("id")),
    "url": lambda entry: entry.get("link") or "",
    "title": _their_title,
    "author": _their_author,
    "published": lambda entry: _moment(dict.get(entry, "published_parsed")),
    "updated": lambda entry: _moment(dict.get(entry, "updated_parsed")),
    "summary": lambda entry: _body(entry.get("summary")),
    "content": _their_content,
    "categories": _their_categories,
    "enclosures": _their_files,
    "image": _their_image,
}


# --- why they differ ---


@dataclass(frozen=True, slots=True)
class _Class:
    fields: tuple[str, ...]
    name: str
    verdict: str
    holds: Callable[[_Pair, Any, Any], bool]  # the pair, our value, theirs


def _captions(raw: bytes) -> frozenset[str]:
    """The words of every media:description and media:title: texts about a picture or recording."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(raw, parser)
    media = "{http://search.yahoo.com/mrss/}"
    found = () if root is None else root.iter(f"{media}description", f"{media}title")
    return frozenset(_body("".join(map(str, one.itertext())))[0] for one in found)


def _content_of(entry: Any) -> Any:
    return _READ_THEIRS["content"](entry)


def _feed_authors(feed: Any) -> str:
    return _their_author(feed)


def _escaped(addresses: Any) -> Any:
    """One address, or several."""
    if isinstance(addresses, str):
        return addresses.strip().replace(" ", "%20")
    return tuple(map(_escaped, addresses))


def _is_on_no_calendar(entry: Any) -> bool:
    """Whether a date of an article is written as dates are, but there is none such."""
    for key in ("published", "updated"):
        if found := _ISO_DATE.match(dict.get(entry, key) or ""):
            try:
                datetime.fromisoformat(found[0])
            except ValueError:
                return True
    return False


_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?")


_CLASSES = (
    _Class(
        ("summary",), "feedparser copies the content into an absent summary", SAME,
        lambda pair, ours, theirs: not ours[0] and theirs == _content_of(pair.theirs),
    ),
    _Class(
        ("guid",), "feedparser resolves an id that is a relative address; ours is as written", SAME,
        lambda _, ours, theirs: urljoin(BASE, ours) == theirs,
    ),
    _Class(
        ("url", "enclosures", "image"), "a space in an address is written %20", SAME,
        lambda _, ours, theirs: ours == _escaped(theirs),
    ),
    _Class(
        ("url",), "feedparser takes an id that is no web address for the link", OURS,
        lambda pair, ours, theirs: not ours and theirs == _line(pair.theirs.get("id"))
        and not pair.ours.guid.startswith(("http://", "https://")),
    ),
    _Class(
        ("published", "updated"), "feedparser counts 32 July as 1 August", OURS,
        lambda pair, ours, _: ours is None and _is_on_no_calendar(pair.theirs),
    ),
    _Class(
        ("summary", "content"), "pictures beside the text and addresses in it are shown", OURS,
        lambda _, ours, theirs: ours[0] == theirs[0] and set(theirs[1]) <= set(ours[1]),
    ),
    _Class(
        ("summary", "content"), "tags in what Atom says is plain text are text", OURS,
        lambda _, ours, theirs: _body(html.unescape(ours[0])) == theirs,
    ),
    _Class(
        ("published", "updated"), "dc:date, feedparser's updated, is when it was published", SAME,
        lambda pair, *_: not dict.__contains__(pair.theirs, "published_parsed")
        and pair.ours.updated is None
        and _second(pair.ours.published) == _READ_THEIRS["updated"](pair.theirs),
    ),
    _Class(
        ("author",), "the feed's author counts for articles that name none (RFC 4287, 4.2.1)", SAME,
        lambda pair, ours, theirs: not theirs and ours == _feed_authors(pair.feed),
    ),
    _Class(
        ("image",), "an enclosed picture is the article's picture", SAME,
        lambda pair, ours, theirs: not theirs
        and ours in {urljoin(BASE, _escaped(one)) for one in _their_files(pair.theirs)},
    ),
    _Class(
        ("enclosures",), "a recording in media:content is a file of the article", SAME,
        lambda pair, ours, theirs: set(ours) - set(theirs)
        <= {one.get("url") for one in pair.theirs.get("media_content", [])}
        and set(theirs) <= set(ours),
    ),
    _Class(
        ("summary", "content"), "feedparser takes the caption of a picture for the text", OURS,
        lambda pair, ours, theirs: theirs[0] in pair.captions
        and (ours[0] not in pair.captions or ours[0] == theirs[0]),
    ),
    _Class(
        ("image",), "feedparser leaves the address of a picture relative", OURS,
        lambda _, ours, theirs: theirs != "" and ours == urljoin(BASE, _escaped(theirs)),
    ),
    _Class(
        ("enclosures",), "feedparser leaves the address of a file relative", OURS,
        lambda _, ours, theirs: ours == tuple(urljoin(BASE, one) for one in theirs),
    ),
    _Class(
        ("image",), "feedparser drops an <image> inside an article", OURS,
        lambda pair, ours, theirs: not theirs
        and re.search(rb"<image>\s*(?:<url>\s*)?" + re.escape(html.escape(ours).encode()), pair.raw)
        is not None,
    ),
    _Class(
        ("categories",), "a field with several tags is several", OURS,
        lambda _, ours, theirs: set(ours)
        == {tag.strip() for one in theirs for tag in re.split("[,#]", one)} - {""},
    ),
    _Class(
        ("enclosures",), "chapters and transcripts are files of the article", OURS,
        lambda pair, ours, theirs: set(ours) - set(theirs)
        <= {one.url for one in pair.ours.enclosures if one.title.endswith(("hapters", "ranscript"))}
        and set(theirs) <= set(ours),
    ),
)  # fmt: skip


def _explained(field: str, pair: _Pair, ours: Any, theirs: Any) -> tuple[str, str]:
    for one in _CLASSES:
        if field in one.fields and one.holds(pair, ours, theirs):
            return one.verdict, one.name
    return UNEXPLAINED, "no class holds"
