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

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a story.")]

router = made("Stories")


class Band(StrEnum):
    """How much goes on in a story."""

    HOT = stories.HOT
    DEVELOPING = stories.DEVELOPING
    QUIET = stories.QUIET
    ARCHIVED = stories.ARCHIVED


class Stand(StrEnum):
    """How you stand to a story."""

    FOLLOW = "follow"
    MUTE = "mute"
    NONE = "none"


_STANDS = {Stand.FOLLOW: FOLLOWS, Stand.MUTE: MUTED, Stand.NONE: 0}
_STAND_OF = {number: name for name, number in _STANDS.items()}


class Story(ApiModel):
    """A story in a list."""

    id: int = Field(
        validation_alias=AliasPath("head", "id"),
        description="Its number; it leads on where the story went into another.",
    )
    title: Title = Field(description="Its title.")
    summary: Annotated[str, at_most(2_000)] = Field(
        validation_alias=AliasPath("head", "summary"),
        description="A few sentences; empty until there are any.",
    )
    band: Band = Field(description="How much goes on in it.")
    heat: Points = Field(description="The same as a number.")
    articles: int = Field(description="How many articles of it your feeds have.")
    sources: int = Field(description="How many hosts published them.")
    new: int = Field(description="How many joined since you looked at it last.")
    began: datetime = Field(
        validation_alias=AliasPath("head", "began"), description="The date of its first article."
    )
    latest: datetime = Field(
        validation_alias=AliasPath("head", "latest"), description="The date of its newest article."
    )
    stand: Annotated[Stand, BeforeValidator(lambda stand: _STAND_OF.get(stand, stand))] = Field(
        description="How you stand to it."
    )


class StoryList(ApiModel):
    """Stories."""

    items: list[Story] = Field(description="Those that you follow first, then the hottest.")


class StoryArticle(ApiModel):
    """An article of a story."""

    id: int = Field(validation_alias="article", description="Its number.")
    title: Title = Field(description="Its title.")
    url: Address = Field(description="Its address.")
    source: Host = Field(description="The host that published it.")
    language: str = Field(description="Its language tag.")
    published: datetime = Field(validation_alias="dated", description="Its date.")
    read: bool = Field(description="Whether you have read it.")
    new: bool = Field(description="Whether it joined since you looked last.")
    probability: Annotated[float, digits(4)] = Field(
        description="That it belongs to the story, 0 to 1."
    )


class ChangedHeadline(ApiModel):
    """A title that was changed."""

    article_id: int = Field(validation_alias="article", description="Of which article.")
    source: Host = Field(description="Who changed it.")
    seen: datetime = Field(description="When the later one was seen.")
    before: Title = Field(description="What it was.")
    after: Title = Field(description="What it became.")


class Thread(ApiModel):
    """A thread in a list: the stories of one narrative over weeks."""

    id: int = Field(
        validation_alias=AliasPath("head", "id"),
        description="Its number; it leads on where the thread went into another.",
    )
    title: Title = Field(description="The title of its largest story.")
    stories: list[int] = Field(description="The numbers of its stories, the newest first.")
    articles: int = Field(description="How many articles of it your feeds have.")
    sources: int = Field(description="How many hosts published them.")
    began: datetime = Field(description="The date of its first article.")
    latest: datetime = Field(description="The date of its newest article.")
    stand: Annotated[Stand, BeforeValidator(lambda stand: _STAND_OF.get(stand, stand))] = Field(
        description="How you stand to it."
    )


class WholeStory(Story):
    """A story with its articles."""

    members: list[StoryArticle] = Field(description="Its articles by date, the first report first.")
    headlines: list[ChangedHeadline] = Field(description="How titles changed.")
    thread: Thread | None = Field(description="The thread that it is part of; null: none.")


class StoryStand(ApiModel):
    """How you stand to a story."""

    stand: Stand = Field(description="What it is to be from now on.")


class StoryRefs(ApiModel):
    """A story, by its number."""

    story: Id = Field(description="The number of the story.")


class Parted(ApiModel):
    """Articles that are to leave a story."""

    articles: Annotated[list[Id], Field(min_length=1, max_length=1_000)] = Field(
        description="The numbers of articles of it."
    )


class Offered(ApiModel):
    """A story that an article might have joined."""

    story: int = Field(description="Its number.")
    title: Cleaned = Field(description="Its title then.")
    probability: Annotated[float, digits(4)] = Field(
        description="That the article belongs to it, 0 to 1."
    )


class Decision(ApiModel):
    """One decision on stories."""

    at: datetime = Field(description="When.")
    choice: StoryChoice = Field(description="What was done.")
    story: int | None = Field(description="The story that was chosen.")
    article: int | None = Field(description="The article; null: a whole story.")
    other: int | None = Field(description="The story that was left, or merged into it.")
    candidates: list[Offered] = Field(description="What it was chosen from.")
    reason: Cleaned = Field(description="Why.")
    confidence: Annotated[float, digits(4)] = Field(description="How sure, 0 to 1.")
    judge: str = Field(description="Who decided: a model, or `reader`.")
    prompt: str = Field(description="The version of the prompt of a language model.")


class Decisions(ApiModel):
    """The audit of stories."""

    items: list[Decision] = Field(description="The newest first.")


Way = Annotated[Band | None, Query(description="Only these; unless said, all but archived ones.")]
Muted = Annotated[bool, Query(description="Those that you muted, in place of the others.")]


@router.get("/stories")
def list_stories(site: Here, band: Way = None, muted: Muted = False) -> StoryList:
    """What goes on in your feeds, story by story."""
    found = stories.lines(site.reader, band.value if band else "", muted=muted)
    return StoryList(items=[Story.model_validate(one) for one in found])


@router.get("/stories/decisions")
def list_story_decisions(
    site: Here,
    story: Annotated[Id | None, Query(description="Only on this story.")] = None,
    article: Annotated[Id | None, Query(description="Only on this article.")] = None,
) -> Decisions:
    """Which article was put into which story, when, by whom and why."""
    found = stories.decisions(
        site.reader, story=story, article=None if article is None else ArticleId(article)
    )
    return Decisions(items=[Decision.model_validate(one) for one in found])


@router.get("/stories/notifications")
def get_story_notifications(site: Here) -> Notifications:
    """Where news of the stories that you follow is sent."""
    return notifications(schedules.news_schedule(site.reader, DigestKind.STORIES))


@router.put("/stories/notifications")
def set_story_notifications(site: Here, wanted: Notifications) -> Notifications:
    """Have news of the stories that you follow sent when they develop."""
    targets = [one.value for one in wanted.targets]
    return notifications(schedules.send_news(site.reader, DigestKind.STORIES, wanted.zone, targets))


@router.get("/stories/{number}")
def get_story(site: Here, number: Number) -> WholeStory:
    """One story with its articles. What is new in it stays new until you say that you looked."""
    return _whole(stories.view(site.reader, number))


@router.put("/stories/{number}/stand", status_code=status.HTTP_204_NO_CONTENT)
def set_story_stand(site: Here, number: Number, wanted: StoryStand) -> None:
    """Follow a story, mute it, or neither."""
    stories.stand(site.reader, number, _STANDS[wanted.stand])


@router.post("/stories/{number}/looked", status_code=status.HTTP_204_NO_CONTENT)
def look_at_story(site: Here, number: Number) -> None:
    """Say that you have seen what it has: what joins from now on is new. It teaches nothing."""
    stories.look(site.reader, number)


@router.post("/stories/{number}/read")
def read_story(site: Here, number: Number) -> Marked:
    """Mark all articles of a story read, as one step for undo. It teaches nothing."""
    return Marked(changed=len(stories.read_whole(site.reader, number, VIA)), unknown=[])


@router.post("/stories/{number}/split")
def split_story(site: Here, number: Number, wanted: Parted) -> StoryRefs:
    """Move articles of a story into a story of their own, for good. Which it is."""
    new = stories.split(site.reader, number, wanted.articles, CorrectionKind.SPLIT)
    return StoryRefs(story=new)


@router.post("/stories/{number}/merge")
def merge_story(site: Here, number: Number, wanted: StoryRefs) -> StoryRefs:
    """Merge a story into another, for good. Which it is."""
    return StoryRefs(story=stories.merge(site.reader, number, wanted.story))


@router.put("/articles/{number}/story", status_code=status.HTTP_204_NO_CONTENT)
def set_article_story(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of an article.")],
    wanted: StoryRefs,
) -> None:
    """Move an article into a story, for good."""
    stories.belongs(site.reader, number, wanted.story)


class ThreadList(ApiModel):
    """Threads."""

    items: list[Thread] = Field(description="Those that you follow first, then the latest.")


class ThreadStory(ApiModel):
    """A story of a thread."""

    id: int = Field(validation_alias=AliasPath("head", "id"), description="Its number.")
    title: Title = Field(description="Its title.")
    summary: Annotated[str, at_most(2_000)] = Field(
        validation_alias=AliasPath("head", "summary"), description="A few sentences, or empty."
    )
    began: datetime = Field(
        validation_alias=AliasPath("first", "dated"), description="The date of its first article."
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

    thread: int = Field(description="Its number.")
    link: Annotated[float, digits(4)] = Field(description="The mean score of its nearest stories.")


class ThreadDecision(ApiModel):
    """One decision on threads."""

    at: datetime = Field(description="When.")
    choice: StoryChoice = Field(description="What was done.")
    story: int = Field(description="The story.")
    thread: int = Field(description="The thread that was chosen.")
    other: int | None = Field(description="The thread that was left.")
    candidates: list[ComparedThread] = Field(description="What it was chosen from.")
    reason: Cleaned = Field(description="Why.")
    judge: str = Field(description="Who decided: a model, or `reader`.")


class ThreadDecisions(ApiModel):
    """The audit of a thread."""

    items: list[ThreadDecision] = Field(description="The newest first.")


ThreadNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a thread.")]


@router.get("/threads")
def list_threads(
    site: Here,
    muted: Annotated[
        bool, Query(description="Those that you muted, in place of the others.")
    ] = False,
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


@router.put("/threads/{number}/stand", status_code=status.HTTP_204_NO_CONTENT)
def set_thread_stand(site: Here, number: ThreadNumber, wanted: StoryStand) -> None:
    """Follow a thread, mute it, or neither: all its stories, now and to come."""
    threads.stand(site.reader, number, _STANDS[wanted.stand])


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
    """Undo a split or a merge of yours. Which thread its stories are in again."""
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
