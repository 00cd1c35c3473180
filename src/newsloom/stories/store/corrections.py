"""What readers say of stories: done at once, and kept against everything that is computed later."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, insert, or_, select

from newsloom.kernel.db import sql
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.stories.store import membership
from newsloom.stories.store.audit import put_decisions
from newsloom.stories.store.tables import stories, story_corrections, story_members
from newsloom.stories.values.pages import (
    CALIBRATED,
    READER,
    SAME_TEXT,
    Apart,
    CorrectionKind,
    Membership,
    StoryChoice,
    StoryCorrection,
    StoryDecision,
    StoryId,
)

_CORRECTIONS, _MEMBERS = story_corrections.c, story_members.c
_CHOICES = {
    CorrectionKind.NOT_IN: StoryChoice.EJECT,
    CorrectionKind.BELONGS: StoryChoice.MOVE,
    CorrectionKind.SPLIT: StoryChoice.SPLIT,
}
_REASONS = {
    CorrectionKind.NOT_IN: "A reader removed it from this story.",
    CorrectionKind.BELONGS: "A reader added it to this story.",
    CorrectionKind.SPLIT: "A reader split these articles from the story.",
    CorrectionKind.MERGE: "A reader merged the two stories.",
}


class StoryCorrections(Aggregate):
    """Readers' corrections."""

    def part_from_story(
        self,
        user: UserId,
        story: StoryId,
        articles: Sequence[ArticleId],
        kind: CorrectionKind,
        now: datetime,
    ) -> StoryId | None:
        """Articles of a story become one of their own; None: none of them is in it, or no other.

        `kind` is NOT_IN or SPLIT.
        """
        with self.database.write() as connection:
            mine = _in_story(connection, story)
            moved = [one for one in articles if one in mine]
            if not moved or len(moved) == len(mine):
                return None
            new = StoryId((connection.scalar(select(func.max(stories.c.id))) or 0) + 1)
            membership.begin(connection, [(new, mine[moved[0]])])
            for article in moved:
                _note(connection, user, CorrectionKind.NOT_IN, story, now, article=article)
            if kind is CorrectionKind.SPLIT:
                _note(connection, user, kind, story, now, other=new)
            _move(connection, moved, new, story, kind, now)
            return new

    def put_into_story(
        self, user: UserId, article: ArticleId, story: StoryId, now: datetime
    ) -> bool:
        """An article goes into a story, for good; False where either is unknown."""
        with self.database.write() as connection:
            query = select(_MEMBERS.story_id).where(_MEMBERS.article_id == article)
            before = connection.scalar(query)
            if before is None or not _in_story(connection, story):
                return False
            _note(connection, user, CorrectionKind.BELONGS, story, now, article=article)
            _move(connection, [article], story, StoryId(before), CorrectionKind.BELONGS, now)
            return True

    def merge_stories(self, user: UserId, gone: StoryId, kept: StoryId, now: datetime) -> bool:
        """A story goes into another, for good; False where either is unknown or has no article."""
        with self.database.write() as connection:
            mine = _in_story(connection, gone)
            if gone == kept or not mine or not _in_story(connection, kept):
                return False
            _note(connection, user, CorrectionKind.MERGE, kept, now, other=gone)
            membership.merge(connection, gone, kept, now, by=READER)
            put_decisions(
                connection,
                [
                    StoryDecision(
                        now,
                        StoryChoice.MERGE,
                        kept,
                        other=gone,
                        reason=_REASONS[CorrectionKind.MERGE],
                        confidence=1.0,
                        judge=READER,
                    )
                ],
            )
            return True

    def story_corrections(self, story: StoryId) -> tuple[StoryCorrection, ...]:
        """What readers said of a story, the first first."""
        query = (
            select(story_corrections)
            .where(or_(_CORRECTIONS.story_id == story, _CORRECTIONS.other_id == story))
            .order_by(_CORRECTIONS.id)
        )
        return self._rows(query, StoryCorrection)


def apart(connection: Connection) -> Apart:
    """All that may not come together. Of two words on one pair the later holds."""
    merged = select(stories.c.id, stories.c.merged_into).where(stories.c.merged_into.is_not(None))
    into = {row.id: row.merged_into for row in connection.execute(merged)}
    pairs: dict[tuple[StoryId, StoryId], bool] = {}
    articles: dict[tuple[ArticleId, StoryId], bool] = {}
    said = select(story_corrections).order_by(_CORRECTIONS.id)
    for one in sql.rows(connection, said, StoryCorrection):
        story = StoryId(into.get(one.story, one.story))
        if one.article is not None:
            articles[one.article, story] = one.kind is CorrectionKind.NOT_IN
        elif one.other is not None:
            other = StoryId(into.get(one.other, one.other))
            pairs[min(story, other), max(story, other)] = one.kind is CorrectionKind.SPLIT
    pinned = select(_MEMBERS.article_id).where(_MEMBERS.decided_by.not_in([CALIBRATED, SAME_TEXT]))
    return Apart(
        frozenset(key for key, so in articles.items() if so),
        frozenset(key for key, so in pairs.items() if so and key[0] != key[1]),
        frozenset(ArticleId(one) for one in connection.scalars(pinned)),
    )


def _in_story(connection: Connection, story: StoryId) -> dict[ArticleId, datetime]:
    query = select(_MEMBERS.article_id, _MEMBERS.dated_at).where(_MEMBERS.story_id == story)
    return {ArticleId(row.article_id): row.dated_at for row in connection.execute(query)}


def _note(
    connection: Connection,
    user: UserId,
    kind: CorrectionKind,
    story: StoryId,
    now: datetime,
    *,
    article: ArticleId | None = None,
    other: StoryId | None = None,
) -> None:
    connection.execute(
        insert(story_corrections).values(
            user_id=user, at=now, kind=str(kind), story_id=story, article_id=article, other_id=other
        )
    )


def _move(
    connection: Connection,
    articles: Sequence[ArticleId],
    story: StoryId,
    before: StoryId,
    kind: CorrectionKind,
    now: datetime,
) -> None:
    members = [Membership(one, story, by=READER) for one in articles]
    membership.put_members(connection, members, now)
    put_decisions(
        connection,
        [
            StoryDecision(
                now,
                _CHOICES[kind],
                story,
                one,
                before,
                reason=_REASONS[kind],
                confidence=1.0,
                judge=READER,
            )
            for one in articles
        ],
    )
