"""What a request of the Fever API asks for. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription
from newsloom.reading.values.syncing import StreamKind, StreamPart, StreamQuery
from newsloom.sync.fields import LARGEST, BadRequest, Fields, moment
from newsloom.sync.texts import numbered

# Articles of one page, by the protocol.
PAGE = 50

# Articles that one request can mark; the protocol has one, some clients send a few.
MOST_MARKED = 1_000

_NUMBER = re.compile(r"-?[0-9]{1,40}")
_KEY = re.compile(r"[0-9a-fA-F]{32}")

# The group of everything; and that of sparks, which there are none of.
ALL, SPARKS = 0, -1


@dataclass(frozen=True, slots=True)
class Marked:
    """What is said of an article, a feed or a group."""

    what: str  # "item", "feed" or "group"
    how: str  # "read", "unread", "saved" or "unsaved"
    ids: tuple[int, ...]
    before: datetime


def key_of(fields: Fields) -> str:
    """The key in lower case, "" where there is none that can be one."""
    found = fields.one("api_key").strip()
    return found.lower() if _KEY.fullmatch(found) else ""


def groups(subscriptions: Iterable[Subscription]) -> Mapping[int, str]:
    """Categories by number, in the reader's order."""
    return numbered(one.category for one in subscriptions)


def items_query(fields: Fields, named: Mapping[int, str]) -> StreamQuery:
    """The page of articles asked for: some by number, those before a number, or those after one.

    `named` are the reader's groups. Numbers beyond 64 bits are the largest there is.
    """
    within = _narrowed(fields, named)
    if "with_ids" in fields:
        wanted = tuple(_numbers(fields, "with_ids")[:PAGE])
        return StreamQuery(
            within=(*within, StreamPart(StreamKind.ARRIVED, these=wanted)),
            oldest_first=True,
            limit=PAGE,
        )
    if "max_id" in fields:
        after = _number(fields, "max_id")
        # "0 initially" says the protocol: the newest.
        return StreamQuery(within=within, after=after or None, limit=PAGE)
    since = _number(fields, "since_id") if "since_id" in fields else 0
    return StreamQuery(within=within, after=since, oldest_first=True, limit=PAGE)


def _narrowed(fields: Fields, named: Mapping[int, str]) -> tuple[StreamPart, ...]:
    """One feed or one group, which some clients ask for. Several would need an "or"; the first."""
    feeds, wanted = _numbers(fields, "feed_ids"), _numbers(fields, "group_ids")
    if feeds:
        return (StreamPart(StreamKind.FEED, FeedId(feeds[0])),)
    if wanted and wanted[0] != ALL:
        return (group_part(wanted[0], named),)
    return ()


def group_part(number: int, named: Mapping[int, str]) -> StreamPart:
    if number == ALL:
        return StreamPart()
    if number not in named:
        return StreamPart(StreamKind.NOTHING)
    return StreamPart(StreamKind.CATEGORY, category=named[number])


_WAYS = frozenset(("read", "unread", "saved", "unsaved"))


def marked(fields: Fields, now: datetime) -> Marked | None:
    """What a request marks; None: nothing. Raises BadRequest.

    `before` is in seconds; some clients send thousandths, or the largest number there is.
    """
    what, how = fields.one("mark").lower(), fields.one("as").lower()
    if not what:
        return None
    if what not in ("item", "feed", "group") or how not in _WAYS:
        raise BadRequest(f"There is no mark={what[:40]!r} with as={how[:40]!r}.")
    if what != "item" and how != "read":
        raise BadRequest("Feeds and groups can only be marked as read.")
    ids = tuple(_numbers(fields, "id"))
    if not ids:
        raise BadRequest("Missing id=...")
    if len(ids) > MOST_MARKED:
        raise BadRequest(f"At most {MOST_MARKED:,} articles at once.")
    given = max(_number(fields, "before"), 0) if fields.one("before") else 0
    before = moment(given, now) if given else now
    return Marked(what, how, ids, before)


def _number(fields: Fields, name: str) -> int:
    found = _numbers(fields, name)
    return found[0] if found else 0


def _numbers(fields: Fields, name: str) -> list[int]:
    """Whole numbers with commas between. Raises BadRequest."""
    texts = [one.strip() for one in ",".join(fields.all(name)).split(",") if one.strip()]
    wrong = next((one for one in texts if not _NUMBER.fullmatch(one)), None)
    if wrong is not None:
        raise BadRequest(f"{name} contains an invalid number: {wrong[:40]!r}.")
    return [max(-LARGEST, min(int(one), LARGEST)) for one in texts]
