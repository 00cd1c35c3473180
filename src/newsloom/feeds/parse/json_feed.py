"""JSON Feed 1.0 and 1.1. Every field may have any type; only the ones that fit are taken."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from newsloom.feeds.parse.dates import parse_date
from newsloom.feeds.parse.draft import duration, joined, tag_names
from newsloom.feeds.parse.encoding import to_utf8
from newsloom.feeds.parse.feed_head import newest, too_many
from newsloom.feeds.parse.links import resolve
from newsloom.feeds.parse.pictures import Picture, with_pictures
from newsloom.feeds.parse.plain import body, body_of_plain, one_line, storable
from newsloom.feeds.values.published import Damage, Enclosure, ParsedArticle, ParsedFeed, PollHints
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.picture_sources import is_placeholder


def read_json_feed(raw: bytes, url: str, content_type: str) -> ParsedFeed:
    """The feed. Raises ParseError when the JSON is broken, or holds something else."""
    decoded = to_utf8(raw, content_type)
    # json knows UTF-16 and 32 by their zeros, which the XML rules in to_utf8 would not.
    codec, document = (
        (json.detect_encoding(raw), raw) if b"\0" in raw[:4] else ("utf-8", decoded.utf8)
    )
    tree, problem, damage = read_json(document.decode(codec, "replace"))
    if not isinstance(tree, dict) or not _is_feed(tree):
        if damage is Damage.CUT:
            raise ParseError(f"The document is JSON that is broken or cut off: {problem}.")
        raise ParseError("The document is JSON, but not a JSON Feed.")
    base = _text(tree, "feed_url") or url
    base = resolve(url, base) or url or resolve("", _text(tree, "home_page_url"))
    language = _line(tree, "language")[:35]
    author = _authors(tree)
    entries = [entry for entry in tree["items"] if isinstance(entry, dict)]
    first = _text(tree, "version").rstrip("/").endswith("/1")
    return ParsedFeed(
        format="json 1.0" if first else "json 1.1",
        title=_line(tree, "title"),
        site_url=resolve(base, _text(tree, "home_page_url")),
        description=body_of_plain(_text(tree, "description"), lines=True),
        language=language,
        image=resolve(base, _text(tree, "icon") or _text(tree, "favicon")),
        hints=PollHints(hub=_hub(tree, base), topic=resolve(base, _text(tree, "feed_url"))),
        articles=tuple(_article(one, base, language, author) for one in newest(entries, _date)),
        problem=problem or decoded.problem or too_many(len(entries)),
        damage=damage or (Damage.MENDED if decoded.problem else Damage.NONE),
    )


def _date(entry: dict[str, Any]) -> datetime | None:
    return parse_date(_text(entry, "date_published") or _text(entry, "date_modified"))


def _is_feed(tree: dict[str, Any]) -> bool:
    """By its version; or, that forgotten, by having articles and being called something."""
    if not isinstance(tree.get("items"), list):
        return False
    return "jsonfeed.org" in _text(tree, "version") or bool(_text(tree, "title"))


def _article(entry: dict[str, Any], base: str, language: str, author: str) -> ParsedArticle:
    url = resolve(base, _text(entry, "url")) or resolve(base, _text(entry, "external_url"))
    url = url or _guid_as_url(_line(entry, "id"))
    title = _line(entry, "title")
    enclosures = tuple(_attachments(entry, base))
    pictures = [Picture(one.url) for one in enclosures if one.type.startswith("image/")]
    image = resolve(base, _text(entry, "image")) or resolve(base, _text(entry, "banner_image"))
    summary, content = with_pictures(
        body_of_plain(_text(entry, "summary"), lines=True),
        body(_text(entry, "content_html"))
        or body_of_plain(_text(entry, "content_text"), lines=True),
        title,
        pictures,
        Picture(image),
    )
    return ParsedArticle(
        guid=_line(entry, "id"),
        url=url,
        title=title,
        author=_authors(entry) or author,
        summary=summary,
        content=content,
        published=parse_date(_text(entry, "date_published")),
        updated=parse_date(_text(entry, "date_modified")),
        language=_line(entry, "language")[:35] or language,
        categories=tag_names([name for one in _list(entry, "tags") if (name := _as_line(one))]),
        enclosures=enclosures,
        image="" if is_placeholder(image) else image,
    )


def _attachments(entry: dict[str, Any], base: str) -> list[Enclosure]:
    found = []
    for one in _list(entry, "attachments"):
        if isinstance(one, dict) and (url := resolve(base, _text(one, "url"))):
            size = one.get("size_in_bytes")
            known = isinstance(size, int) and not isinstance(size, bool) and 0 < size < 2**53
            seconds, title = duration(_text(one, "duration_in_seconds")), _line(one, "title")[:200]
            kind = _line(one, "mime_type")
            found.append(Enclosure(url, kind, size if known else None, seconds, title))
    return found


def _authors(tree: dict[str, Any]) -> str:
    """1.1 has a list, 1.0 had one; feeds say both."""
    people = [*_list(tree, "authors"), tree.get("author")]
    return joined(
        [_line(one, "name") or _text(one, "url") for one in people if isinstance(one, dict)]
    )


def _hub(tree: dict[str, Any], base: str) -> str:
    for one in _list(tree, "hubs"):
        if isinstance(one, dict) and _text(one, "type").lower() == "websub":
            return resolve(base, _text(one, "url"))
    return ""


def _guid_as_url(guid: str) -> str:
    found = resolve("", guid)
    return found if found.startswith(("http://", "https://")) else ""


def _list(tree: dict[str, Any], key: str) -> list[Any]:
    found = tree.get(key)
    return found if isinstance(found, list) else []


def _text(tree: dict[str, Any], key: str) -> str:
    found = tree.get(key)
    if isinstance(found, str):
        return storable(found)
    return str(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else ""


def _line(tree: dict[str, Any], key: str) -> str:
    return one_line(_text(tree, key))


def _as_line(found: object) -> str:
    return one_line(found) if isinstance(found, str) else ""


# JSON to Python values, mended where it is nearly JSON, cut after its last whole article.
# Takes what people and templates write: line breaks in strings, comments, commas too many or
# missing, backslashes that escape nothing, text behind the end.

# Tokens of a document to be mended: two seconds' work. 15 MB of JSON Feed have a tenth of them.
_MOST_TOKENS = 2_000_000
_DEEPEST = 256
_TOKEN = re.compile(
    r'"(?:[^"\\]++|\\.)*+("?)'  # a string, whole or not
    r"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    r"|[{}\[\],:]"
    r'|[^\s{}\[\],:"/]++|/',
    re.DOTALL,
)
_NO_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_CLOSES = {"{": "}", "[": "]"}
_CLOSED = frozenset(_CLOSES.values())
_BEFORE_A_VALUE = frozenset("{[,:")


def read_json(text: str) -> tuple[Any, str, Damage]:
    """The value, what was wrong in words, and what may be missing. Raises ParseError."""
    try:
        return json.loads(text), "", Damage.NONE
    except RecursionError:
        raise ParseError("The document is refused: its JSON is nested too deeply.") from None
    except ValueError as error:
        problem = str(error)
    mended, cut = _mended(text)
    try:
        tree = json.loads(mended, strict=False)
    except (ValueError, RecursionError):
        raise ParseError(f"The document is JSON that is broken or cut off: {problem}.") from None
    return tree, f"not well-formed JSON: {problem}", Damage.CUT if cut else Damage.MENDED


def _mended(text: str) -> tuple[str, bool]:
    """The JSON in a text, and whether it ends too early: then up to its last whole object."""
    writer = _Writer()
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count > _MOST_TOKENS:
            raise ParseError("The document is refused: broken JSON, and too large to repair.")
        word = match[0]
        if word.startswith(("//", "/*")):
            continue
        if word[0] == '"' and not match[1]:
            break  # a string that never ends
        if word in _CLOSED:
            writer.close(word)
        elif word in ",:":
            writer.separate(word)
        else:
            writer.begin(word)
        if writer.parts and not writer.opened:
            return "".join(writer.parts), False
    return "".join(writer.parts[: writer.whole]) + writer.ending, True


class _Writer:
    """JSON while it is written again, with the commas and brackets that belong there."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.opened: list[str] = []
        self.whole = 0  # how many parts the last whole object of a list of the document ends after
        self.ending = ""  # what closes the document there

    def close(self, bracket: str) -> None:
        if self.parts and self.parts[-1] == ",":
            self.parts.pop()
        if not self.opened or _CLOSES[self.opened[-1]] != bracket:
            return  # it closes nothing that is open
        self.parts.append(bracket)
        self.opened.pop()
        if bracket == "}" and self.opened == ["{", "["]:
            self.whole, self.ending = len(self.parts), "]}"

    def separate(self, sign: str) -> None:
        if sign == ":" or self._after_a_value():
            self.parts.append(sign)

    def begin(self, word: str) -> None:
        """A value, or a name."""
        if self._after_a_value():
            self.parts.append(",")
        if word in _CLOSES:
            self.opened.append(word)
            if len(self.opened) > _DEEPEST:
                raise ParseError("The document is refused: its JSON is nested too deeply.")
        elif word[0] == '"':
            word = _NO_ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", word)
            word = word.replace(r"\\'", "'")
        self.parts.append(word)

    def _after_a_value(self) -> bool:
        return bool(self.parts) and self.parts[-1] not in _BEFORE_A_VALUE
