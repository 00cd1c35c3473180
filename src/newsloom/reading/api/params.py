"""How a list is asked for, and the cursors of its pages. Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails

from newsloom.kernel.delivery.schedules import WEEKDAYS
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, EventId, FeedId
from newsloom.kernel.text.language import language
from newsloom.reading.service import cursors
from newsloom.reading.values.reading import AsOf, ListQuery, Order, Rows
from newsloom.reading.values.searching import Cursor
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, MARKS, NO_LANGUAGE, ListView, Show

MOST = 200
USUAL = 50
LONGEST_CURSOR = 6_000

# Text that both databases can hold.
NO_NUL = r"^[^\u0000]*$"
Line = Annotated[str, Field(max_length=LONGEST_TEXT, pattern=NO_NUL)]
Weekday = Annotated[Line, Field(json_schema_extra={"enum": [*WEEKDAYS]})]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Limit = Annotated[int, Field(ge=1, le=MOST, description="Maximum rows per page.")]


def _as_text(value: object) -> object:
    """A number would be taken for seconds since 1970, and a typing error so for "everything"."""
    number = isinstance(value, (int, float)) or (
        isinstance(value, str) and re.fullmatch(r"\s*[+-]?[\d._]+\s*", value)
    )
    if number:
        raise ValueError("give a time as 2026-11-20T06:00:00Z")
    return value


Instant = Annotated[AwareDatetime, BeforeValidator(_as_text)]
After = Annotated[
    str,
    Field(
        max_length=LONGEST_CURSOR,
        pattern="^[A-Za-z0-9_-]*$",
        description="`next` of the previous page, with the same list and filters.",
    ),
]


class ApiModel(BaseModel):
    """A value as programs send or get it. An answer is read from the attributes of a value of ours
    by `model_validate`, a field by its own name or by its `validation_alias`."""

    model_config = ConfigDict(extra="forbid", from_attributes=True, validate_by_name=True)

    @model_validator(mode="wrap")
    @classmethod
    def _strict_flags(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Refuse `true` where a number belongs, which Pydantic takes for 1, and 1 for `true`."""
        made = handler(given)
        if isinstance(given, dict):
            wrong = [
                one
                for name, value in given.items()
                for one in _mixed((name,), value, getattr(made, name, value))
            ]
            if wrong:
                raise ValidationError.from_exception_data(cls.__name__, wrong)
        return made


def _mixed(at: tuple[str | int, ...], given: object, made: object) -> Iterator[InitErrorDetails]:
    """Where a flag became a number, or a number or text a flag."""
    if isinstance(given, list) and isinstance(made, list):
        for place, pair in enumerate(zip(given, made, strict=True)):
            yield from _mixed((*at, place), *pair)
    elif isinstance(given, bool) != isinstance(made, bool):
        yield InitErrorDetails(type=f"{type(made).__name__}_type", loc=at, input=given)


class Filter(ApiModel):
    """Which articles a list has, and in which order. Everything narrows."""

    show: Show = Field(default=Show.UNREAD, description="Which articles, by your marks.")
    order: Order = Field(
        default=Order.RANKED,
        description="`ranked` is For you, `important` is Top, `newest` by date.",
    )
    feed: Id | None = Field(default=None, description="Only this feed.")
    category: Line | None = Field(default=None, description="Only feeds in this category.")
    language: Annotated[str, Field(max_length=40, pattern=NO_NUL)] | None = Field(
        default=None, description="Only this language (`en`); `und`: unknown."
    )
    score: int = Field(default=0, ge=0, le=100, description="Minimum current score.")
    importance: int = Field(default=0, ge=0, le=100, description="Minimum importance.")
    sensitivity: int | None = Field(
        default=None,
        ge=1,
        le=5,
        description="Only this time sensitivity: 1 (evergreen) to 5 (critical).",
    )
    cluster: Id | None = Field(
        default=None,
        description="Only reports of this article's event, a row each.",
    )

    @property
    def list_view(self) -> ListView:
        """The list as the pages know it. Raises UserError for a language that is none."""
        return ListView(
            **MARKS[self.show],
            order=self.order,
            feed=None if self.feed is None else FeedId(self.feed),
            category=self.category or None,
            language=_language(self.language),
            score=self.score,
            importance=self.importance,
            sensitivity=self.sensitivity,
            cluster=None if self.cluster is None else ArticleId(self.cluster),
        )


class ListParams(Filter):
    """A page of a list."""

    rows: Rows | None = Field(
        default=None,
        description="What each row stands for; default: as in the server's settings.",
    )
    since: Instant | None = Field(
        default=None,
        description="Only dated at or after this time, with offset: `2026-11-20T06:00:00Z`.",
    )
    limit: Limit = USUAL
    after: After = ""

    @property
    def query(self) -> ListQuery:
        """What is asked of the reader, at its first page. Raises UserError."""
        return replace(self.list_view.query(self.limit), since=moment(self.since))


def filter_of(view: ListView) -> Filter:
    """A list of the pages as programs see it."""
    found = Filter.model_validate(view)
    return found.model_copy(update={"language": NO_LANGUAGE}) if view.language == "" else found


def moment(given: datetime | None) -> datetime | None:
    """In UTC. Raises UserError for what lies beyond the calendar there."""
    try:
        return None if given is None else given.astimezone(UTC)
    except OverflowError as error:
        raise UserError("That time is outside the calendar.") from error


def _language(tag: str | None) -> str | None:
    if tag is None or tag == "":
        return None
    if tag == NO_LANGUAGE:
        return ""
    known = language(tag)
    if not known:
        raise UserError(f"There is no language {tag!r:.40}.")
    return known


# --- cursors ---


def written(asked: object, as_of: AsOf | None, after: Cursor) -> str:
    """Where the next page begins, opaque. `asked` is what the list was asked for with."""
    moment = f"{as_of.event}-{as_of.arrival}" if as_of else ""
    return _packed(f"{_print(asked)}.{moment}.{cursors.written(after)}")


def parse_cursor(asked: object, text: str) -> tuple[AsOf | None, Cursor]:
    """What `written` made for the same list. Raises UserError for anything else."""
    sign, _, rest = _unpacked(text).partition(".")
    said, _, position = rest.partition(".")
    after = cursors.parse(position)
    if sign != _print(asked) or after is None:
        raise UserError("That cursor is of no page of this list.")
    return (read_moment(said) if said else None), after


def written_moment(as_of: AsOf) -> str:
    """A moment of a list, opaque."""
    return _packed(f"{as_of.event}-{as_of.arrival}")


def read_moment(text: str) -> AsOf:
    """What `written_moment` packed, unpacked. Raises UserError."""
    event, _, arrival = text.partition("-")
    if not all(one.isascii() and one.isdigit() and len(one) < 20 for one in (event, arrival)):
        raise UserError("That is no moment of a list.")
    if max(int(event), int(arrival)) > LARGEST_ID:
        raise UserError("That is no moment of a list.")
    return AsOf(EventId(int(event)), int(arrival))


def unpacked_moment(text: str) -> AsOf:
    """The moment that a list told. Raises UserError."""
    return read_moment(_unpacked(text))


def _packed(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _unpacked(text: str) -> str:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except (binascii.Error, ValueError) as error:
        raise UserError("That is nothing that a list told.") from error


def _print(asked: object) -> str:
    return hashlib.blake2b(repr(asked).encode("utf-8", "replace"), digest_size=6).hexdigest()
