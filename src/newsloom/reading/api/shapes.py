"""Articles as programs see them. Pure: what a publisher wrote is cleaned as for the pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import alone
from newsloom.kernel.text.html import sanitize, to_text
from newsloom.reading.api.asked import Shape
from newsloom.reading.values.reading import (
    Cluster,
    FullArticle,
    Listed,
    Related,
    RowArticle,
    RowStory,
)
from newsloom.stories.service.stories import StoryLine
from newsloom.web.wording import TITLE_LENGTH, clean, web_address

LONGEST_TEXT = 200_000


class RowReport(Shape):
    """Another article of a row than the one shown."""

    id: int = Field(description="Its number.")
    title: str = Field(description="Its title, on one line.")
    source: str = Field(description="The host that published it.")
    feed_title: str = Field(description="The feed that it came by.")
    published: datetime = Field(description="Its date, never after it was first seen.")
    read: bool = Field(description="Whether you have read it.")
    same_text: bool = Field(description="Whether its text is that of the article shown.")


class RowCluster(Shape):
    """The reports of one event that a row stands for."""

    articles: int = Field(description="How many, with the one shown.")
    texts: int = Field(description="How many of them differ in their text.")
    sources: int = Field(description="How many hosts published them.")
    feeds: int = Field(description="How many feeds carry the text shown.")
    latest: datetime = Field(description="The date of the newest.")
    others: list[RowReport] = Field(description="The fullest of the others.")


class RowOfStory(Shape):
    """The story that a row stands for, where rows are stories."""

    id: int = Field(description="The number of the story.")
    title: str = Field(description="Its title; empty until it has one.")
    articles: int = Field(description="How many articles of it your feeds have.")
    unread: int = Field(description="How many of them are unread.")
    sources: int = Field(description="How many hosts published them.")
    latest: datetime = Field(description="The date of the newest.")
    others: list[RowReport] = Field(description="The newest of the others.")


class OtherVersion(Shape):
    """An earlier or later version of the article, with a row of its own."""

    id: int = Field(description="Its number.")
    title: str = Field(description="Its title.")
    later: bool = Field(description="Whether it is the later one.")


class Article(Shape):
    """One row of a list: an article shown once, however many feeds carry it."""

    id: int = Field(description="Its number, which never changes.")
    title: str = Field(description="Its title, on one line; empty where there is none.")
    url: str = Field(description="Its address (http or https); empty where it has none.")
    source: str = Field(description="The host that published it, without `www`.")
    feed_id: int = Field(description="The feed that it came by.")
    feed_title: str = Field(description="Your name for that feed.")
    author: str = Field(description="Who wrote it; empty where it is not said.")
    language: str = Field(description="Its language tag; empty where it names none.")
    excerpt: str = Field(description="Its first words, plain.")
    image: str = Field(description="The address of a picture of it at its publisher, or empty.")
    published: datetime = Field(description="Its date, never after it was first seen.")
    score: float = Field(description="What ranks it for you now, 0 to 100.")
    relevance: float = Field(description="The same before it aged, 0 to 100.")
    sensitivity: int = Field(description="How fast it expires: 1 evergreen to 5 urgent.")
    scored: bool = Field(description="False: no model has seen it yet.")
    importance: float | None = Field(
        description="How much it matters now, 0 to 100; null where a list is not about it."
    )
    read: bool = Field(description="Whether you have read it.")
    starred: bool = Field(description="Whether you starred it.")
    rating: int = Field(description="1 liked, -1 disliked, 0 neither.")
    links_elsewhere: bool = Field(
        description="Whether another site serves the link than the feed: its publisher is claimed."
    )
    also_in: int = Field(description="How many other feeds carry this very article.")
    lowered: bool = Field(description="Whether a row that scores less stands above it (variety).")
    cluster: RowCluster | None = Field(description="What else reports its event; null: nothing.")
    story: RowOfStory | None = Field(description="The story, where rows are stories.")
    version: OtherVersion | None = Field(description="Its newest other version.")


class Evidence(Shape):
    """Why two articles are held to be the same."""

    layer: str = Field(description="What found it: `url`, `title`, `simhash`, ...")
    score: float = Field(description="How sure, 0 to 1.")
    detail: str = Field(description="What matched, in words.")


class ArticleCopy(Shape):
    """Where else the article appeared."""

    id: int = Field(description="Its number there; a mark of it is one of the article.")
    feed_title: str = Field(description="The feed.")
    url: str = Field(description="Its address there.")
    title: str = Field(description="Its title there.")
    evidence: Evidence | None = Field(description="Why it is held to be the same.")


class Report(Shape):
    """Another article that decisions tie to this one."""

    id: int = Field(description="Its number.")
    title: str = Field(description="Its title.")
    url: str = Field(description="Its address.")
    source: str = Field(description="The host that published it.")
    feed_title: str = Field(description="The feed that it came by.")
    published: datetime = Field(description="Its date.")
    read: bool = Field(description="Whether you have read it.")
    in_cluster: bool = Field(description="Whether both make one row.")
    same_text: bool = Field(description="Whether their text is the same.")
    relation: str | None = Field(description="What they are to each other, where that is decided.")
    evidence: list[Evidence] = Field(description="Why.")


class EarlierText(Shape):
    """What the article said before its publisher changed it."""

    seen: datetime = Field(description="Until when it stood so.")
    title: str = Field(description="The title then.")
    html: str = Field(description="The text then, as safe HTML.")


class Attachment(Shape):
    """A file that belongs to the article."""

    url: str = Field(description="Its address.")
    type: str = Field(description="Its media type, as declared.")
    length: int | None = Field(description="Bytes, as declared.")
    seconds: int | None = Field(description="How long it plays, as declared.")
    title: str = Field(description="What it is: a season and episode, `Transcript`, `Chapters`.")


class StoryRef(Shape):
    """The story that an article is part of."""

    id: int = Field(description="Its number.")
    title: str = Field(description="Its title.")
    articles: int = Field(description="How many articles of it your feeds have.")
    sources: int = Field(description="How many hosts published them.")


class WholeArticle(Article):
    """An article with its text and all that is known of it."""

    html: str = Field(description="Its text as HTML without scripts, frames and forms.")
    text: str = Field(description="Its text plain, a line for each paragraph.")
    undated: bool = Field(
        description="Whether its feed gives no date: `published` is when it was first seen."
    )
    page_url: str = Field(description="The page that the text was taken from; empty: the feed.")
    page_problem: str = Field(
        description="Why its page's text is not shown, where full texts are on; empty: nothing."
    )
    categories: list[str] = Field(description="What its publisher filed it under.")
    comments_url: str = Field(description="Where it is discussed; empty: not told.")
    attachments: list[Attachment] = Field(description="Files that belong to it.")
    copies: list[ArticleCopy] = Field(description="Where else it appeared, merged into this one.")
    reports: list[Report] = Field(description="What else reports the same, the surest first.")
    revisions: list[EarlierText] = Field(description="What it said before.")
    part_of: StoryRef | None = Field(description="Its story among your feeds; null: none.")


def article(one: Listed) -> Article:
    """A row of a list."""
    return Article(**_article(one))


def _article(one: Listed) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": titled(one.title),
        "url": web_address(one.url),
        "source": clean(one.source, 120),
        "feed_id": one.feed_id,
        "feed_title": clean(one.feed_title, 200),
        "author": clean(one.author, 200),
        "language": one.language,
        "excerpt": clean(one.excerpt, 600),
        "image": web_address(one.image),
        "published": one.dated,
        "score": round(one.score, 3),
        "relevance": round(one.relevance, 3),
        "sensitivity": one.sensitivity,
        "scored": one.scored,
        "importance": None if one.importance is None else round(one.importance, 3),
        "read": one.state.read,
        "starred": one.state.starred,
        "rating": one.state.rating,
        "links_elsewhere": one.links_elsewhere,
        "also_in": one.also_in,
        "lowered": one.lowered,
        "cluster": None if one.cluster is None else _cluster(one.cluster),
        "story": None if one.story is None else _story(one.story),
        "version": None
        if one.version is None
        else OtherVersion(
            id=one.version.id, title=titled(one.version.title), later=one.version.later
        ),
    }


def _cluster(one: Cluster) -> RowCluster:
    return RowCluster(
        articles=one.articles,
        texts=one.texts,
        sources=one.sources,
        feeds=one.feeds,
        latest=one.latest,
        others=[_row_report(other) for other in one.others],
    )


def _story(one: RowStory) -> RowOfStory:
    return RowOfStory(
        id=one.id,
        title=clean(one.title, TITLE_LENGTH),
        articles=one.articles,
        unread=one.unread,
        sources=one.sources,
        latest=one.latest,
        others=[_row_report(other) for other in one.others],
    )


def _row_report(one: RowArticle) -> RowReport:
    return RowReport(
        id=one.id,
        title=titled(one.title),
        source=clean(one.source, 120),
        feed_title=clean(one.feed_title, 200),
        published=one.dated,
        read=one.read,
        same_text=one.same_text,
    )


def whole(full: FullArticle, story: StoryLine | None) -> WholeArticle:
    """An article with its text."""
    url = web_address(full.listed.url)
    safe = accessible(sanitize(full.html, full.page_url or url))
    html = alone(safe, full.listed.language)
    return WholeArticle(
        **_article(full.listed),
        html=html,
        text=to_text(html, LONGEST_TEXT),
        undated=full.undated,
        page_url=web_address(full.page_url),
        page_problem=clean(full.page_problem, 200),
        categories=[clean(one, 120) for one in full.categories],
        comments_url=web_address(full.comments_url),
        attachments=[
            Attachment(
                url=web_address(one.url),
                type=clean(one.type, 120),
                length=one.length,
                seconds=one.seconds,
                title=clean(one.title, 200),
            )
            for one in full.enclosures
            if web_address(one.url)
        ],
        copies=[
            ArticleCopy(
                id=one.id,
                feed_title=clean(one.feed_title, 200),
                url=web_address(one.url),
                title=titled(one.title),
                evidence=Evidence(
                    layer=one.evidence[0].layer,
                    score=round(one.evidence[0].score, 4),
                    detail=clean(one.evidence[0].detail, 400),
                )
                if one.evidence
                else None,
            )
            for one in full.copies
        ],
        reports=[_report(one) for one in full.related],
        revisions=[
            EarlierText(
                seen=one.seen, title=titled(one.title), html=accessible(sanitize(one.text, url))
            )
            for one in full.revisions
        ],
        part_of=None if story is None else story_ref(story),
    )


def story_ref(one: StoryLine) -> StoryRef:
    """A story, named."""
    return StoryRef(
        id=one.head.id, title=titled(one.title), articles=one.articles, sources=one.sources
    )


def _report(one: Related) -> Report:
    return Report(
        id=one.id,
        title=titled(one.title),
        url=web_address(one.url),
        source=clean(one.source, 120),
        feed_title=clean(one.feed_title, 200),
        published=one.dated,
        read=one.read,
        in_cluster=one.in_cluster,
        same_text=one.same_text,
        relation=None if one.relation is None else one.relation.value,
        evidence=[
            Evidence(layer=each.layer, score=round(each.score, 4), detail=clean(each.detail, 400))
            for each in one.evidence
        ],
    )


def titled(title: str) -> str:
    """A title fit for one line; empty where there is none, as apps expect it."""
    return clean(title, TITLE_LENGTH)


def days(span: timedelta) -> float:
    """A length of time in days, to a second."""
    return round(span / timedelta(days=1), 5)
