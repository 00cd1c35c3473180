"""Documents of feeds in quarantine, let in or kept out, and that taken back. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, literal, select, text, update

from newsloom.articles.store import records
from newsloom.articles.store.keys import copies
from newsloom.duplicates.store.cluster_rows import link_copies
from newsloom.duplicates.values import Action, Copy, JudgedArticle
from newsloom.feeds.store.feed_moves import UNLEASED
from newsloom.feeds.store.hints import write_identity
from newsloom.feeds.store.tables import feeds, holds, verdicts
from newsloom.feeds.values.health import FeedIdentity, FeedState, HeldDocument
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.db.columns import Moment, micros, moment
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import FeedId
from newsloom.reading.store import states
from newsloom.reading.store.states import KEPT

# Kept of one feed, the newest first: at an hour between polls, most of a day of a busy feed. The
# newest document is kept whatever its size, which the fetcher bounds (15 MB).
MOST_DOCUMENTS = 20
MOST_BYTES = 20_000_000

_SIZES = select(holds.c.at, func.length(holds.c.body).label("size")).order_by(holds.c.at.desc())
# Who a feed was, to be put back.
_IDENTITY = ("title", "site_url", "description", "language", "image", "face")
_HIDE = text(f"""
    DELETE FROM states WHERE article_id = :article AND read = FALSE AND starred = FALSE
    AND rating = 0 AND NOT {KEPT} AND NOT EXISTS (
        SELECT 1 FROM articles a JOIN subscriptions s ON s.feed_id = a.feed_id
        WHERE a.original_id = states.article_id AND s.user_id = states.user_id
        AND a.feed_id <> :feed
    )
""")  # noqa: S608


def hold(connection: Connection, feed: FeedId, document: HeldDocument) -> None:
    """Keep a document back; the oldest go that are over the bounds."""
    mine = holds.c.feed_id == feed
    connection.execute(delete(holds).where(mine, holds.c.at == document.at))
    connection.execute(
        insert(holds).values(
            feed_id=feed,
            at=document.at,
            url=document.url,
            content_type=document.content_type,
            body=document.body,
        )
    )
    total = 0
    for place, row in enumerate(connection.execute(_SIZES.where(mine)).all()):
        total += row.size
        if place and (place >= MOST_DOCUMENTS or total > MOST_BYTES):
            connection.execute(delete(holds).where(mine, holds.c.at <= row.at))
            return


def forget(connection: Connection, feed: FeedId) -> None:
    """Begin afresh with a feed in quarantine that nobody followed: it is what it is now."""
    again = {"title": "", "site_url": "", "language": "", "face": None, "held_at": None}
    unasked = {"etag": "", "last_modified": "", "validated_url": "", "body_hash": ""}
    held = feeds.c.id == feed, feeds.c.held_at.is_not(None)
    connection.execute(update(feeds).where(*held).values(held_because="", **again, **unasked))
    connection.execute(delete(holds).where(holds.c.feed_id == feed))


class OpenLetting:
    """One open write transaction that takes a held document in."""

    def __init__(self, connection: Connection, feed: FeedId) -> None:
        self._connection = connection
        self._feed = feed
        self.stored: list[int] = []

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Stored copies under each (layer, key); keys without any are absent."""
        return copies(self._connection, keys)

    def take_in(
        self,
        document: ParsedFeed,
        judged: Sequence[JudgedArticle],
        identity: FeedIdentity,
        at: datetime,
    ) -> int:
        """Store new and revised ones; what each is shown as. The reader has all of them then,
        read where they had them not. Duplicates are only pointed out, not stored once more."""
        stored = records.store(self._connection, judged, at)
        states.add_stored(self._connection, stored, at)
        link_copies(self._connection, stored.links, at)
        self.stored += range(stored.first, stored.last + 1)
        self._connection.execute(
            update(feeds)
            .where(feeds.c.id == self._feed)
            .values(
                title=document.title or feeds.c.title,
                site_url=document.site_url,
                description=document.description,
                language=document.language,
                image=document.image,
                face=write_identity(identity),
            )
        )
        return sum(one.judgement.action is not Action.UNCHANGED for one in judged)


class Quarantine(Aggregate):
    """Feeds whose documents look like a stranger's: kept out until the reader decides."""

    def held(self, feed: FeedId) -> tuple[HeldDocument, ...]:
        """What is kept back of a feed, the oldest first."""
        query = select(holds).where(holds.c.feed_id == feed).order_by(holds.c.at)
        return self._rows(query, HeldDocument)

    @contextmanager
    def letting_in(self, feed: FeedId, at: datetime) -> Iterator[OpenLetting]:
        """One write transaction; on a clean exit the quarantine ends and all is let in, else
        nothing is changed."""
        with self.database.write() as connection:
            before = _feed(connection, feed)
            again = _let_in_before(connection, feed)
            opened = OpenLetting(connection, feed)
            yield opened
            states.add_those(connection, feed, again, at)
            _say(connection, feed, at, same=True, before=before, stored=[*again, *opened.stored])
            connection.execute(
                update(feeds)
                .where(feeds.c.id == feed)
                .values(
                    held_at=None,
                    held_because="",
                    state=FeedState.HEALTHY.value,
                    state_at=at,
                    changed_at=at,
                    next_poll_at=func.coalesce(feeds.c.next_poll_at, literal(at, Moment())),
                    **UNLEASED,
                )
            )

    def keep_out(self, feed: FeedId, at: datetime) -> None:
        """Say that a feed in quarantine is another now: it is not asked any more."""
        with self.database.write() as connection:
            _say(connection, feed, at, same=False, before=_feed(connection, feed), stored=[])
            connection.execute(
                update(feeds)
                .where(feeds.c.id == feed)
                .values(next_poll_at=None, state_seen_at=at, **UNLEASED)
            )

    def take_back_verdict(self, feed: FeedId, at: datetime) -> bool:
        """In quarantine as before the last word on it: what was let in is out again, but for what
        the reader read or marked. False when there is no word to take back."""
        with self.database.write() as connection:
            last = _last_verdict(connection, feed)
            if last is None:
                return False
            connection.execute(
                update(verdicts).where(verdicts.c.id == last.id).values(undone_at=at)
            )
            if last.same:
                for article in last.articles or ():
                    connection.execute(_HIDE, {"article": article, "feed": feed})
            _hold_again(connection, feed, last.before or {}, at)
            return True


def _feed(connection: Connection, feed: FeedId) -> dict[str, Any]:
    row = connection.execute(select(feeds).where(feeds.c.id == feed)).mappings().one()
    held = row["held_at"]
    return {
        **{name: row[name] for name in _IDENTITY},
        "held_at": None if held is None else micros(held),
        "held_because": row["held_because"],
    }


def _say(
    connection: Connection,
    feed: FeedId,
    at: datetime,
    *,
    same: bool,
    before: Mapping[str, Any],
    stored: Sequence[int],
) -> None:
    connection.execute(
        insert(verdicts).values(
            feed_id=feed, at=at, same=same, before=dict(before), articles=list(stored)
        )
    )


def _last_verdict(connection: Connection, feed: FeedId) -> Any:
    """The last verdict, unless it was taken back."""
    query = select(verdicts).where(verdicts.c.feed_id == feed).order_by(verdicts.c.id.desc())
    last = connection.execute(query.limit(1)).one_or_none()
    return None if last is None or last.undone_at is not None else last


def _let_in_before(connection: Connection, feed: FeedId) -> list[int]:
    """What was let in and taken out again: it is stored already."""
    query = (
        select(verdicts.c.articles)
        .where(verdicts.c.feed_id == feed, verdicts.c.same, verdicts.c.undone_at.is_not(None))
        .order_by(verdicts.c.id.desc())
        .limit(1)
    )
    return list(connection.scalar(query) or ())


def _hold_again(
    connection: Connection, feed: FeedId, before: Mapping[str, Any], at: datetime
) -> None:
    held = before.get("held_at")
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed)
        .values(
            **{name: before.get(name) for name in _IDENTITY if name in before},
            held_at=at if held is None else moment(held),
            held_because=before.get("held_because") or "",
            state=FeedState.HELD.value,
            state_at=at,
            next_poll_at=func.coalesce(feeds.c.next_poll_at, literal(at, Moment())),
            **UNLEASED,
        )
    )
