"""The articles of a window of days, from a file or a folder, to be read as they came. Decides
nothing but which window: the one with the most articles, where none is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from newsloom.feeds.parse import parse_feed
from newsloom.importance.sources import source_of
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.text.html import to_text
from newsloom.ranking.measure.articles import LabelledArticle, article, read_lines
from newsloom_lab.evaluate.reported import LONGEST, read_polled

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Week:
    """Articles in the order of their dates; every one has a date, an address and a title."""

    begin: datetime  # aware, UTC, midnight
    days: int
    articles: tuple[LabelledArticle, ...]
    gold: bool  # `story` is a label that somebody gave
    left_out: int  # articles without a date, an address or a title, or whose address came before
    outside: int  # usable ones of other days

    @property
    def end(self) -> datetime:
        """Midnight after the last day."""
        return self.begin + self.days * DAY


def read_week(path: Path, days: int, begin: date | None = None) -> Week:
    """The densest window of at most so many days, or the one that begins on a day. Raises UserError
    where nothing can be replayed.

    A file holds JSON lines; a folder holds feed documents, or folders of polled ones.
    """
    known = _of_folder(path) if path.is_dir() else _of_file(path)
    usable = _usable(known)
    if not usable:
        raise UserError(
            f"No article of {path} has a title, a date and an address (or a source); "
            "without dates nothing can be replayed."
        )
    first, long = _densest(usable, days) if begin is None else (_midnight(begin), days)
    inside = [one for one in usable if first <= _date(one) < first + long * DAY]
    if not inside:
        raise UserError(f"No article of {path} is of the {days} days from {begin} on.")
    return Week(
        begin=first,
        days=long,
        articles=tuple(sorted(inside, key=lambda one: (_date(one), one.id))),
        gold=not path.is_dir() and any(one.story for one in inside),
        left_out=len(known) - len(usable),
        outside=len(usable) - len(inside),
    )


def _of_file(file: Path) -> list[LabelledArticle]:
    """`date` stands for a missing `published`, and the number of the line for a missing `id`."""
    return [
        article({"id": number, "published": fields.get("date"), **fields}, place)
        for number, (place, fields) in enumerate(read_lines(file), start=1)
    ]


def _of_folder(folder: Path) -> list[LabelledArticle]:
    if any(one.is_dir() for one in folder.iterdir()):
        return read_polled(folder)
    found = [one for file in sorted(folder.iterdir()) for one in _of_document(file)]
    if not found:
        raise UserError(f"{folder} holds no feed documents.")
    return found


def _of_document(file: Path) -> Iterator[LabelledArticle]:
    """The articles of one feed as it was served once."""
    try:
        feed = parse_feed(file.read_bytes(), "https://feed.example/")
    except ParseError:
        return
    for number, one in enumerate(feed.articles):
        yield LabelledArticle(
            id=f"{file.name} {number:05}",
            title=one.title,
            summary=to_text(one.summary, LONGEST) if one.content else "",
            text=to_text(one.content or one.summary, LONGEST),
            url=one.url,
            published=one.published,
            language=one.language or feed.language,
        )


def _usable(known: Iterable[LabelledArticle]) -> list[LabelledArticle]:
    """Those that can be replayed, each address once; of a source alone an address is made."""
    found: dict[str, LabelledArticle] = {}
    for one in known:
        url = one.url or _made_address(one)
        if one.title and one.published is not None and url and source_of(url):
            found.setdefault(url, replace(one, url=url, source=source_of(url)))
    return list(found.values())


def _made_address(one: LabelledArticle) -> str:
    name = "-".join("".join(c if c.isalnum() else " " for c in one.source.lower()).split())
    if not name:
        return ""
    host = one.source.lower() if source_of(one.source) else f"{name}.example"
    return f"https://{host}/{one.id}"


def _densest(known: Sequence[LabelledArticle], days: int) -> tuple[datetime, int]:
    """Midnight of the first day and how many days: the window with the most articles, the earliest
    of equals, without empty days at its end."""
    counts = Counter(_date(one).date() for one in known)
    order = sorted(counts)

    def inside(first: date) -> int:
        return sum(counts[first + day * DAY] for day in range(days))

    first = max(order, key=lambda one: (inside(one), -one.toordinal()))
    last = max(one for one in order if one - first < days * DAY)
    return _midnight(first), (last - first).days + 1


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _date(one: LabelledArticle) -> datetime:
    assert one.published is not None
    return one.published
