"""Stories as a reader sees them: heads, members among their feeds, how they stand to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, text, update

from newsloom.articles.publishers import domain_name, source_name
from newsloom.importance.sources import source_of
from newsloom.importance.sources.speaking import credited_source
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import MICRO, beginning, moment, row_title
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.stories.store.membership import followed, tell_lists
from newsloom.stories.store.tables import stories, story_readers
from newsloom.stories.values.pages import (
    FollowedStory,
    StoryHead,
    StoryId,
    StoryMember,
    StoryState,
    StoryWording,
)

_STORIES, _READERS = stories.c, story_readers.c

_VISIBLE = many(f"""
    SELECT m.story_id, m.article_id, m.dated_at, m.since, m.probability, m.decided_by, m.relation,
        s.points, s.read, o.feed_id, o.url, o.source, w.url AS feed_url, w.title AS feed_title,
        COALESCE(c.title, '') AS feed_own_name, f.title, f.language, {beginning("s.article_id")}
    FROM story_members m
    CROSS JOIN states s CROSS JOIN articles o CROSS JOIN articles f CROSS JOIN feeds w
    LEFT JOIN subscriptions c ON c.user_id = s.user_id AND c.feed_id = o.feed_id
    WHERE m.story_id IN :ids AND s.user_id = :user AND s.article_id = m.article_id
    AND o.id = m.article_id AND f.id = o.fullest_id AND w.id = o.feed_id
    ORDER BY m.dated_at, m.article_id
""")  # noqa: S608
# Stories with an article of a feed that the reader does not follow: their title and summary may be
# made of its words.
_FOREIGN = many("""
    SELECT DISTINCT m.story_id FROM story_members m JOIN articles a ON a.id = m.article_id
    WHERE m.story_id IN :ids AND NOT EXISTS (
        SELECT 1 FROM subscriptions c WHERE c.user_id = :user AND c.feed_id = a.feed_id
    )
""")
_HEADLINES = many("""
    SELECT a.original_id AS article_id, r.seen_at, r.title
    FROM articles a JOIN revisions r ON r.article_id = a.id
    WHERE a.original_id IN :ids ORDER BY r.id
""")
_UNWORDED = text("""
    SELECT id FROM stories WHERE size >= :least AND (worded = 0 OR size >= worded + :more)
    AND latest >= :since ORDER BY latest DESC, id DESC LIMIT :limit
""")
_STAND = text("""
    INSERT INTO story_readers (user_id, story_id, stand, stand_at)
    VALUES (:user, :story, :stand, :at)
    ON CONFLICT (user_id, story_id) DO UPDATE SET
        stand_at = CASE story_readers.stand WHEN excluded.stand
            THEN story_readers.stand_at ELSE excluded.stand_at END,
        stand = excluded.stand
""")
_LOOKED = text("""
    INSERT INTO story_readers (user_id, story_id, looked_at) VALUES (:user, :story, :at)
    ON CONFLICT (user_id, story_id) DO UPDATE SET looked_at = excluded.looked_at
    WHERE story_readers.looked_at IS NULL OR story_readers.looked_at < excluded.looked_at
""")


_STOOD = many("""
    SELECT m.article_id, r.stand FROM story_members m
    JOIN story_readers r ON r.story_id = m.story_id
    WHERE m.article_id IN :ids AND r.user_id = :user AND r.stand <> 0
""")
_NEWS = text("""
    SELECT COUNT(*) FROM story_readers r WHERE r.user_id = :user AND r.stand > 0 AND EXISTS (
        SELECT 1 FROM story_members m
        JOIN states s ON s.article_id = m.article_id AND s.user_id = r.user_id
        WHERE m.story_id = r.story_id AND m.since > COALESCE(r.looked_at, r.stand_at)
    )
""")


_STORY_OF = many("""
    SELECT a.id, m.story_id FROM articles a
    JOIN story_members m ON m.article_id = a.original_id WHERE a.id IN :ids
""")


class StoryPages(Aggregate):
    """What pages and commands show of stories."""

    def story(self, story: StoryId, user: UserId | None = None) -> StoryHead | None:
        """A story, with a reader as they may see it; of one that went into another, that one.

        None: there is none.
        """
        into = select(_STORIES.merged_into).where(_STORIES.id == story)
        with self.database.read() as connection:
            number = connection.scalar(into) or story
            query = select(stories).where(_STORIES.id == number)
            found = sql.one(connection, query, StoryHead)
            if found is None or user is None:
                return found
            return _heads_for(connection, user, [found])[0]

    def stories_of(self, articles: Sequence[ArticleId]) -> Mapping[ArticleId, StoryId]:
        """The story of each article, or of the original that it is a copy of."""
        with self.database.read() as connection:
            return dict(rows_of(connection, _STORY_OF, articles))

    def story_heads(
        self,
        *,
        states: Sequence[StoryState] = tuple(StoryState),
        least: int = 2,
        limit: int = 500,
        ids: Sequence[StoryId] | None = None,
        user: UserId | None = None,
    ) -> tuple[StoryHead, ...]:
        """Stories of so many articles at least, the latest first; or those of `ids`.

        With a reader, as they may see them: without words made of feeds that they do not follow.
        """
        query = (
            select(stories)
            .where(_STORIES.size >= least, _STORIES.state.in_([str(one) for one in states]))
            .order_by(_STORIES.latest.desc(), _STORIES.id.desc())
            .limit(limit)
        )
        if ids is not None:
            query = query.where(_STORIES.id.in_(ids))
        with self.database.read() as connection:
            found = sql.rows(connection, query, StoryHead)
            return found if user is None else tuple(_heads_for(connection, user, found))

    def visible_members(
        self, user: UserId, ids: Sequence[StoryId]
    ) -> Mapping[StoryId, tuple[StoryMember, ...]]:
        """The articles of stories that are among a reader's, by date."""
        found: dict[StoryId, list[StoryMember]] = defaultdict(list)
        with self.database.read() as connection:
            rows = rows_of(connection, _VISIBLE, ids, user=user)
        for row in rows:
            found[StoryId(row.story_id)].append(_member(row))
        return {story: tuple(those) for story, those in found.items()}

    def earlier_headlines(
        self, articles: Sequence[ArticleId]
    ) -> tuple[tuple[ArticleId, datetime, str], ...]:
        """Titles that articles had, each with when the next one was seen."""
        with self.database.read() as connection:
            rows = rows_of(connection, _HEADLINES, articles)
            return tuple(
                (ArticleId(row.article_id), moment(row.seen_at), row.title) for row in rows
            )

    def story_subscriptions(self, user: UserId) -> Mapping[StoryId, FollowedStory]:
        """Every story that a reader follows, has muted or has looked at."""
        query = select(story_readers, _READERS.stand_at.label("since"))
        found = self._rows(query.where(_READERS.user_id == user), FollowedStory)
        return {one.story: one for one in found}

    def followed_articles(
        self, user: UserId, articles: Sequence[ArticleId]
    ) -> frozenset[ArticleId]:
        """Those of the articles that are of stories the reader follows."""
        with self.database.read() as connection:
            return followed(connection, user, articles)

    def stood_articles(
        self, user: UserId, articles: Sequence[ArticleId]
    ) -> Mapping[ArticleId, int]:
        """Those of the articles that are of stories the reader follows (1) or has muted (-1)."""
        with self.database.read() as connection:
            rows = rows_of(connection, _STOOD, articles, user=user)
            return {ArticleId(row.article_id): row.stand for row in rows}

    def followed_news(self, user: UserId) -> int:
        """How many stories that the reader follows got articles since they looked, or followed."""
        return self._value(_NEWS, int, user=user) or 0

    def set_story_subscription(self, user: UserId, story: StoryId, subscription: int) -> None:
        """1 follows, -1 mutes, 0 neither. Its articles are scored again, or leave unread lists."""
        with self.database.write() as connection:
            sql.change(
                connection, _STAND, user=user, story=story, stand=subscription, at=self._now()
            )
            tell_lists(connection, [story])

    def look_at_story(self, user: UserId, story: StoryId, at: datetime) -> None:
        """What comes after this moment is new to the reader; an earlier one than before is none."""
        self._change(_LOOKED, user=user, story=story, at=at)

    def unworded_stories(
        self, since: datetime, *, least: int, more: int, limit: int
    ) -> tuple[StoryId, ...]:
        """Stories without a title, or that grew by `more` articles since they got theirs."""
        return self._column(_UNWORDED, StoryId, since=since, least=least, more=more, limit=limit)

    def put_story_words(self, words: Sequence[StoryWording]) -> None:
        """Titles and summaries, each with the size that the story had then."""
        with self.database.write() as connection:
            for one in words:
                connection.execute(
                    update(stories)
                    .where(_STORIES.id == one.story)
                    .values(
                        title=one.title,
                        title_by=one.title_by,
                        summary=one.summary,
                        summary_by=one.summary_by,
                        worded=one.size,
                    )
                )


def foreign(connection: Connection, user: UserId, ids: Sequence[int]) -> frozenset[int]:
    """Those of the stories that have an article of a feed the reader does not follow."""
    return frozenset(row.story_id for row in rows_of(connection, _FOREIGN, ids, user=user))


def _heads_for(
    connection: Connection, user: UserId, heads: Sequence[StoryHead]
) -> Sequence[StoryHead]:
    others = foreign(connection, user, [one.id for one in heads])
    return [replace(one, title="", summary="") if one.id in others else one for one in heads]


def _member(row: Row[Any]) -> StoryMember:
    source = credited_source(row.source, row.feed_url)
    if source == source_of(row.feed_url):
        publisher = source_name(row.feed_own_name, row.feed_title, row.feed_url)
    else:
        publisher = domain_name(source)
    return StoryMember(
        article=ArticleId(row.article_id),
        title=row_title(row),
        url=row.url,
        source=source,
        publisher=publisher,
        language=row.language,
        dated=moment(row.dated_at),
        since=moment(row.since),
        probability=row.probability,
        by=row.decided_by,
        relation=row.relation,
        points=(row.points or 0) / MICRO,
        read=bool(row.read),
        feed=FeedId(row.feed_id),
    )
