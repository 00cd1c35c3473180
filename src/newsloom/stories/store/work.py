"""What the stage of stories reads and keeps. Decides nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, func, insert, or_, select, text, update

from newsloom.articles.store.derived import digests
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.db.dialects import allocate_ids
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId
from newsloom.stories.store import membership
from newsloom.stories.store.audit import generation, listed, put_decisions
from newsloom.stories.store.corrections import apart
from newsloom.stories.store.tables import stories, story_centroids, story_members, story_questions
from newsloom.stories.values.pages import (
    CALIBRATED,
    READER,
    STORY_LEAD,
    Apart,
    StoryArticle,
    StoryChanges,
    StoryChoice,
    StoryDecision,
    StoryId,
    StoryState,
)
from newsloom.work.store.leases import batch_of, finish, unchanged
from newsloom.work.values import Batch, Lease, Put

if TYPE_CHECKING:
    pass

_STORIES, _MEMBERS = stories.c, story_members.c

_ARTICLES = many(f"""
    SELECT o.id, t.title, substr(t.lead, 1, {STORY_LEAD}) AS lead, o.dated_at, o.source, f.language,
        t.digest, m.story_id, m.decided_by
    FROM texts t
    JOIN articles o ON o.id = t.article_id
    JOIN articles f ON f.id = o.fullest_id
    LEFT JOIN story_members m ON m.article_id = t.article_id
    WHERE t.article_id IN :ids
""")  # noqa: S608
_SAME = many("""
    SELECT a.article_id AS asked, b.article_id FROM clusters a
    JOIN clusters b ON b.cluster_id = a.cluster_id AND b.text_id = a.text_id
    WHERE a.article_id IN :ids AND b.article_id <> a.article_id
""")
_NEWEST = many("""
    SELECT story_id, article_id FROM (
        SELECT m.story_id, m.article_id, ROW_NUMBER() OVER (
            PARTITION BY m.story_id ORDER BY m.dated_at DESC, m.article_id DESC
        ) AS place FROM story_members m WHERE m.story_id IN :ids
    ) AS newest WHERE place <= :most ORDER BY story_id, place
""")
# Stories without articles that no reader corrected.
_LEFT = many("""
    SELECT id FROM stories WHERE id IN :ids AND size = 0 AND merged_into IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM story_corrections c WHERE c.story_id = stories.id OR c.other_id = stories.id
    )
""")
_UNCOUNTED = text("""
    SELECT s.id FROM stories s
    LEFT JOIN story_centroids c ON c.story_id = s.id AND c.maker_id = :maker
    WHERE s.size > 0 AND s.latest >= :since AND c.story_id IS NULL
    ORDER BY s.latest DESC LIMIT :limit
""")


class StoryWork(Aggregate):
    """The stage of stories."""

    def leased_stories(self, lease: Lease) -> tuple[Batch, tuple[StoryArticle, ...]]:
        """Those of a lease that are still to be placed, by date."""
        with self.database.read() as connection:
            producer = producers.known(connection, lease.key.producer)
            done = select(_MEMBERS.article_id).where(
                _MEMBERS.article_id.in_(lease.ids), _MEMBERS.maker_id == producer
            )
            placed = set(connection.scalars(done))
            found = story_articles(connection, [one for one in lease.ids if one not in placed])
            known = digests(connection, [one.id for one in found])
            versions: dict[int, str] = {one: str(digest) for one, digest in known.items()}
            return batch_of(connection, lease, versions, len(lease.ids)), found

    def story_articles(self, ids: Sequence[ArticleId]) -> tuple[StoryArticle, ...]:
        """Articles as stories see them, by date."""
        with self.database.read() as connection:
            return story_articles(connection, ids)

    def stories_between(
        self, first: datetime, last: datetime, limit: int
    ) -> tuple[tuple[StoryId, datetime, datetime], ...]:
        """Stories that were going on in that time with their dates, the newest first."""
        query = (
            select(_STORIES.id, _STORIES.began, _STORIES.latest)
            .where(_STORIES.latest >= first, _STORIES.began <= last, _STORIES.size > 0)
            .order_by(_STORIES.latest.desc(), _STORIES.id.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            rows = connection.execute(query)
            return tuple((StoryId(row.id), row.began, row.latest) for row in rows)

    def newest_members(
        self, ids: Sequence[StoryId], most: int
    ) -> Mapping[StoryId, tuple[ArticleId, ...]]:
        """The last `most` articles of each story."""
        with self.database.read() as connection:
            return newest(connection, ids, most)

    def story_centroids(
        self, encoder: str, *, since: datetime, until: datetime, least: int, limit: int
    ) -> tuple[tuple[StoryId, ...], tuple[bytes, ...], tuple[datetime, ...]]:
        """Stories of that size that ended in that time, their sums of vectors, and their ends."""
        query = (
            select(_STORIES.id, story_centroids.c.total, _STORIES.latest)
            .join(story_centroids, story_centroids.c.story_id == _STORIES.id)
            .where(
                story_centroids.c.maker_id == bindparam("maker"),
                _STORIES.latest >= since,
                _STORIES.latest < until,
                _STORIES.size >= least,
            )
            .order_by(_STORIES.latest.desc(), _STORIES.id.desc())
            .limit(limit)
        )
        with self.database.read() as connection:
            producer = producers.known(connection, encoder)
            rows = connection.execute(query, {"maker": producer}).all()
        return (
            tuple(StoryId(row.id) for row in rows),
            tuple(bytes(row.total) for row in rows),
            tuple(row.latest for row in rows),
        )

    def judge_stories_again(self, after: ArticleId, limit: int) -> tuple[ArticleId, ...]:
        """The next articles above one are to be placed again, in the order of their numbers; where
        they are meanwhile they stay. Those that a reader placed are left, and told all the same."""
        query = (
            select(_MEMBERS.article_id)
            .where(_MEMBERS.article_id > after)
            .order_by(_MEMBERS.article_id)
            .limit(limit)
        )
        with self.database.write() as connection:
            found = tuple(map(ArticleId, connection.scalars(query)))
            connection.execute(
                update(story_members)
                .where(_MEMBERS.article_id.in_(found), _MEMBERS.decided_by != READER)
                .values(maker_id=producers.NOBODY)
            )
            return found

    def stories_awaited(self, up_to: ArticleId) -> int:
        """How many articles up to one are in a story and to be placed again."""
        query = select(func.count()).where(
            _MEMBERS.maker_id == producers.NOBODY, _MEMBERS.article_id <= up_to
        )
        return self._value(query, int) or 0

    def stories_after(self, article: ArticleId) -> int:
        """How many articles above one are in a story."""
        query = select(func.count()).where(_MEMBERS.article_id > article)
        return self._value(query, int) or 0

    def last_story(self) -> int:
        """The highest number that a story has had."""
        return self._value(select(func.max(_STORIES.id)), int) or 0

    def apart(self) -> Apart:
        """What readers said may not come together."""
        with self.database.read() as connection:
            return apart(connection)

    def put_stories(
        self,
        producer: str,
        encoder: str,
        changes: StoryChanges,
        now: datetime,
        *,
        batch: Batch | None = None,
        until: datetime | None = None,
    ) -> tuple[Put, int]:
        """Memberships, centroids, audit and done-marks of a batch: all, or nothing. And the
        generation of the stories after it.

        Nothing is kept when something was decided since by others, or when a text has changed: the
        batch is judged again then.
        """
        with self.database.write() as connection:
            put = finish(connection, batch, until)
            if put is None:
                return Put(0), 0
            ids = [] if batch is None else list(batch.versions)
            known = {one: str(digest) for one, digest in digests(connection, ids).items()}
            if generation(connection) != changes.generation or len(
                unchanged(batch, ids, known)
            ) < len(ids):
                return put, 0
            after = put_changes(
                connection,
                changes,
                now,
                maker=producers.numbered(connection, producer),
                vectors=producers.numbered(connection, encoder),
            )
            return replace(put, stored=len(changes.members)), after

    def age_stories(self, now: datetime, *, cooling: datetime, archived: datetime) -> int:
        """Bring states to what the dates of the last articles say; how many changed.

        Stories whose last article is older than `cooling`, or than `archived`.
        """
        latest = _STORIES.latest
        live = _STORIES.size > 0
        steps: tuple[tuple[StoryState, Any, dict[str, Any]], ...] = (
            (StoryState.ARCHIVED, latest < archived, {"archived_at": now}),
            (StoryState.COOLING, (latest >= archived) & (latest < cooling), {}),
            (StoryState.ACTIVE, latest >= cooling, {}),
        )
        with self.database.read() as connection:
            wrong = or_(*(held & (_STORIES.state != str(state)) for state, held, _more in steps))
            if connection.scalar(select(_STORIES.id).where(live, wrong).limit(1)) is None:
                return 0
        changed = 0
        with self.database.write() as connection:
            revived = (_STORIES.state == str(StoryState.ARCHIVED)) & (latest >= archived)
            connection.execute(update(stories).where(live, revived).values(revived_at=now))
            for state, held, more in steps:
                done = connection.execute(
                    update(stories)
                    .where(live, held, _STORIES.state != str(state))
                    .values(state=str(state), **more)
                )
                changed += done.rowcount
        return changed

    def count_centroids(self, encoder: str, since: datetime, limit: int) -> int:
        """Count centroids of stories that have none by an encoder: it is new. How many."""
        with self.database.read() as connection:
            producer = producers.known(connection, encoder)
            values = {"maker": producer, "since": micros(since), "limit": limit}
            ids = list(connection.scalars(_UNCOUNTED, values))
        if not ids or producer == producers.UNKNOWN:
            return 0
        with self.database.write() as connection:
            membership.count_again(connection, producer, ids)
        return len(ids)


def newest(
    connection: Connection, ids: Sequence[StoryId], most: int
) -> Mapping[StoryId, tuple[ArticleId, ...]]:
    """The last `most` articles of each story, the newest first."""
    found: dict[StoryId, list[ArticleId]] = defaultdict(list)
    for row in rows_of(connection, _NEWEST, ids, most=most):
        found[StoryId(row.story_id)].append(ArticleId(row.article_id))
    return {story: tuple(those) for story, those in found.items()}


def story_articles(connection: Connection, ids: Sequence[int]) -> tuple[StoryArticle, ...]:
    """Articles as the stage needs them, by date."""
    same: dict[int, list[ArticleId]] = defaultdict(list)
    for row in rows_of(connection, _SAME, ids):
        same[row.asked].append(ArticleId(row.article_id))
    rows = rows_of(connection, _ARTICLES, ids)
    return tuple(
        sorted(
            (_article(row, tuple(same.get(row.id, ()))) for row in rows),
            key=lambda one: (one.dated, one.id),
        )
    )


def _article(row: Row[Any], same: tuple[ArticleId, ...]) -> StoryArticle:
    return StoryArticle(
        id=ArticleId(row.id),
        title=row.title,
        lead=row.lead,
        dated=moment(row.dated_at),
        source=row.source,
        language=row.language,
        story=None if row.story_id is None else StoryId(row.story_id),
        pinned=row.decided_by == READER,
        same=same,
    )


def put_changes(
    connection: Connection, changes: StoryChanges, now: datetime, *, maker: int, vectors: int
) -> int:
    """In the write transaction that keeps them; the generation after it."""
    membership.begin(connection, changes.begun)
    membership.put_members(connection, changes.members, now, producer=maker, vectors=vectors)
    membership.put_members(connection, changes.moved, now, vectors=vectors)
    for gone, kept in changes.merges:
        membership.merge(connection, gone, kept, now, vectors=vectors)
    decisions = (*changes.decisions, *_close(connection, changes, now))
    first = allocate_ids(connection, "story_decisions", len(decisions) or 1)
    numbered = [replace(one, id=first + at) for at, one in enumerate(decisions)]
    put_decisions(connection, numbered)
    _ask(connection, changes, now)
    return numbered[-1].id if numbered else changes.generation


def _close(connection: Connection, changes: StoryChanges, now: datetime) -> Iterator[StoryDecision]:
    """Merge each story whose articles have all moved into the story that now has most of them, so
    that its followers and its address lead there. The decisions on it."""
    left = [
        (one.other, one.article)
        for one in changes.decisions
        if one.article is not None and one.other is not None
    ]
    now_in = dict(rows_of(connection, membership.NOW_IN, [article for _story, article in left]))
    went: dict[int, Counter[int]] = defaultdict(Counter)
    for story, article in left:
        if article in now_in:
            went[story][now_in[article]] += 1
    begun = {story for story, _dated in changes.begun}
    for row in rows_of(connection, _LEFT, sorted(went.keys() - begun)):
        kept = went[row.id].most_common(1)[0][0]
        membership.merge(connection, row.id, kept, now)
        yield StoryDecision(
            now,
            StoryChoice.MERGE,
            StoryId(kept),
            other=StoryId(row.id),
            reason="Most of its articles are in this story now, and none is left.",
            confidence=1.0,
            judge=CALIBRATED,
        )


def _ask(connection: Connection, changes: StoryChanges, now: datetime) -> None:
    wanted = changes.questions
    if not wanted:
        return
    ids = [one.article for one in wanted]
    connection.execute(many("DELETE FROM story_questions WHERE article_id IN :ids"), {"ids": ids})
    connection.execute(
        insert(story_questions),
        [
            {
                "article_id": one.article,
                "control": one.control,
                "asked_at": now,
                "offered": listed(one.offered),
            }
            for one in wanted
        ],
    )
