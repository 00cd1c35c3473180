"""Digests: the archive, one of them, and one made now."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.digests.service import digests, schedules
from newsloom.digests.values import Digest, DigestArticle, DigestHead, DigestKind, DigestTopic
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import DigestId
from newsloom.reading.api.asked import Id, Instant, Shape, moment
from newsloom.reading.api.shapes import titled
from newsloom.web.place import LARGEST_ID
from newsloom.web.site import Here
from newsloom.web.wording import clean, web_address

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a digest.")]
Limit = Annotated[int, Query(ge=1, le=100, description="Digests of a page, at most.")]
After = Annotated[Id | None, Query(description="`next` of the page before.")]

router = made("Digests")


class DigestLine(Shape):
    """A digest of the archive."""

    id: int = Field(description="Its number.")
    kind: DigestKind = Field(description="Of which kind it is.")
    title: str = Field(description="Its title.")
    made: datetime = Field(description="When it was made.")
    end: datetime = Field(description="Until when its window goes.")
    zone: str = Field(description="The time zone that it tells times in (IANA).")


class DigestList(Shape):
    """A page of the archive."""

    items: list[DigestLine] = Field(description="The newest first.")
    next: int | None = Field(description="`after` of the next page; null: this is the last.")


class DigestReport(Shape):
    """An article of a digest."""

    id: int = Field(description="Its number.")
    title: str = Field(description="Its title.")
    url: str = Field(description="Its address.")
    source: str = Field(description="The host that published it.")
    publisher: str = Field(description="Who published it, by name.")
    category: str = Field(description="Where you filed its feed.")
    published: datetime = Field(description="Its date.")
    importance: float = Field(description="0 to 100, at the digest's moment.")


class DigestSentence(Shape):
    """A sentence of a summary."""

    text: str = Field(description="The sentence.")
    articles: list[int] = Field(description="The numbers of the articles that say so.")
    new: bool = Field(description="It was not known when the last digest was written.")
    disagrees: bool = Field(description="Another source gives another number.")


class DigestMatter(Shape):
    """A topic of a digest, or what came of a story."""

    label: str = Field(description="What it is about; empty: the title of the lead says it.")
    lead: DigestReport = Field(description="Its chief article.")
    related: list[DigestReport] = Field(description="Its other articles.")
    summary: list[DigestSentence] = Field(description="Its sentences.")
    importance: float = Field(description="0 to 100.")
    category: str = Field(description="Where it belongs.")
    developed: bool = Field(description="An earlier digest had it, and there is something new.")
    story_id: int | None = Field(description="The story that you follow; null: it is a topic.")


class WholeDigest(Shape):
    """A digest."""

    id: int | None = Field(description="Its number; null: it is not kept.")
    kind: DigestKind = Field(description="Of which kind it is.")
    title: str = Field(description="Its title.")
    begin: datetime = Field(description="When its window begins.")
    end: datetime = Field(description="Until when its window goes.")
    zone: str = Field(description="The time zone that it tells times in (IANA).")
    relaxed: bool = Field(description="Few topics mattered much, so the best ones lead.")
    followed: list[DigestMatter] = Field(description="Stories that you follow, and that developed.")
    top: list[DigestMatter] = Field(description="What mattered most.")
    noteworthy: list[DigestMatter] = Field(description="What else did, by category.")
    mentioned: list[DigestMatter] = Field(description="What is only named.")


class Window(Shape):
    """Of what a digest is made."""

    kind: DigestKind = Field(
        default=DigestKind.MORNING,
        description="How long its window is, where `since` says nothing.",
    )
    since: Instant | None = Field(default=None, description="When its window begins.")


@router.get("/digests")
def list_digests(site: Here, limit: Limit = 30, after: After = None) -> DigestList:
    """The digests that were made for you on schedule."""
    before = None if after is None else DigestId(after)
    found = site.reader.store.digests.digests(site.reader.user, limit + 1, before=before)
    shown = found[:limit]
    return DigestList(
        items=[_line(one) for one in shown], next=shown[-1].id if len(found) > limit else None
    )


@router.get("/digests/now")
def make_digest(site: Here, window: Annotated[Window, Query()]) -> WholeDigest:
    """A digest of the window that ends now. It is not kept; it takes up to some seconds."""
    if window.kind is DigestKind.STORIES:
        raise UserError("News of stories is made when they develop.")
    since = moment(window.since)
    kind = DigestKind.AD_HOC if since else window.kind
    if kind is DigestKind.AD_HOC and since is None:
        raise UserError("Say since when: a digest of this kind has no window of its own.")
    return whole(digests.compose(site.reader, kind, since, site.reader.now(), "UTC"))


@router.get("/digests/{number}")
def get_digest(site: Here, number: Number) -> WholeDigest:
    """One digest of the archive."""
    found = schedules.kept(site.reader, number)
    return whole(found.digest, found.id)


def whole(made: Digest, number: int | None = None) -> WholeDigest:
    """A digest with its topics."""
    return WholeDigest(
        id=number,
        kind=made.kind,
        title=clean(made.title, 300),
        begin=made.begin,
        end=made.end,
        zone=made.zone,
        relaxed=made.relaxed,
        followed=[_matter(one) for one in made.followed],
        top=[_matter(one) for one in made.top],
        noteworthy=[_matter(one) for one in made.noteworthy],
        mentioned=[_matter(one) for one in made.mentioned],
    )


def _line(one: DigestHead) -> DigestLine:
    return DigestLine(
        id=one.id,
        kind=one.kind,
        title=clean(one.title, 300),
        made=one.made_at,
        end=one.end,
        zone=one.zone,
    )


def _matter(one: DigestTopic) -> DigestMatter:
    return DigestMatter(
        label=clean(one.label, 300),
        lead=_report(one.lead),
        related=[_report(other) for other in one.related],
        summary=[
            DigestSentence(
                text=clean(said.text, 2_000),
                articles=list(said.articles),
                new=said.new,
                disagrees=said.disagrees,
            )
            for said in one.summary
        ],
        importance=round(one.importance, 3),
        category=one.category,
        developed=one.developed,
        story_id=one.story or None,
    )


def _report(one: DigestArticle) -> DigestReport:
    return DigestReport(
        id=one.id,
        title=titled(one.title),
        url=web_address(one.url),
        source=clean(one.source, 120),
        publisher=clean(one.publisher, 200),
        category=one.category,
        published=one.published,
        importance=round(one.importance, 3),
    )
