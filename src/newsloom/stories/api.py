"""Stories: what goes on, one of them whole, and how you stand to it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from fastapi import Path, Query, status
from pydantic import AliasPath, BeforeValidator, Field

from newsloom.api.route import VIA
from newsloom.api.route import router as made
from newsloom.digests.api import Notifications, notifications
from newsloom.digests.service import schedules
from newsloom.digests.values import DigestKind
from newsloom.kernel.ids import ArticleId
from newsloom.reading.api.marks import Marked
from newsloom.reading.api.params import ApiModel, Id
from newsloom.reading.api.shapes import Address, Cleaned, Host, Points, Title, at_most, digits
from newsloom.stories.service import stories, threads
from newsloom.stories.service.stories import FOLLOWS, MUTED, StoryView
from newsloom.stories.values.pages import CorrectionKind, StoryChoice, StoryMember
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Story ID.")]

router = made("Stories")


class StoryBand(StrEnum):
    """How much goes on in a story."""

    HOT = stories.HOT
    DEVELOPING = stories.DEVELOPING
    QUIET = stories.QUIET
    ARCHIVED = stories.ARCHIVED


class Subscription(StrEnum):
    """How you stand to a story."""

    FOLLOW = "follow"
    MUTE = "mute"
    NONE = "none"


_SUBSCRIPTIONS = {Subscription.FOLLOW: FOLLOWS, Subscription.MUTE: MUTED, Subscription.NONE: 0}
_SUBSCRIPTION_OF = {number: name for name, number in _SUBSCRIPTIONS.items()}


class Story(ApiModel):
    """A story in a list."""

    id: int = Field(
        validation_alias=AliasPath("head", "id"),
        description="ID; stays valid after a merge.",
    )
    title: Title = Field(description="Title.")
    summary: Annotated[str, at_most(2_000)] = Field(
        validation_alias=AliasPath("head", "summary"),
        description="A few sentences; empty until there are any.",
    )
    band: StoryBand = Field(description="Level of activity.")
    heat: Points = Field(description="Level of activity, as a number.")
    articles: int = Field(description="Number of its articles in your feeds.")
    sources: int = Field(description="Number of publishers.")
    new: int = Field(description="Number that joined since your last visit.")
    began: datetime = Field(
        validation_alias=AliasPath("head", "began"), description="Date of its first article."
    )
    latest: datetime = Field(
        validation_alias=AliasPath("head", "latest"), description="Date of its newest article."
    )
    subscription: Annotated[
        Subscription, BeforeValidator(lambda kind: _SUBSCRIPTION_OF.get(kind, kind))
    ] = Field(description="Your subscription: follow, mute or none.")


class StoryList(ApiModel):
    """Stories."""

    items: list[Story] = Field(description="Followed ones first, then the hottest.")


class StoryArticle(ApiModel):
    """An article of a story."""

    id: int = Field(validation_alias="article", description="ID.")
    title: Title = Field(description="Title.")
    url: Address = Field(description="URL.")
    source: Host = Field(description="Host of the publisher.")
    language: str = Field(description="Language tag.")
    published: datetime = Field(validation_alias="dated", description="Publication date.")
    read: bool = Field(description="Whether it is read.")
    new: bool = Field(description="Whether it joined since your last visit.")
    probability: Annotated[float, digits(4)] = Field(
        description="Probability that it belongs to the story, 0 to 1."
    )


class ChangedHeadline(ApiModel):
    """A title that was changed."""

    article_id: int = Field(validation_alias="article", description="Article ID.")
    source: Host = Field(description="Publisher that changed it.")
    seen: datetime = Field(description="When the later version was seen.")
    before: Title = Field(description="Previous title.")
    after: Title = Field(description="New title.")


class Thread(ApiModel):
    """A thread in a list: the stories of one narrative over weeks."""

    id: int = Field(
        validation_alias=AliasPath("head", "id"),
        description="Its number; it leads on where the thread went into another.",
    )
    title: Title = Field(description="The title of its largest story.")
    stories: list[int] = Field(description="The numbers of its stories, the newest first.")
    articles: int = Field(description="Number of its articles in your feeds.")
    sources: int = Field(description="Number of publishers.")
    began: datetime = Field(description="Date of its first article.")
    latest: datetime = Field(description="Date of its newest article.")
    subscription: Annotated[
        Subscription, BeforeValidator(lambda kind: _SUBSCRIPTION_OF.get(kind, kind))
    ] = Field(description="Your subscription: follow, mute or none.")


class WholeStory(Story):
    """A story with its articles."""

    members: list[StoryArticle] = Field(description="Articles by date, oldest first.")
    headlines: list[ChangedHeadline] = Field(description="Changes of titles.")
    thread: Thread | None = Field(description="The thread that it is part of; null: none.")


class SubscriptionChange(ApiModel):
    """How you stand to a story."""

    subscription: Subscription = Field(description="New subscription.")


class StoryRefs(ApiModel):
    """A story, by its number."""

    story: Id = Field(description="Story ID.")


class Parted(ApiModel):
    """Articles that are to leave a story."""

    articles: Annotated[list[Id], Field(min_length=1, max_length=1_000)] = Field(
        description="IDs of its articles."
    )


class Offered(ApiModel):
    """A story that an article might have joined."""

    story: int = Field(description="ID.")
    title: Cleaned = Field(description="Title at that time.")
    probability: Annotated[float, digits(4)] = Field(
        description="Probability that the article belongs to it, 0 to 1."
    )


class Decision(ApiModel):
    """One decision on stories."""

    at: datetime = Field(description="Time.")
    choice: StoryChoice = Field(description="What was done.")
    story: int | None = Field(description="Chosen story.")
    article: int | None = Field(description="Article; null: a whole story.")
    other: int | None = Field(description="Previous story, or the one merged into it.")
    candidates: list[Offered] = Field(description="Stories it was chosen from.")
    reason: Cleaned = Field(description="Reason.")
    confidence: Annotated[float, digits(4)] = Field(description="Confidence, 0 to 1.")
    judge: str = Field(description="What decided: a model, or `reader`.")
    prompt: str = Field(description="The version of the prompt of a language model.")


class Decisions(ApiModel):
    """The audit of stories."""

    items: list[Decision] = Field(description="Newest first.")


Way = Annotated[StoryBand | None, Query(description="Only these; default: all but archived ones.")]
Muted = Annotated[bool, Query(description="Muted ones instead of the others.")]


@router.get("/stories")
def list_stories(site: Here, band: Way = None, muted: Muted = False) -> StoryList:
    """The stories in your feeds."""
    found = stories.lines(site.reader, band.value if band else "", muted=muted)
    return StoryList(items=[Story.model_validate(one) for one in found])


@router.get("/stories/decisions")
def list_story_decisions(
    site: Here,
    story: Annotated[Id | None, Query(description="Only on this story.")] = None,
    article: Annotated[Id | None, Query(description="Only on this article.")] = None,
) -> Decisions:
    """Decisions on which article belongs to which story, with reasons."""
    found = stories.decisions(
        site.reader, story=story, article=None if article is None else ArticleId(article)
    )
    return Decisions(items=[Decision.model_validate(one) for one in found])


@router.get("/stories/notifications")
def get_story_notifications(site: Here) -> Notifications:
    """Where notifications of followed stories are sent."""
    return notifications(schedules.news_schedule(site.reader, DigestKind.STORIES))


@router.put("/stories/notifications")
def set_story_notifications(site: Here, wanted: Notifications) -> Notifications:
    """Set where notifications of followed stories are sent."""
    targets = [one.value for one in wanted.targets]
    return notifications(schedules.send_news(site.reader, DigestKind.STORIES, wanted.zone, targets))


@router.get("/stories/{number}")
def get_story(site: Here, number: Number) -> WholeStory:
    """One story with its articles. New articles stay new until you mark the story as visited."""
    return _whole(stories.view(site.reader, number))


@router.put("/stories/{number}/subscription", status_code=status.HTTP_204_NO_CONTENT)
def set_story_subscription(site: Here, number: Number, wanted: SubscriptionChange) -> None:
    """Follow a story, mute it, or neither."""
    stories.set_subscription(site.reader, number, _SUBSCRIPTIONS[wanted.subscription])


@router.post("/stories/{number}/looked", status_code=status.HTTP_204_NO_CONTENT)
def look_at_story(site: Here, number: Number) -> None:
    """Mark a story as visited: articles that join later are new. It trains nothing."""
    stories.look(site.reader, number)


@router.post("/stories/{number}/read")
def read_story(site: Here, number: Number) -> Marked:
    """Mark all articles of a story as read, as one undo step. It trains nothing."""
    return Marked(changed=len(stories.read_whole(site.reader, number, VIA)), unknown=[])


@router.post("/stories/{number}/split")
def split_story(site: Here, number: Number, wanted: Parted) -> StoryRefs:
    """Move articles of a story into a new one, permanently. Returns the new story."""
    new = stories.split(site.reader, number, wanted.articles, CorrectionKind.SPLIT)
    return StoryRefs(story=new)


@router.post("/stories/{number}/merge")
def merge_story(site: Here, number: Number, wanted: StoryRefs) -> StoryRefs:
    """Merge a story into another, permanently. Returns that story."""
    return StoryRefs(story=stories.merge(site.reader, number, wanted.story))


@router.put("/articles/{number}/story", status_code=status.HTTP_204_NO_CONTENT)
def set_article_story(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")],
    wanted: StoryRefs,
) -> None:
    """Move an article into a story, permanently."""
    stories.belongs(site.reader, number, wanted.story)


class ThreadList(ApiModel):
    """Threads."""

    items: list[Thread] = Field(description="Those that you follow first, then the latest.")


class ThreadStory(ApiModel):
    """A story of a thread."""

    id: int = Field(validation_alias=AliasPath("head", "id"), description="ID.")
    title: Title = Field(description="Title.")
    summary: Annotated[str, at_most(2_000)] = Field(
        validation_alias=AliasPath("head", "summary"), description="A few sentences, or empty."
    )
    began: datetime = Field(
        validation_alias=AliasPath("first", "dated"), description="Date of its first article."
    )
    first_source: Host = Field(
        validation_alias=AliasPath("first", "source"), description="Who reported it first."
    )
    sources: int = Field(description="How many hosts published it.")


class WholeThread(Thread):
    """A thread with its stories."""

    events: list[ThreadStory] = Field(description="Its stories by date.")
    corrections: list[int] = Field(description="Your corrections that you can undo, by number.")


class ThreadRef(ApiModel):
    """A thread, by its number."""

    thread: Id = Field(description="The number of the thread.")


class SplitStories(ApiModel):
    """Stories that are to leave a thread."""

    stories: Annotated[list[Id], Field(min_length=1, max_length=1_000)] = Field(
        description="The numbers of stories of it."
    )


class ComparedThread(ApiModel):
    """A thread that a story might have joined."""

    thread: int = Field(description="ID.")
    link: Annotated[float, digits(4)] = Field(description="The mean score of its nearest stories.")


class ThreadDecision(ApiModel):
    """One decision on threads."""

    at: datetime = Field(description="Time.")
    choice: StoryChoice = Field(description="What was done.")
    story: int = Field(description="The story.")
    thread: int = Field(description="The thread that was chosen.")
    other: int | None = Field(description="The thread that was left.")
    candidates: list[ComparedThread] = Field(description="Stories it was chosen from.")
    reason: Cleaned = Field(description="Reason.")
    judge: str = Field(description="What decided: a model, or `reader`.")


class ThreadDecisions(ApiModel):
    """The audit of a thread."""

    items: list[ThreadDecision] = Field(description="Newest first.")


ThreadNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a thread.")]


@router.get("/threads")
def list_threads(
    site: Here,
    muted: Annotated[bool, Query(description="Muted ones instead of the others.")] = False,
) -> ThreadList:
    """Narratives over weeks, of two stories or more in your feeds."""
    found = threads.lines(site.reader, muted=muted)
    return ThreadList(items=[Thread.model_validate(one) for one in found])


@router.get("/threads/{number}")
def get_thread(site: Here, number: ThreadNumber) -> WholeThread:
    """One thread with its stories by date."""
    found = threads.view(site.reader, number)
    return WholeThread.model_validate(
        {
            **dict(Thread.model_validate(found.line)),
            "events": found.events,
            "corrections": [one.act for one in found.corrections if one.undone is None],
        }
    )


@router.get("/threads/{number}/decisions")
def list_thread_decisions(site: Here, number: ThreadNumber) -> ThreadDecisions:
    """Which story was put into the thread or out of it, when, by whom and why."""
    found = threads.decisions(site.reader, number)
    return ThreadDecisions(items=[ThreadDecision.model_validate(one) for one in found])


@router.put("/threads/{number}/subscription", status_code=status.HTTP_204_NO_CONTENT)
def set_thread_subscription(site: Here, number: ThreadNumber, wanted: SubscriptionChange) -> None:
    """Follow a thread, mute it, or neither: all its stories, now and to come."""
    threads.set_subscription(site.reader, number, _SUBSCRIPTIONS[wanted.subscription])


@router.post("/threads/{number}/split")
def split_thread(site: Here, number: ThreadNumber, wanted: SplitStories) -> ThreadRef:
    """Move stories of a thread into a thread of their own. Which it is."""
    return ThreadRef(thread=threads.split(site.reader, number, wanted.stories))


@router.post("/threads/{number}/merge")
def merge_thread(site: Here, number: ThreadNumber, wanted: ThreadRef) -> ThreadRef:
    """Merge a thread into another. Which it is."""
    return ThreadRef(thread=threads.merge(site.reader, number, wanted.thread))


@router.post("/threads/corrections/{number}/undo")
def undo_thread_correction(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a correction.")],
) -> ThreadRef:
    """Undo your split or merge. Returns the thread that has the stories again."""
    return ThreadRef(thread=threads.undo(site.reader, number))


def _whole(found: StoryView) -> WholeStory:
    return WholeStory.model_validate(
        {
            **dict(Story.model_validate(found.line)),
            "members": [_member(one, found) for one in found.members],
            "headlines": found.headlines,
            "thread": found.thread,
        }
    )


def _member(one: StoryMember, found: StoryView) -> StoryArticle:
    return StoryArticle(
        id=one.article,
        title=one.title,
        url=one.url,
        source=one.source,
        language=one.language,
        published=one.dated,
        read=one.read,
        new=one.article in found.new,
        probability=one.probability,
    )
