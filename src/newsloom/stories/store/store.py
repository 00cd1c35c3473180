"""`store.stories`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from newsloom.kernel.db.dialects import allocate_ids
from newsloom.kernel.ids import UserId
from newsloom.stories.store.audit import StoryAudit
from newsloom.stories.store.corrections import StoryCorrections
from newsloom.stories.store.pages import StoryPages, foreign
from newsloom.stories.store.questions import StoryQuestions
from newsloom.stories.store.tables import stories, story_parents
from newsloom.stories.store.work import StoryWork
from newsloom.stories.values.stories import StoryId

# What several stories are parts of.

_STORIES, _PARENTS = stories.c, story_parents.c


class StoryStore(StoryWork, StoryPages, StoryCorrections, StoryAudit, StoryQuestions):
    """Stories, their members and centroids, the audit, readers' corrections, who follows what."""

    def story_parents(self) -> Mapping[int, tuple[StoryId, ...]]:
        """The children of every parent."""
        query = (
            select(_STORIES.parent_id, _STORIES.id)
            .where(_STORIES.parent_id.is_not(None))
            .order_by(_STORIES.id)
        )
        found: dict[int, list[StoryId]] = {}
        with self.database.read() as connection:
            for row in connection.execute(query):
                found.setdefault(row.parent_id, []).append(StoryId(row.id))
        return {parent: tuple(those) for parent, those in found.items()}

    def story_parent(
        self, parent: int, user: UserId | None = None
    ) -> tuple[str, tuple[StoryId, ...]] | None:
        """The title and the children of a parent; None: there is none.

        With a reader the title is "" where it may be made of feeds that they do not follow.
        """
        children = select(_STORIES.id).where(_STORIES.parent_id == parent)
        with self.database.read() as connection:
            title = connection.scalar(select(_PARENTS.title).where(_PARENTS.id == parent))
            if title is None:
                return None
            latest = children.order_by(_STORIES.latest.desc(), _STORIES.id)
            found = tuple(StoryId(one) for one in connection.scalars(latest))
            others = foreign(connection, user, found) if user is not None else ()
            return "" if others else title, found

    def parents_made(self) -> datetime | None:
        """When parents were last found; None: never."""
        query = select(_PARENTS.made_at).order_by(_PARENTS.made_at.desc()).limit(1)
        return self._value(query, datetime)

    def put_parents(
        self, groups: Sequence[tuple[int | None, str, Sequence[StoryId]]], now: datetime
    ) -> None:
        """In the place of all there are: the number of before or None, the title, the children."""
        with self.database.write() as connection:
            connection.execute(
                update(stories).where(_STORIES.parent_id.is_not(None)).values(parent_id=None)
            )
            kept = [number for number, _title, _those in groups if number is not None]
            connection.execute(delete(story_parents).where(_PARENTS.id.not_in(kept)))
            first = allocate_ids(connection, "story_parents", len(groups) or 1)
            for at, (number, title, those) in enumerate(groups):
                one = first + at if number is None else number
                values = {"title": title, "made_at": now, "latest": now}
                if number is None:
                    connection.execute(insert(story_parents).values(id=one, **values))
                else:
                    connection.execute(
                        update(story_parents).where(_PARENTS.id == one).values(**values)
                    )
                connection.execute(
                    update(stories).where(_STORIES.id.in_(list(those))).values(parent_id=one)
                )
