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
from pathlib import Path
from typing import Any

from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.values.models import ArticleText

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
