"""Calls of `store.stories`; those of them that only read."""

from __future__ import annotations

from newsloom.kernel.ids import ArticleId
from newsloom.stories.values.pages import (
    CorrectionKind,
    StoryChanges,
    StoryChoice,
    StoryId,
    StoryWording,
    ThreadId,
)
from newsloom.stories.values.threads import ThreadChanges, ThreadDecision
from store.builders import NOW

from .made import LEASE, ONE, USER


def a_story(store):
    """The number of a story that is there."""
    begun = StoryChanges(
        store.stories.story_generation(),
        begun=((StoryId(store.stories.last_story() + 1), NOW),),
    )
    store.stories.put_stories("m", "encoder@1", begun, NOW)
    return StoryId(store.stories.last_story())


def story_stand(store):
    store.stories.set_story_subscription(USER, a_story(store), 1)


def event_terms(store):
    store.stories.put_event_terms({a_story(store): b""})


def thread_stand(store):
    _generation, last = store.stories.thread_generation()
    begun = ThreadDecision(NOW, StoryChoice.NEW, a_story(store), ThreadId(last + 1))
    changes = ThreadChanges(store.stories.thread_generation()[0], (begun,), {})
    store.stories.put_threads(changes, NOW)
    store.stories.set_thread_subscription(USER, begun.thread, 1)


CALLS = {
    "leased_stories": lambda s: s.stories.leased_stories(LEASE),
    "story_articles": lambda s: s.stories.story_articles([ONE]),
    "stories_between": lambda s: s.stories.stories_between(NOW, NOW, 1),
    "newest_members": lambda s: s.stories.newest_members([StoryId(1)], 1),
    "story_centroids": lambda s: s.stories.story_centroids(
        "encoder@1", since=NOW, until=NOW, least=1, limit=1
    ),
    "judge_stories_again": lambda s: s.stories.judge_stories_again(ArticleId(0), 9),
    "stories_awaited": lambda s: s.stories.stories_awaited(ONE),
    "stories_after": lambda s: s.stories.stories_after(ArticleId(0)),
    "last_story": lambda s: s.stories.last_story(),
    "apart": lambda s: s.stories.apart(),
    "put_stories": lambda s: s.stories.put_stories("m", "encoder@1", StoryChanges(0), NOW),
    "age_stories": lambda s: s.stories.age_stories(NOW, cooling=NOW, archived=NOW),
    "count_centroids": lambda s: s.stories.count_centroids("encoder@1", NOW, 1),
    "story": lambda s: s.stories.story(StoryId(1)),
    "stories_of": lambda s: s.stories.stories_of([ONE]),
    "story_heads": lambda s: s.stories.story_heads(),
    "visible_members": lambda s: s.stories.visible_members(USER, [StoryId(1)]),
    "earlier_headlines": lambda s: s.stories.earlier_headlines([ONE]),
    "story_subscriptions": lambda s: s.stories.story_subscriptions(USER),
    "followed_articles": lambda s: s.stories.followed_articles(USER, [ONE]),
    "stood_articles": lambda s: s.stories.stood_articles(USER, [ONE]),
    "followed_news": lambda s: s.stories.followed_news(USER),
    "set_story_subscription": story_stand,
    "look_at_story": lambda s: s.stories.look_at_story(USER, a_story(s), NOW),
    "unworded_stories": lambda s: s.stories.unworded_stories(NOW, least=2, more=3, limit=1),
    "put_story_words": lambda s: s.stories.put_story_words(
        [StoryWording(StoryId(1), "title", "by", "summary", "by", 2)]
    ),
    "part_from_story": lambda s: s.stories.part_from_story(
        USER, StoryId(1), [ONE], CorrectionKind.NOT_IN, NOW
    ),
    "put_into_story": lambda s: s.stories.put_into_story(USER, ONE, StoryId(1), NOW),
    "merge_stories": lambda s: s.stories.merge_stories(USER, StoryId(1), StoryId(2), NOW),
    "story_corrections": lambda s: s.stories.story_corrections(StoryId(1)),
    "story_decisions": lambda s: s.stories.story_decisions(article=ONE, story=StoryId(1)),
    "story_generation": lambda s: s.stories.story_generation(),
    "stories_decided": lambda s: s.stories.stories_decided(0, 1),
    "unthreaded": lambda s: s.stories.unthreaded("e", NOW, 1),
    "unchecked": lambda s: s.stories.unchecked("e", since=NOW, before=NOW, limit=1),
    "threaded_events": lambda s: s.stories.threaded_events("e", NOW, NOW, 1),
    "stored_events": lambda s: s.stories.stored_events("e", [StoryId(1)]),
    "put_event_terms": event_terms,
    "drop_event_terms": lambda s: s.stories.drop_event_terms(NOW, 1),
    "first_titles": lambda s: s.stories.first_titles([StoryId(1)]),
    "thread_generation": lambda s: s.stories.thread_generation(),
    "put_threads": lambda s: s.stories.put_threads(ThreadChanges(0, (), {}), NOW),
    "checked_threads": lambda s: s.stories.checked_threads([StoryId(1)], NOW),
    "thread": lambda s: s.stories.thread(ThreadId(1)),
    "thread_stories": lambda s: s.stories.thread_stories([ThreadId(1)], 1),
    "thread_heads": lambda s: s.stories.thread_heads(since=NOW, limit=1),
    "thread_subscriptions": lambda s: s.stories.thread_subscriptions(USER),
    "set_thread_subscription": thread_stand,
    "move_stories": lambda s: s.stories.move_stories(USER, [StoryId(1)], None, NOW),
    "undo_thread_act": lambda s: s.stories.undo_thread_act(USER, 1, NOW),
    "thread_corrections": lambda s: s.stories.thread_corrections(ThreadId(1)),
    "thread_decisions": lambda s: s.stories.thread_decisions(ThreadId(1), 1),
}
READS = {
    "stories_after",
    "stories_awaited",
    "age_stories",
    "apart",
    "count_centroids",
    "earlier_headlines",
    "followed_articles",
    "followed_news",
    "last_story",
    "leased_stories",
    "newest_members",
    "stood_articles",
    "stories_between",
    "stories_decided",
    "stories_of",
    "story",
    "story_articles",
    "story_centroids",
    "story_corrections",
    "story_decisions",
    "story_generation",
    "story_heads",
    "story_subscriptions",
    "unworded_stories",
    "unthreaded",
    "unchecked",
    "threaded_events",
    "stored_events",
    "first_titles",
    "thread_generation",
    "thread",
    "thread_stories",
    "thread_heads",
    "thread_subscriptions",
    "thread_corrections",
    "thread_decisions",
    "visible_members",
}
