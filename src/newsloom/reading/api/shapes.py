"""Articles as programs see them: the values of the store by their attributes, and what a publisher
wrote cleaned as for the pages. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, AliasPath, BeforeValidator, Field

from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import alone
from newsloom.kernel.text.html import sanitize, to_text
from newsloom.reading.api.params import ApiModel
from newsloom.reading.values.reading import FullArticle
from newsloom.stories.service.stories import StoryLine
from newsloom.web.wording import TITLE_LENGTH, clean, web_address

LONGEST_TEXT = 200_000


def titled(title: str) -> str:
    """A title fit for one line; empty where there is none, as apps expect it."""
    return clean(title, TITLE_LENGTH)


def at_most(length: int) -> BeforeValidator:
    """Cleaned, on one line of so many characters."""
    return BeforeValidator(lambda text: clean(text, length))


def digits(count: int) -> AfterValidator:
    """Rounded to so many digits."""
    return AfterValidator(lambda number: round(number, count))


Title = Annotated[str, BeforeValidator(titled)]
Host = Annotated[str, at_most(120)]
Name = Annotated[str, at_most(200)]
Cleaned = Annotated[str, at_most(2_000)]
Address = Annotated[str, BeforeValidator(web_address)]
Points = Annotated[float, digits(3)]


class RowReport(ApiModel):
    """Another article of a row than the one shown."""

    id: int = Field(description="Its number.")
    title: Title = Field(description="Its title, on one line.")
    source: Host = Field(description="The host that published it.")
    feed_title: Name = Field(description="The feed that it came by.")
    published: datetime = Field(
        validation_alias="dated", description="Its date, never after it was first seen."
    )
    read: bool = Field(description="Whether you have read it.")
    same_text: bool = Field(description="Whether its text is that of the article shown.")


class RowCluster(ApiModel):
    """The reports of one event that a row stands for."""

    articles: int = Field(description="How many, with the one shown.")
    texts: int = Field(description="How many of them differ in their text.")
    sources: int = Field(description="How many hosts published them.")
    feeds: int = Field(description="How many feeds carry the text shown.")
    latest: datetime = Field(description="The date of the newest.")
    others: list[RowReport] = Field(description="The fullest of the others.")


class RowOfStory(ApiModel):
    """The story that a row stands for, where rows are stories."""

    id: int = Field(description="The number of the story.")
    title: Title = Field(description="Its title; empty until it has one.")
    articles: int = Field(description="How many articles of it your feeds have.")
    unread: int = Field(description="How many of them are unread.")
    sources: int = Field(description="How many hosts published them.")
    latest: datetime = Field(description="The date of the newest.")
    others: list[RowReport] = Field(description="The newest of the others.")


class OtherVersion(ApiModel):
    """An earlier or later version of the article, with a row of its own."""

    id: int = Field(description="Its number.")
    title: Title = Field(description="Its title.")
    later: bool = Field(description="Whether it is the later one.")


class Article(ApiModel):
    """One row of a list: an article shown once, however many feeds carry it."""

    id: int = Field(description="Its number, which never changes.")
    title: Title = Field(description="Its title, on one line; empty where there is none.")
    url: Address = Field(description="Its address (http or https); empty where it has none.")
    source: Host = Field(description="The host that published it, without `www`.")
    feed_id: int = Field(description="The feed that it came by.")
    feed_title: Name = Field(description="Your name for that feed.")
    author: Name = Field(description="Who wrote it; empty where it is not said.")
    language: str = Field(description="Its language tag; empty where it names none.")
    excerpt: Annotated[str, at_most(600)] = Field(description="Its first words, plain.")
    image: Address = Field(description="The address of a picture of it at its publisher, or empty.")
    published: datetime = Field(
        validation_alias="dated", description="Its date, never after it was first seen."
    )
    score: Points = Field(description="What ranks it for you now, 0 to 100.")
    relevance: Points = Field(description="The same before it aged, 0 to 100.")
    sensitivity: int = Field(description="How fast it expires: 1 evergreen to 5 urgent.")
    scored: bool = Field(description="False: no model has seen it yet.")
    importance: Points | None = Field(
        description="How much it matters now, 0 to 100; null where a list is not about it."
    )
    read: bool = Field(
        validation_alias=AliasPath("state", "read"), description="Whether you have read it."
    )
    starred: bool = Field(
        validation_alias=AliasPath("state", "starred"), description="Whether you starred it."
    )
    rating: int = Field(
        validation_alias=AliasPath("state", "rating"),
        description="1 liked, -1 disliked, 0 neither.",
    )
    links_elsewhere: bool = Field(
        description="Whether another site serves the link than the feed: its publisher is claimed."
    )
    also_in: int = Field(description="How many other feeds carry this very article.")
    lowered: bool = Field(
        validation_alias="demoted",
        description="Whether it is below a row with a lower score, to vary the feeds.",
    )
    cluster: RowCluster | None = Field(description="What else reports its event; null: nothing.")
    story: RowOfStory | None = Field(description="The story, where rows are stories.")
    version: OtherVersion | None = Field(description="Its newest other version.")


class Evidence(ApiModel):
    """Why two articles are held to be the same."""

    layer: str = Field(description="What found it: `url`, `title`, `simhash`, ...")
    score: Annotated[float, digits(4)] = Field(description="How sure, 0 to 1.")
    detail: Annotated[str, at_most(400)] = Field(description="What matched, in words.")


class ArticleCopy(ApiModel):
    """Where else the article appeared."""

    id: int = Field(description="Its number there; a mark of it is one of the article.")
    feed_title: Name = Field(description="The feed.")
    url: Address = Field(description="Its address there.")
    title: Title = Field(description="Its title there.")
    evidence: Annotated[
        Evidence | None, BeforeValidator(lambda found: found[0] if found else None)
    ] = Field(description="Why it is held to be the same.")


class Report(ApiModel):
    """Another article that decisions tie to this one."""

    id: int = Field(description="Its number.")
    title: Title = Field(description="Its title.")
    url: Address = Field(description="Its address.")
    source: Host = Field(description="The host that published it.")
    feed_title: Name = Field(description="The feed that it came by.")
    published: datetime = Field(validation_alias="dated", description="Its date.")
    read: bool = Field(description="Whether you have read it.")
    in_cluster: bool = Field(description="Whether both make one row.")
    same_text: bool = Field(description="Whether their text is the same.")
    relation: str | None = Field(description="What they are to each other, where that is decided.")
    evidence: list[Evidence] = Field(description="Why.")
    through: int | None = Field(description="The third article that ties them, where one does.")
    parted_at: datetime | None = Field(description="When you said that they are not the same.")


class EarlierText(ApiModel):
    """What the article said before its publisher changed it."""

    seen: datetime = Field(description="Until when it stood so.")
    title: Title = Field(description="The title then.")
    html: str = Field(description="The text then, as safe HTML.")


class Attachment(ApiModel):
    """A file that belongs to the article."""

    url: Address = Field(description="Its address.")
    type: Host = Field(description="Its media type, as declared.")
    length: int | None = Field(description="Bytes, as declared.")
    seconds: int | None = Field(description="How long it plays, as declared.")
    title: Name = Field(description="What it is: a season and episode, `Transcript`, `Chapters`.")


class StoryRef(ApiModel):
    """The story that an article is part of."""

    id: int = Field(validation_alias=AliasPath("head", "id"), description="Its number.")
    title: Title = Field(description="Its title.")
    articles: int = Field(description="How many articles of it your feeds have.")
    sources: int = Field(description="How many hosts published them.")


class WholeArticle(Article):
    """An article with its text and all that is known of it."""

    html: str = Field(description="Its text as HTML without scripts, frames and forms.")
    text: str = Field(description="Its text plain, a line for each paragraph.")
    undated: bool = Field(
        description="Whether its feed gives no date: `published` is when it was first seen."
    )
    page_url: Address = Field(description="The page that the text was taken from; empty: the feed.")
    page_problem: Name = Field(
        description="Why its page's text is not shown, where full texts are on; empty: nothing."
    )
    categories: list[Host] = Field(description="What its publisher filed it under.")
    comments_url: Address = Field(description="Where it is discussed; empty: not told.")
    attachments: list[Attachment] = Field(description="Files that belong to it.")
    copies: list[ArticleCopy] = Field(description="Where else it appeared, merged into this one.")
    reports: list[Report] = Field(description="What else reports the same, the surest first.")
    revisions: list[EarlierText] = Field(description="What it said before.")
    independent: int = Field(description="How many sources of its row report it on their own.")
    part_of: StoryRef | None = Field(description="Its story among your feeds; null: none.")


def whole(full: FullArticle, story: StoryLine | None, independent: int) -> WholeArticle:
    """An article with its text."""
    url = web_address(full.listed.url)
    html = alone(accessible(sanitize(full.html, full.page_url or url)), full.listed.language)
    return WholeArticle.model_validate(
        {
            **dict(Article.model_validate(full.listed)),
            "html": html,
            "text": to_text(html, LONGEST_TEXT),
            "undated": full.undated,
            "page_url": full.page_url,
            "page_problem": full.page_problem,
            "categories": full.categories,
            "comments_url": full.comments_url,
            "attachments": [one for one in full.enclosures if web_address(one.url)],
            "copies": full.copies,
            "reports": full.related,
            "revisions": [
                {"seen": one.seen, "title": one.title, "html": accessible(sanitize(one.text, url))}
                for one in full.revisions
            ],
            "independent": independent,
            "part_of": story,
        }
    )


def days(span: timedelta) -> float:
    """A length of time in days, to a second."""
    return round(span / timedelta(days=1), 5)
