"""Which articles a request asks for: s, xt, it, ot, nt, r, n and c. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from newsloom.reading.values.syncing import StreamPart, StreamQuery
from newsloom.sync.fields import WHOLE_SECONDS, BadRequest, Fields, moment
from newsloom.sync.greader.stream_ids import READING_LIST

USUAL = 20
# Ids of one page; clients ask for up to 200,000 and go on where a page ended.
MOST_IDS = 10_000
# Articles of one page.
MOST_ARTICLES = 1_000


def stream_query(
    fields: Fields, stream: str, part: Callable[[str], StreamPart], most: int, now: datetime
) -> StreamQuery:
    """The query of a request; `part` says what a stream's name means. Raises BadRequest.

    Times are seconds, or less by their size, and mean when an article came, not its own date: one
    that is dated earlier than it came would be missed for ever. Times to come are now. With n=0 a
    page has as many as it may, as in FreshRSS.
    """
    since, until = fields.whole("ot"), fields.whole("nt")
    after = fields.whole("c", least=1)
    return StreamQuery(
        within=tuple(part(one) for one in (stream or READING_LIST, *fields.all("it"))),
        without=tuple(part(one) for one in fields.all("xt")),
        since=None if since is None else _since(since, now),
        until=None if until is None else moment(until, now),
        after=after,
        oldest_first=fields.one("r") == "o",
        limit=min(fields.whole("n", USUAL) or most, most),
    )


def _since(given: int, now: datetime) -> datetime:
    """Fluent rounds the time of its last article to whole seconds, and not always down."""
    return moment(given, now) - (timedelta(seconds=1) if given < WHOLE_SECONDS else timedelta())


def asked_stream(fields: Fields, rest: str = "") -> str:
    """The stream of a request: in its path or as `s`; one alone. Raises BadRequest."""
    named = [rest] if rest else list(fields.all("s"))
    if len(set(named)) > 1:
        raise BadRequest("One stream at a time.")
    return named[0] if named else ""
