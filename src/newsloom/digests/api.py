"""Digests: the archive, one of them, and one made now."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import BeforeValidator, Field

from newsloom.api.route import router as made
from newsloom.digests.service import digests, schedules
from newsloom.digests.values import Digest, DigestKind
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import DigestId
from newsloom.reading.api.params import ApiModel, Id, Instant, moment
from newsloom.reading.api.shapes import Address, Host, Name, Points, Title, at_most
from newsloom.web.place import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The number of a digest.")]
Limit = Annotated[int, Query(ge=1, le=100, description="Digests of a page, at most.")]
After = Annotated[Id | None, Query(description="`next` of the page before.")]

router = made("Digests")


class DigestLine(ApiModel):
    """A digest of the archive."""

    id: int = Field(description="Its number.")
    kind: DigestKind = Field(description="Of which kind it is.")
    title: Title = Field(description="Its title.")
    made: datetime = Field(validation_alias="made_at", description="When it was made.")
    end: datetime = Field(description="Until when its window goes.")
    zone: str = Field(description="The time zone that it tells times in (IANA).")


class DigestList(ApiModel):
    """A page of the archive."""

    items: list[DigestLine] = Field(description="The newest first.")
    next: int | None = Field(description="`after` of the next page; null: this is the last.")


class DigestReport(ApiModel):
    """An article of a digest."""

    id: int = Field(description="Its number.")
    title: Title = Field(description="Its title.")
    url: Address = Field(description="Its address.")
    source: Host = Field(description="The host that published it.")
    publisher: Name = Field(description="Who published it, by name.")
    category: str = Field(description="Where you filed its feed.")
    published: datetime = Field(description="Its date.")
    importance: Points = Field(description="0 to 100, at the digest's moment.")


class DigestSentence(ApiModel):
    """A sentence of a summary."""

    text: Annotated[str, at_most(2_000)] = Field(description="The sentence.")
    articles: list[int] = Field(description="The numbers of the articles that say so.")
    new: bool = Field(description="It was not known when the last digest was written.")
    disagrees: bool = Field(description="Another source gives another number.")


class DigestMatter(ApiModel):
    """A topic of a digest, or what came of a story."""

    label: Title = Field(description="What it is about; empty: the title of the lead says it.")
    lead: DigestReport = Field(description="Its chief article.")
    related: list[DigestReport] = Field(description="Its other articles.")
    summary: list[DigestSentence] = Field(description="Its sentences.")
    importance: Points = Field(description="0 to 100.")
    category: str = Field(description="Where it belongs.")
    developed: bool = Field(description="An earlier digest had it, and there is something new.")
    story_id: Annotated[int | None, BeforeValidator(lambda story: story or None)] = Field(
        validation_alias="story", description="The story that you follow; null: it is a topic."
    )


class WholeDigest(ApiModel):
    """A digest."""

    id: int | None = Field(description="Its number; null: it is not kept.")
    kind: DigestKind = Field(description="Of which kind it is.")
    title: Title = Field(description="Its title.")
    begin: datetime = Field(description="When its window begins.")
    end: datetime = Field(description="Until when its window goes.")
    zone: str = Field(description="The time zone that it tells times in (IANA).")
    relaxed: bool = Field(description="Few topics mattered much, so the best ones lead.")
    followed: list[DigestMatter] = Field(description="Stories that you follow, and that developed.")
    top: list[DigestMatter] = Field(description="What mattered most.")
    noteworthy: list[DigestMatter] = Field(description="What else did, by category.")
    mentioned: list[DigestMatter] = Field(description="What is only named.")


class Window(ApiModel):
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
        items=[DigestLine.model_validate(one) for one in shown],
        next=shown[-1].id if len(found) > limit else None,
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
    return WholeDigest.model_validate(
        {
            "id": number,
            "kind": made.kind,
            "title": made.title,
            "begin": made.begin,
            "end": made.end,
            "zone": made.zone,
            "relaxed": made.relaxed,
            "followed": made.followed,
            "top": made.top,
            "noteworthy": made.noteworthy,
            "mentioned": made.mentioned,
        }
    )
