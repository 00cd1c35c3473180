"""What following or muting a story does to an article of it, as the page "why" says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsloom.ranking.scoring import RAISE
from newsloom.ranking.values.models import Reason, StorySubscription

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.reading.values.reading import Listed

# Relevance is 0 to 100: at the top a raise is cut off.
_TOP = 99.95


def subscription_of(reader: Reader, listed: Listed) -> StorySubscription | None:
    """How the reader stands to the article's story; None: there is none, or they said nothing."""
    story = reader.store.stories.stories_of([listed.id]).get(listed.id)
    how = (
        None if story is None else reader.store.stories.story_subscriptions(reader.user).get(story)
    )
    if story is None or how is None or not how.stand:
        return None
    head = reader.store.stories.story(story, reader.user)
    title = (head.title if head else "") or listed.title
    return StorySubscription(story, title, how.stand, RAISE if how.stand > 0 else 0.0)


def lift(subscription: StorySubscription | None, relevance: float, without: float) -> float:
    """How much of a relevance is the raise of a followed story, where it is `without` that
    otherwise; 0 where the article was scored before it was followed."""
    if subscription is None or subscription.subscription <= 0:
        return 0.0
    left_open = relevance - without
    if relevance >= _TOP:
        return min(max(left_open, 0.0), RAISE)
    return RAISE if left_open > RAISE / 2 else 0.0


def reason(subscription: StorySubscription, lifted: float) -> Reason:
    """The line of it among what makes the relevance."""
    if subscription.subscription < 0:
        words = f"you muted its story “{subscription.title}”: read at once, unless starred or rated"
    elif lifted:
        words = f"you follow its story “{subscription.title}”"
    else:
        title = subscription.title
        words = f"you follow its story “{title}”; the next pass adds {RAISE:g} points for it"
    return Reason("story", words, lifted, story=subscription.story)
