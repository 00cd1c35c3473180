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

    id: int = Field(description="ID.")
    title: Title = Field(description="Title on one line.")
    source: Host = Field(description="Host of the publisher.")
    feed_title: Name = Field(description="Feed it came from.")
    published: datetime = Field(
        validation_alias="dated", description="Publication date, never later than first seen."
    )
    read: bool = Field(description="Whether it is read.")
    same_text: bool = Field(description="Whether its text equals that of the article shown.")


class RowCluster(ApiModel):
    """The reports of one event that a row stands for."""

    articles: int = Field(description="Count, including the one shown.")
    texts: int = Field(description="Number with a different text.")
    sources: int = Field(description="Number of publishers.")
    feeds: int = Field(description="Number of feeds with the text shown.")
    latest: datetime = Field(description="Date of the newest.")
    others: list[RowReport] = Field(description="The longest of the others.")


class RowOfStory(ApiModel):
    """The story that a row stands for, where rows are stories."""

    id: int = Field(description="Story ID.")
    title: Title = Field(description="Title; empty until it has one.")
    articles: int = Field(description="Number of its articles in your feeds.")
    unread: int = Field(description="Number unread.")
    sources: int = Field(description="Number of publishers.")
    latest: datetime = Field(description="Date of the newest.")
    others: list[RowReport] = Field(description="Newest of the others.")


class OtherVersion(ApiModel):
    """An earlier or later version of the article, with a row of its own."""

    id: int = Field(description="ID.")
    title: Title = Field(description="Title.")
    later: bool = Field(description="Whether it is the later version.")


class Article(ApiModel):
    """One row of a list: an article shown once, however many feeds carry it."""

    id: int = Field(description="ID, which never changes.")
    title: Title = Field(description="Title on one line; empty: none.")
    url: Address = Field(description="URL (http or https); empty: none.")
    source: Host = Field(description="The host that published it, without `www`.")
    feed_id: int = Field(description="Feed it came from.")
    feed_title: Name = Field(description="Your name for that feed.")
    author: Name = Field(description="Author; empty: unknown.")
    language: str = Field(description="Language tag; empty: unknown.")
    excerpt: Annotated[str, at_most(600)] = Field(description="Beginning of the text, plain.")
    image: Address = Field(description="URL of its picture at the publisher, or empty.")
    published: datetime = Field(
        validation_alias="dated", description="Publication date, never later than first seen."
    )
    score: Points = Field(description="Your current score, 0 to 100.")
    relevance: Points = Field(description="The same before it aged, 0 to 100.")
    sensitivity: int = Field(description="Time sensitivity, 1 (evergreen) to 5 (critical).")
    scored: bool = Field(description="Whether a model has rated it.")
    importance: Points | None = Field(
        description="Current importance, 0 to 100; null in other lists."
    )
    read: bool = Field(
        validation_alias=AliasPath("state", "read"), description="Whether it is read."
    )
    starred: bool = Field(
        validation_alias=AliasPath("state", "starred"), description="Whether it is starred."
    )
    rating: int = Field(
        validation_alias=AliasPath("state", "rating"),
        description="1 liked, -1 disliked, 0 neither.",
    )
    links_elsewhere: bool = Field(
        description="Whether the link leads to another site; its publisher is then a claim."
    )
    also_in: int = Field(description="Number of other feeds with this article.")
    lowered: bool = Field(
        description="Whether it is below a row with a lower score, to vary the feeds.",
    )
    cluster: RowCluster | None = Field(description="Other reports of its event; null: none.")
    story: RowOfStory | None = Field(description="Story, when rows are stories.")
    version: OtherVersion | None = Field(description="Its newest other version.")


class Evidence(ApiModel):
    """Why two articles are held to be the same."""

    layer: str = Field(description="Method that found it: `url`, `title`, `simhash`, ...")
    score: Annotated[float, digits(4)] = Field(description="Confidence, 0 to 1.")
    detail: Annotated[str, at_most(400)] = Field(description="What matched, as text.")


class ArticleCopy(ApiModel):
    """Where else the article appeared."""

    id: int = Field(description="ID in that feed; marking it marks the article.")
    feed_title: Name = Field(description="Feed.")
    url: Address = Field(description="URL in that feed.")
    title: Title = Field(description="Title in that feed.")
    evidence: Annotated[
        Evidence | None, BeforeValidator(lambda found: found[0] if found else None)
    ] = Field(description="Why it counts as the same.")


class Report(ApiModel):
    """Another article that decisions tie to this one."""

    id: int = Field(description="ID.")
    title: Title = Field(description="Title.")
    url: Address = Field(description="URL.")
    source: Host = Field(description="Host of the publisher.")
    feed_title: Name = Field(description="Feed it came from.")
    published: datetime = Field(validation_alias="dated", description="Publication date.")
    read: bool = Field(description="Whether it is read.")
    in_cluster: bool = Field(description="Whether they share a row.")
    same_text: bool = Field(description="Whether their text is the same.")
    relation: str | None = Field(description="Their relation, where known.")
    evidence: list[Evidence] = Field(description="Reasons.")
    through: int | None = Field(description="The article that links them, if any.")
    parted_at: datetime | None = Field(description="When you separated them.")


class EarlierText(ApiModel):
    """What the article said before its publisher changed it."""

    seen: datetime = Field(description="Until when it was so.")
    title: Title = Field(description="Title at that time.")
    html: str = Field(description="Text at that time, as safe HTML.")


class Attachment(ApiModel):
    """A file that belongs to the article."""

    url: Address = Field(description="URL.")
    type: Host = Field(description="Declared media type.")
    length: int | None = Field(description="Bytes, as declared.")
    seconds: int | None = Field(description="Declared playing time.")
    title: Name = Field(description="Kind: a season and episode, `Transcript`, `Chapters`.")


class StoryRef(ApiModel):
    """The story that an article is part of."""

    id: int = Field(validation_alias=AliasPath("head", "id"), description="ID.")
    title: Title = Field(description="Title.")
    articles: int = Field(description="Number of its articles in your feeds.")
    sources: int = Field(description="Number of publishers.")


class WholeArticle(Article):
    """An article with its text and all that is known of it."""

    html: str = Field(description="HTML without scripts, frames and forms.")
    text: str = Field(description="Plain text, a line per paragraph.")
    undated: bool = Field(
        description="Whether its feed gives no date: `published` is when it was first seen."
    )
    page_url: Address = Field(description="Page of the text; empty: from the feed.")
    page_problem: Name = Field(
        description="Why its full text is missing, when full texts are on; empty: it is not."
    )
    categories: list[Host] = Field(description="Categories of the publisher.")
    comments_url: Address = Field(description="URL of its comments; empty: none.")
    attachments: list[Attachment] = Field(description="Attached files.")
    copies: list[ArticleCopy] = Field(description="Where else it appeared, merged into this one.")
    reports: list[Report] = Field(description="Other reports, by confidence.")
    revisions: list[EarlierText] = Field(description="Previous text.")
    independent: int = Field(description="Number of independent sources in its row.")
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
