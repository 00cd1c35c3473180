"""News of stories that a reader follows, sent when they develop: not of each article, and not too
often.

A turn looks at every followed story together. After news there is a quiet time, in which what comes
is gathered; a reader gets so many a day at most, and what is above that comes later.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digests.followed import developments, key_of, news
from newsloom.digests.memory import by_key, remember
from newsloom.digests.service.digests import LATE, Composed
from newsloom.digests.service.followed_stories import PLACED, news_of
from newsloom.digests.values import DigestKind, Memory, Schedule
from newsloom.kernel.ids import ArticleId
from newsloom.stories import lifecycle
from newsloom.stories.values.pages import FollowedStory

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.settings import DigestSettings

DAY = timedelta(days=1)
# Between two looks while nothing came: articles of one event come within minutes of each other.
LOOK = timedelta(minutes=5)
# After a message, where the settings have no quiet time: another look at the same moment would not
# see it yet, and tell the same again.
LEAST_QUIET = timedelta(seconds=1)
# What was told of a story is remembered as long as it may come back.
REMEMBERED = lifecycle.REVIVABLE


@dataclass(frozen=True, slots=True)
class NewsBatch:
    """The message to send now, if any, when to check again, and the articles that rules send with
    it."""

    made: Composed | None
    next_at: datetime
    articles: tuple[ArticleId, ...] = ()


def collect(
    reader: Reader, schedule: Schedule, settings: DigestSettings, now: datetime
) -> NewsBatch:
    """What came of each followed story since it was told of, followed, or wanted to be told of."""
    past = reader.store.digests.memories(
        reader.user, kinds=(DigestKind.STORIES,), since=now - REMEMBERED, until=now
    )
    lately = sorted(end for end, _memory in past if end > now - DAY)
    if len(lately) >= settings.story_news_a_day:
        return NewsBatch(None, lately[-settings.story_news_a_day] + DAY)
    made = _composed(reader, schedule, past, now)
    if made is None:
        return NewsBatch(None, now + LOOK)
    return NewsBatch(made, now + quiet(settings))


def quiet(settings: DigestSettings) -> timedelta:
    """How long after a message there is none."""
    return max(timedelta(minutes=settings.story_quiet_minutes), LEAST_QUIET)


def _composed(
    reader: Reader, schedule: Schedule, past: tuple[tuple[datetime, Memory], ...], now: datetime
) -> Composed | None:
    begun = schedule.begun or schedule.next_at
    last = {one.key: end for end, memory in reversed(past) for one in memory.topics}

    def told(story: FollowedStory) -> datetime:
        moment = max(begun, story.since or begun)
        end = last.get(key_of(story.story, story.thread))
        # What was told of it since is remembered, so that a little may be looked at again.
        return moment if end is None else max(moment, end - PLACED)

    found = news_of(reader, told, now, LATE)
    memories = [memory for _end, memory in past]
    said = [one for memory in memories for one in memory.told]
    topics = developments(found, DigestKind.STORIES, by_key(memories), said)
    if not topics:
        return None
    newest = reader.store.lists.newest_article()
    sentences = (one.text for topic in topics for one in topic.summary)
    keys = {one.key for one in topics}
    groups = [one.group for one in found if one.group.key in keys]
    begin = min(max(begun, past[0][0] if past else begun), now - LOOK)
    return Composed(
        news(topics, begin, now, schedule.zone, reader.address),
        remember(groups, keys, newest, sentences),
    )
