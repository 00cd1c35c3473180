"""The one file format for everything measured: articles as JSON lines. Reads files, judges nothing.

One object a line; docs/use/articles-file.md lists the fields. Fields that are not there are empty
or None, fields that are not known are passed over, and a time without a zone is taken as UTC.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import escape
from pathlib import Path
from typing import Any

from newsloom.feeds.parse.plain import one_line, storable
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.urls import host
from newsloom.ranking.values.models import ArticleText, LabelledCopy
from newsloom.reading.values.reading import EventKind

LABELS = ("like", "read", "skip", "dislike")


@dataclass(frozen=True, slots=True)
class LabelledArticle:
    """An article and what is known to be true of it."""

    id: str
    title: str = ""
    summary: str = ""
    text: str = ""
    url: str = ""
    source: str = ""
    published: datetime | None = None
    language: str = ""
    story: str = ""  # the event it reports
    duplicate: str = ""  # the same value: the same text
    edit: str = ""  # how a copy made to measure by was made
    label: str = ""  # one of LABELS
    labelled_at: datetime | None = None
    starred_at: datetime | None = None  # a star beside the label, or the label itself
    rating: int | None = None  # sensitivity, 1..5
    second_rating: int | None = None  # by somebody else
    reader: str = ""  # whose label it is, in a file of many readers

    @property
    def body(self) -> str:
        """The fuller of what there is besides the title."""
        return self.text or self.summary


def read_articles(path: Path) -> tuple[LabelledArticle, ...]:
    """Every article of the file, in order. Raises UserError naming the file and the line."""
    return tuple(article(line, place) for place, line in read_lines(path))


def read_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each line's object with its place in words, "FILE line N"; empty lines are passed over."""
    lines = files.read_bytes(path).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines, start=1):
        place = f"{files.shown(path)} line {number}"
        if line.strip():
            yield place, object_of(line, place)


def read_what_can_be(document: bytes, name: str) -> tuple[list[LabelledArticle], list[str]]:
    """Every article that can be read, and for each line that cannot be the reason and its place."""
    found: list[LabelledArticle] = []
    problems: list[str] = []
    for number, line in enumerate(document.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        place = f"{name} line {number}"
        try:
            if line.strip():
                found.append(article(object_of(line, place), place))
        except UserError as error:
            problems.append(str(error))
    return found, problems


def article(fields: Mapping[str, Any], place: str) -> LabelledArticle:
    """One article from its object. `place` is what an error names."""
    if "id" not in fields:
        raise UserError(f'{place}: there is no "id".')
    return LabelledArticle(
        id=_text(fields, "id", place),
        title=_text(fields, "title", place),
        summary=_text(fields, "summary", place),
        text=_text(fields, "text", place),
        url=_text(fields, "url", place),
        source=_text(fields, "source", place),
        published=_time(fields, "published", place),
        language=_text(fields, "language", place),
        story=_text(fields, "story", place),
        duplicate=_text(fields, "duplicate", place),
        edit=_text(fields, "edit", place),
        label=_label(fields, place),
        labelled_at=_time(fields, "labelled_at", place),
        starred_at=_time(fields, "starred_at", place),
        rating=_rating(fields, "rating", place),
        second_rating=_rating(fields, "second_rating", place),
        reader=_text(fields, "reader", place),
    )


def as_text(article: LabelledArticle) -> ArticleText:
    """A labelled article as models see one."""
    dated = article.published or datetime(1970, 1, 1, tzinfo=UTC)
    return ArticleText(
        id=ArticleId(0),
        title=article.title,
        text=article.body,
        source=article.source,
        language=article.language,
        dated=dated,
        feed_id=FeedId(0),
    )


def object_of(line: bytes, place: str) -> Mapping[str, Any]:
    """The object of one line. Raises UserError naming the place."""
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise UserError(f"{place} is not UTF-8: {error.reason} at byte {error.start}.") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{place} is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise UserError(f"{place} must be one JSON object, not {_shown(value)}.")
    return value


def _text(fields: Mapping[str, Any], name: str, place: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    # Numbers are common as ids and story labels, and mean what they look like.
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise UserError(f'{place}: "{name}" must be text, not {_shown(value)}.')


def _time(fields: Mapping[str, Any], name: str, place: str) -> datetime | None:
    value = fields.get(name)
    if value is None:
        return None
    try:
        time = _read_time(value)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        words = "must be a time such as 2026-01-31T09:30:00Z"
        raise UserError(f'{place}: "{name}" {words}, not {_shown(value)}.') from None


def _read_time(text: str) -> datetime:
    """ISO 8601; else the dates of RSS, which files made straight from feeds hold."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return parsedate_to_datetime(text)


def _label(fields: Mapping[str, Any], place: str) -> str:
    value = _text(fields, "label", place)
    if value and value not in LABELS:
        raise UserError(f'{place}: "label" must be one of {", ".join(LABELS)}, not {value!r:.60}.')
    return value


def _rating(fields: Mapping[str, Any], name: str, place: str) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 5:
        raise UserError(f'{place}: "{name}" must be a whole number 1 to 5, not {_shown(value)}.')
    return value


def _shown(value: Any) -> str:
    return f"{value!r:.60}"


# Lines of an articles file as copies that can be taken in.

# What a label of the file is as an event.
KINDS: Mapping[str, EventKind] = {
    "like": EventKind.LIKE,
    "dislike": EventKind.DISLIKE,
    "read": EventKind.FINISHED,
    "skip": EventKind.SKIPPED,
}

# Longer texts are cut: no article is, and models read the first few hundred words.
LONGEST_TEXT = 1_000_000


def line_as_copy(line: bytes, place: str, now: datetime) -> LabelledCopy:
    """One line of a file. Raises UserError naming the place."""
    return copy_of(article(object_of(line, place), place), now)


def copy_of(one: LabelledArticle, now: datetime) -> LabelledCopy:
    """An article with what was said of it, no later than now."""
    url = one.url.strip() if one.url.strip().lower().startswith(("http://", "https://")) else ""
    source = one_line(one.source) or host(url) or "elsewhere"
    article = ParsedArticle(
        guid=storable(one.id),
        url=storable(url),
        title=one_line(one.title),
        summary=_html(one.summary),
        content=_html(one.text),
        published=one.published,
        language=one_line(one.language)[:32],
    )
    return LabelledCopy(article, source[:200], _marks(one, now))


def _marks(one: LabelledArticle, now: datetime) -> tuple[tuple[EventKind, datetime], ...]:
    at = min(one.labelled_at or one.published or now, now)
    star = min(one.starred_at, now) if one.starred_at else None
    stars = ((EventKind.STAR, star),) if star else ()
    # A star alone is written as a like of the same moment, so that every reader of the file, also
    # one that knows no stars, takes it for what it is.
    if not one.label or (one.label == "like" and star == at):
        return stars
    return ((KINDS[one.label], at), *stars)


def _html(text: str) -> str:
    lines = storable(text[:LONGEST_TEXT]).split("\n")
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line.strip())
