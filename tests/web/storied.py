"""Stories in a world: one with all a story can have, another of its thread, one muted."""

from __future__ import annotations

from datetime import timedelta

from newsloom.kernel.ids import ArticleId
from newsloom.stories.values.pages import (
    CorrectionKind,
    Membership,
    OfferedStory,
    StoryChanges,
    StoryChoice,
    StoryDecision,
    StoryId,
    StoryWording,
    ThreadId,
)
from newsloom.stories.values.threads import ThreadCandidate, ThreadChanges, ThreadDecision
from web.world import World

WHOLE, SIBLING, MUTED = StoryId(1), StoryId(2), StoryId(3)


def storied(world: World, *first: ArticleId) -> None:
    """`first` are of the story that has everything, beside others that are there."""
    store, now = world.store.stories, world.now
    ids = [*first, *(one for one in world.ids(unread_only=False, limit=60) if one not in first)]
    those = [WHOLE] * 5 + [SIBLING] * 3 + [MUTED] * 2
    places = dict(zip(ids, those, strict=False))
    offered = (OfferedStory(SIBLING, "Another tide", 0.41, 0.52),)
    store.put_stories(
        "stories@test",
        "none@1",
        StoryChanges(
            store.story_generation(),
            tuple((story, now - timedelta(days=3)) for story in (WHOLE, SIBLING, MUTED)),
            tuple(Membership(one, story, 0.8) for one, story in places.items()),
            decisions=tuple(
                StoryDecision(
                    now, StoryChoice.ASSIGN, story, one, candidates=offered, reason="Like it."
                )
                for one, story in places.items()
            ),
        ),
        now - timedelta(hours=2),
    )
    store.put_story_words(
        [
            StoryWording(
                WHOLE, "The tide tables", "article", "New tide tables name 12 gauges.", "article", 5
            ),
            StoryWording(SIBLING, "The pilots", "article", "", "article", 3),
        ]
    )
    threaded(world, WHOLE, SIBLING)
    store.set_story_subscription(world.user, WHOLE, 1)
    store.set_story_subscription(world.user, MUTED, -1)
    store.look_at_story(world.user, WHOLE, now - timedelta(days=1))
    parted = store.part_from_story(
        world.user, SIBLING, [ids[5]], CorrectionKind.SPLIT, now - timedelta(hours=1)
    )
    assert parted is not None


def threaded(world: World, *those: StoryId) -> None:
    """A thread of some stories."""
    store = world.store.stories
    generation, last = store.thread_generation()
    thread = ThreadId(last + 1)
    decisions = tuple(
        ThreadDecision(
            world.now,
            StoryChoice.ASSIGN,
            story,
            thread,
            candidates=(ThreadCandidate(ThreadId(9), 0.31, 0.42),),
        )
        for story in those
    )
    assert store.put_threads(ThreadChanges(generation, decisions, {}), world.now)
