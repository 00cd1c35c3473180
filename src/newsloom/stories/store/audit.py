"""The audit: every decision about stories, with what there was to choose from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, func, insert, or_, select

from newsloom.articles.store.reader_tables import states
from newsloom.kernel.db.sql import Aggregate
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.stories.store.pages import foreign
from newsloom.stories.store.tables import story_decisions
from newsloom.stories.values.pages import OfferedStory, StoryChoice, StoryDecision, StoryId

LONGEST_REASON = 500

_DECISIONS = story_decisions.c


class StoryAudit(Aggregate):
    """Decisions as they were made."""

    def story_decisions(
        self,
        *,
        article: ArticleId | None = None,
        story: StoryId | None = None,
        limit: int = 100,
        user: UserId | None = None,
    ) -> tuple[StoryDecision, ...]:
        """The last ones about an article, about a story, or of all; the newest first.

        With a reader, only those about their articles, and no words of stories that have articles
        of feeds they do not follow.
        """
        query = select(story_decisions).order_by(_DECISIONS.id.desc()).limit(limit)
        if user is not None:
            theirs = select(states.c.article_id).where(states.c.user_id == user)
            query = query.where(
                or_(_DECISIONS.article_id.is_(None), _DECISIONS.article_id.in_(theirs))
            )
        if article is not None:
            query = query.where(_DECISIONS.article_id == article)
        if story is not None:
            query = query.where(or_(_DECISIONS.story_id == story, _DECISIONS.other_id == story))
        with self.database.read() as connection:
            found = [_decision(row) for row in connection.execute(query)]
            if user is not None:
                named = sorted({it.story for one in found for it in one.candidates})
                others = foreign(connection, user, named)
                found = [_without(one, others) for one in found]
            return tuple(found)

    def story_generation(self) -> int:
        """The number of the last decision; 0 when there is none."""
        with self.database.read() as connection:
            return generation(connection)

    def stories_decided(self, since: int, limit: int) -> tuple[StoryId, ...] | None:
        """The stories of the decisions after that one; None: more than `limit` decisions."""
        query = (
            select(_DECISIONS.story_id, _DECISIONS.other_id)
            .where(_DECISIONS.id > since)
            .limit(limit + 1)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        if len(rows) > limit:
            return None
        return tuple(sorted({StoryId(one) for row in rows for one in row if one is not None}))


def _without(decision: StoryDecision, others: frozenset[int]) -> StoryDecision:
    """The decision with the titles of those stories and the judge's reason removed."""
    if others.isdisjoint(one.story for one in decision.candidates):
        return decision
    candidates = (
        replace(one, title="") if one.story in others else one for one in decision.candidates
    )
    return replace(decision, candidates=tuple(candidates), reason="")


def generation(connection: Connection) -> int:
    return connection.scalar(select(func.max(_DECISIONS.id))) or 0


def put_decisions(connection: Connection, decisions: Sequence[StoryDecision]) -> None:
    if decisions:
        connection.execute(insert(story_decisions), [_values(one) for one in decisions])


def _values(one: StoryDecision) -> dict[str, Any]:
    numbered = {"id": one.id} if one.id else {}
    return numbered | {
        "at": one.at,
        "choice": str(one.choice),
        "article_id": one.article,
        "story_id": one.story,
        "other_id": one.other,
        "candidates": listed(one.candidates),
        "reason": one.reason[:LONGEST_REASON],
        "confidence": one.confidence,
        "relation": one.relation,
        "judge": one.judge,
        "prompt": one.prompt,
    }


def _decision(row: Row[Any]) -> StoryDecision:
    return StoryDecision(
        at=row.at,
        choice=StoryChoice(row.choice),
        story=None if row.story_id is None else StoryId(row.story_id),
        article=None if row.article_id is None else ArticleId(row.article_id),
        other=None if row.other_id is None else StoryId(row.other_id),
        candidates=offered(row.candidates),
        reason=row.reason,
        confidence=row.confidence,
        relation=row.relation,
        judge=row.judge,
        prompt=row.prompt,
        id=row.id,
    )


def listed(candidates: Sequence[OfferedStory]) -> list[list[Any]]:
    """Candidates as they are kept."""
    return [
        [one.story, one.title[:200], round(one.probability, 4), round(one.cosine, 4)]
        for one in candidates
    ]


def offered(kept: Any) -> tuple[OfferedStory, ...]:
    """Candidates as they are kept; of a statement in words they come as text."""
    listed = json.loads(kept) if isinstance(kept, str) else kept
    return tuple(OfferedStory(StoryId(one[0]), *one[1:]) for one in listed or ())
