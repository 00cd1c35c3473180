"""The second try on small broken documents: feedparser reads, and its result becomes ours.

Only maps. feedparser is asked neither to sanitise nor to resolve addresses inside HTML: the first
belongs to showing, and both cost more than the reading.
"""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from typing import Any

from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.draft import joined, size, tag_names
from newsloom.feeds.parse.feed_head import MOST_ARTICLES
from newsloom.feeds.parse.links import resolve
from newsloom.feeds.parse.pictures import Picture, with_pictures
from newsloom.feeds.parse.plain import (
    body,
    body_of_plain,
    line_of_either,
    line_of_markup,
    one_line,
    person,
    storable,
)
from newsloom.feeds.values.published import Enclosure, ParsedArticle

# feedparser reads about 2 MB or 50,000 tags of broken feed in a second, whichever is slower.
_LARGEST = 2_000_000
_MOST_TAGS = 100_000
_HTML = frozenset({"text/html", "application/xhtml+xml"})


def is_small(utf8: bytes) -> bool:
    """Whether feedparser may be given the document."""
    return len(utf8) <= _LARGEST and utf8.count(b"<") <= _MOST_TAGS


def read_leniently(utf8: bytes, url: str) -> tuple[ParsedArticle, ...]:
    """The articles feedparser finds, which may be none."""
    import feedparser  # most processes never meet a document that needs it

    try:
        # Without the document's address, so that ids stay as written; addresses are resolved here.
        found = feedparser.parse(
            BytesIO(utf8),
            response_headers={"content-type": "application/xml"},
            resolve_relative_uris=False,
            sanitize_html=False,
        )
    except Exception:  # noqa: BLE001 - broken input makes it raise what it never meant to
        return ()
    atom = str(found.version).startswith("atom")
    author = _author(found.feed) if atom else ""
    language = one_line(_text(found.feed, "language"))[:35]
    return tuple(
        _article(entry, url, language, author, atom=atom) for entry in found.entries[:MOST_ARTICLES]
    )


def _article(entry: Any, base: str, language: str, author: str, *, atom: bool) -> ParsedArticle:
    bodies = _dicts(entry, "content")
    content = _html(_text(bodies[0], "value"), bodies[0]) if bodies else ""
    summary = _html(_text(entry, "summary"), _dict(entry, "summary_detail"))
    published, updated = _moment(entry, "published"), _moment(entry, "updated")
    if published is None and not atom:  # feedparser's name for dc:date is updated
        published, updated = updated, None
    enclosures = _enclosures(entry, base)
    title, image = _title(entry), resolve(base, _image(entry))
    pictures = [Picture(one.url) for one in enclosures if one.type.startswith("image/")]
    pictures += [
        Picture(url)
        for one in _dicts(entry, "media_content")
        if "image" in (_text(one, "medium"), _text(one, "type").partition("/")[0])
        and (url := resolve(base, _text(one, "url")))
    ]
    summary, content = with_pictures(
        "" if summary == content else summary, content, title, pictures, Picture(image)
    )
    return ParsedArticle(
        guid=one_line(_text(entry, "id")),
        url=_link(entry, base),
        title=title,
        author=_author(entry) or author,
        summary=summary,
        content=content,
        published=published,
        updated=updated,
        language=language,
        categories=_categories(entry),
        enclosures=enclosures,
        image=image or next((one.url for one in enclosures if one.type.startswith("image/")), ""),
        comments_url=resolve(base, _text(entry, "comments")),
        origin=resolve(base, _text(entry, "feedburner_origlink")),
        publisher=line_of_either(_text(_dict(entry, "source"), "title")),
        publisher_url=resolve(base, _text(_dict(entry, "source"), "href")),
    )


def _link(entry: Any, base: str) -> str:
    """Not an id that is no address, which feedparser takes for a relative one."""
    link = _text(entry, "link")
    if dict.get(entry, "guidislink") and link == _text(entry, "id") and link[:1] != "/":
        base = ""
    return resolve(base, link)


def _title(of: Any) -> str:
    kind = _text(_dict(of, "title_detail"), "type")
    text = _text(of, "title")
    return line_of_markup(text) if kind in _HTML else line_of_either(text)


def _html(text: str, detail: Any) -> str:
    return body_of_plain(text) if _text(detail, "type") == "text/plain" else body(text)


def _author(of: Any) -> str:
    people = _dicts(of, "authors")
    names = [line_of_either(_text(one, "name") or _text(one, "email")) for one in people]
    return joined(names) or person(line_of_either(_text(of, "author")))


def _categories(entry: Any) -> tuple[str, ...]:
    tags = _dicts(entry, "tags")
    names = (line_of_either(_text(tag, "term") or _text(tag, "label")) for tag in tags)
    return tag_names([name for name in names if name])


def _enclosures(entry: Any, base: str) -> tuple[Enclosure, ...]:
    return tuple(
        Enclosure(url, one_line(_text(link, "type")), size(_text(link, "length")))
        for link in _dicts(entry, "links")
        if _text(link, "rel") == "enclosure" and (url := resolve(base, _text(link, "href")))
    )


def _image(of: Any) -> str:
    pictures = (*_dicts(of, "media_thumbnail"), _dict(of, "image"))
    return next((_text(one, "url") or _text(one, "href") for one in pictures if one), "")


def _moment(entry: Any, key: str) -> datetime | None:
    """As our own reading takes the text: feedparser drops the time of some, and reads others by the
    time zone of this machine.

    Past FeedParserDict, which answers for a missing update with the date published.
    """
    return parse_date(_text(entry, key))


# An element may be named like one of feedparser's keys, and then holds its place with anything.


def _text(of: Any, key: str) -> str:
    found = dict.get(of, key)
    return storable(found) if isinstance(found, str) else ""


def _dict(of: Any, key: str) -> Any:
    found = dict.get(of, key)
    return found if isinstance(found, dict) else {}


def _dicts(of: Any, key: str) -> list[Any]:
    found = dict.get(of, key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
