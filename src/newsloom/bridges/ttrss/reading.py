"""What is read of Tiny Tiny RSS: users, feeds, entries, marks. Every query names its owner.

Times there have no zone; Tiny Tiny RSS keeps its sessions in UTC.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from psycopg import Connection
from psycopg.rows import namedtuple_row

from newsloom.bridges.ttrss import titles
from newsloom.bridges.values import RemoteAccount, RemoteEntry, RemoteFeed, RemoteState
from newsloom.feeds.values.published import Enclosure, ParsedArticle

# Entries of one page: its marks and, of those that are new, the texts.
PAGE = 500
TEXTS = 100
LONGEST_TEXT = 1_000_000  # characters of one article; Newsloom reads no more of it

# Marks of one statement share one time to the microsecond: "mark all as read", or a screenful
# scrolled past. Two may be chance; three at one instant are no reading. A client that sends what
# was read offline one by one is told from that by its times, however fast it is.
TOGETHER = 3

# Clocks of the web server, which dates entries, and of the database, which dates marks, may differ,
# and what was being committed at the last look was not seen.
OVERLAP = timedelta(minutes=15)

# A filter that marks what comes in as read writes whole minutes, about when the entry was entered.
FILTERED_WITHIN = timedelta(minutes=5)

LARGEST = 2**31 - 1  # no int_id is higher

# The key of the feed of entries that have none: archived or shared pages.
ARCHIVE = "0"

_USERS = "SELECT id, login FROM ttrss_users ORDER BY id"
_CATEGORIES = "SELECT id, title, parent_cat FROM ttrss_feed_categories WHERE owner_uid = %(owner)s"
_FEEDS = """
    SELECT id, title, cat_id, site_url FROM ttrss_feeds WHERE owner_uid = %(owner)s ORDER BY id
"""
_HOMELESS = """
    SELECT EXISTS (
        SELECT 1 FROM ttrss_user_entries WHERE owner_uid = %(owner)s AND feed_id IS NULL)
"""
_HERE = """
    SELECT now() AT TIME ZONE 'UTC', COALESCE(max(int_id), 0) FROM ttrss_user_entries
    WHERE owner_uid = %(owner)s
"""

_MARKS = """
    SELECT u.int_id, u.unread, u.marked, u.published, u.last_read, u.last_marked,
        u.last_published, u.score, e.title, e.content_hash,
        LEAST(GREATEST(e.date_entered, {epoch}), {end}) AS date_entered
    FROM ttrss_user_entries u JOIN ttrss_entries e ON e.id = u.ref_id
    WHERE u.owner_uid = %(owner)s AND {which}
    ORDER BY u.int_id LIMIT %(limit)s
"""
# A date of a publisher may be one that Python has not: before the year 1, or infinity.
_EPOCH, _END = "timestamp '1970-01-01'", "timestamp '2200-01-01'"
_CHANGED = _MARKS.format(
    epoch=_EPOCH,
    end=_END,
    which="""u.int_id > %(after)s AND (
        u.unread OR u.int_id > %(newest)s OR e.date_entered >= %(since)s
        OR u.last_read >= %(since)s OR u.last_marked >= %(since)s OR u.last_published >= %(since)s)
    """,
)
_NAMED = _MARKS.format(epoch=_EPOCH, end=_END, which="u.int_id = ANY(%(keys)s)")

_TOGETHER = """
    SELECT last_read FROM ttrss_user_entries
    WHERE owner_uid = %(owner)s AND NOT unread AND last_read >= %(since)s
    GROUP BY last_read HAVING count(*) >= %(together)s
"""
_TEXTS = f"""
    SELECT u.int_id, u.feed_id, e.guid, e.link, e.title, e.author, e.lang, e.comments,
        left(e.content, {LONGEST_TEXT}) AS content, e.content_hash,
        LEAST(GREATEST(LEAST(e.updated, e.date_entered), {_EPOCH}), {_END}) AS dated,
        ARRAY(SELECT t.tag_name FROM ttrss_tags t
            WHERE t.post_int_id = u.int_id AND t.owner_uid = u.owner_uid ORDER BY t.id) AS tags,
        ARRAY(SELECT l.caption FROM ttrss_user_labels2 ul
            JOIN ttrss_labels2 l ON l.id = ul.label_id
            WHERE ul.article_id = u.ref_id AND l.owner_uid = u.owner_uid ORDER BY l.id) AS labels,
        ARRAY(SELECT c.content_url || ' ' || c.content_type FROM ttrss_enclosures c
            WHERE c.post_id = u.ref_id ORDER BY c.id) AS enclosures
    FROM ttrss_user_entries u JOIN ttrss_entries e ON e.id = u.ref_id
    WHERE u.owner_uid = %(owner)s AND u.int_id = ANY(%(keys)s)
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far reading has come."""

    since: datetime  # without a zone, as the times there
    newest: int  # the highest int_id there was

    def written(self) -> str:
        return json.dumps({"since": self.since.isoformat(), "newest": self.newest})


class Mark(NamedTuple):
    """The marks of one entry, and what tells whether its text is known."""

    state: RemoteState
    digest: str


def cursor(written: str, here: Cursor, days: int) -> Cursor:
    """As written by an earlier run; the first run looks some days back."""
    if not written:
        return Cursor(here.since - timedelta(days=days), LARGEST)
    values = json.loads(written)
    return Cursor(datetime.fromisoformat(values["since"]), int(values["newest"]))


def here(connection: Connection, owner: int) -> Cursor:
    """How far a run that begins now will come."""
    return Cursor(*_one(connection, _HERE, {"owner": owner}))


def users(connection: Connection) -> list[RemoteAccount]:
    return [RemoteAccount(str(row.id), row.login) for row in _rows(connection, _USERS, {})]


def feeds(connection: Connection, owner: int) -> list[RemoteFeed]:
    """What a user follows, with the path of its category, and a feed for what has none."""
    categories = {row.id: row for row in _rows(connection, _CATEGORIES, {"owner": owner})}
    found = [
        RemoteFeed(str(row.id), row.title, _path(categories, row.cat_id), row.site_url)
        for row in _rows(connection, _FEEDS, {"owner": owner})
    ]
    if _one(connection, _HOMELESS, {"owner": owner})[0]:
        found.append(RemoteFeed(ARCHIVE, "Archived articles"))
    return found


def marks(
    connection: Connection, owner: int, since: Cursor, *, with_titles: bool
) -> Iterator[list[Mark]]:
    """Everything unread and everything marked or entered since, in pages."""
    together = _together(connection, owner, since.since)
    after = 0
    while True:
        values = {
            "owner": owner,
            "after": after,
            "newest": since.newest,
            "since": since.since - OVERLAP,
            "limit": PAGE,
        }
        rows = _rows(connection, _CHANGED, values)
        if not rows:
            return
        after = rows[-1].int_id
        yield [_mark(row, together, with_titles=with_titles) for row in rows]


def named_marks(
    connection: Connection, owner: int, keys: Sequence[int], *, with_titles: bool
) -> list[Mark]:
    """The marks of those entries; of ones that are not there, nothing."""
    values = {"owner": owner, "keys": list(keys), "limit": len(keys)}
    rows = _rows(connection, _NAMED, values)
    read = [row.last_read for row in rows if row.last_read is not None]
    together = _together(connection, owner, min(read)) if read else frozenset()
    return [_mark(row, together, with_titles=with_titles) for row in rows]


def entries(connection: Connection, owner: int, keys: Sequence[int]) -> list[RemoteEntry]:
    """Their texts, in the order of the keys."""
    found = []
    for start in range(0, len(keys), TEXTS):
        values = {"owner": owner, "keys": list(keys[start : start + TEXTS])}
        found += [_entry(row) for row in _rows(connection, _TEXTS, values)]
    return sorted(found, key=lambda one: one.key)


def _together(connection: Connection, owner: int, since: datetime) -> frozenset[datetime]:
    """The instants at which several were marked read by one statement."""
    values = {"owner": owner, "since": since - OVERLAP, "together": TOGETHER}
    return frozenset(row.last_read for row in _rows(connection, _TOGETHER, values))


def _mark(row: Any, together: frozenset[datetime], *, with_titles: bool) -> Mark:
    title = titles.parse(row.title)
    present = {"score": str(row.score)}
    if with_titles:
        present["title"] = title.mark
    state = RemoteState(
        key=row.int_id,
        read=not row.unread,
        starred=row.marked,
        disliked=row.published,
        read_at=_aware(row.last_read),
        starred_at=_aware(row.last_marked),
        disliked_at=_aware(row.last_published),
        in_bulk=_in_bulk(row, together),
        present=present,
    )
    return Mark(state, _digest(title.original, row.content_hash))


def _in_bulk(row: Any, together: frozenset[datetime]) -> bool:
    """Marked read with others, or by a filter, or nobody knows when."""
    read: datetime | None = row.last_read
    if read is None or read in together:
        return True
    whole_minute = read.second == 0 and read.microsecond == 0
    return whole_minute and read <= row.date_entered + FILTERED_WITHIN


def _entry(row: Any) -> RemoteEntry:
    title = titles.parse(row.title).original
    article = ParsedArticle(
        guid=row.guid,
        url=row.link,
        title=title,
        author=row.author,
        content=row.content,
        published=_aware(row.dated),
        language=row.lang or "",
        categories=tuple(dict.fromkeys((*row.labels, *row.tags))),
        enclosures=tuple(
            Enclosure(url, kind) for url, _, kind in (one.rpartition(" ") for one in row.enclosures)
        ),
        comments_url=row.comments,
    )
    feed = ARCHIVE if row.feed_id is None else str(row.feed_id)
    return RemoteEntry(row.int_id, feed, article, _digest(title, row.content_hash))


def _digest(title: str, content_hash: str) -> str:
    return hashlib.blake2b(f"{title}\n{content_hash}".encode(), digest_size=12).hexdigest()


def _path(categories: dict[int, Any], category: int | None) -> str:
    """A category with those above it; a ring of them, which the database allows, ends."""
    names: list[str] = []
    met: set[int] = set()
    while category is not None and category in categories and category not in met:
        met.add(category)
        names.append(categories[category].title)
        category = categories[category].parent_cat
    return " / ".join(reversed(names))


def _aware(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=UTC)


def _rows(connection: Connection, query: Any, values: dict[str, Any]) -> list[Any]:
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        return cursor.execute(query, values).fetchall()


def _one(connection: Connection, query: Any, values: dict[str, Any]) -> tuple[Any, ...]:
    row = connection.execute(query, values).fetchone()
    assert row is not None
    return row
