"""Digests: the archive, one of them, and one made now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from fastapi import Path, Query, Request, status
from pydantic import BeforeValidator, Field

from newsloom.api.route import router as made
from newsloom.digests.links import Links
from newsloom.digests.service import digests, schedules
from newsloom.digests.values import Digest, DigestHead, DigestKind, Schedule
from newsloom.kernel.delivery.schedules import MOST_TARGETS, WEEKDAYS, drop_schedule
from newsloom.kernel.delivery.values import SendingState, Target, Way
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import DigestId
from newsloom.reading.api.params import ApiModel, Id, Instant, Line, Weekday, moment
from newsloom.reading.api.shapes import (
    Address,
    Cleaned,
    Host,
    Name,
    Points,
    Title,
    at_most,
)
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Digest ID.")]
Limit = Annotated[int, Query(ge=1, le=100, description="Maximum digests per page.")]
After = Annotated[Id | None, Query(description="`next` of the previous page.")]

router = made("Digests")


class DeliveryTarget(ApiModel):
    """Where something is sent."""

    way: Way = Field(description="Method.")
    to: Annotated[str, Field(max_length=2_000)] = Field(
        description="A mail address, a web address, or the format of a file in `digest.folder`."
    )

    @property
    def value(self) -> Target:
        return Target(self.way, self.to)


Targets = Annotated[list[DeliveryTarget], Field(max_length=MOST_TARGETS)]
Zone = Annotated[str, Field(max_length=80)]


class Delivery(DeliveryTarget):
    """How sending it went."""

    state: str = Field(description="`waiting`, `sent` or `failed`.")
    error: Cleaned = Field(description="Last error; empty: none.")


class Notifications(ApiModel):
    """Where news is sent as it comes."""

    targets: Targets = Field(description="All targets; empty: nothing is sent.")
    zone: Zone = Field(default="UTC", description="Time zone of its times (IANA name).")


class NewSchedule(ApiModel):
    """A digest that is to be made on schedule."""

    kind: DigestKind = Field(description="`morning`, `midday`, `evening` or `weekly`.")
    at: Line = Field(default="", description="Time of day (HH:MM); empty: the default.")
    zone: Zone = Field(default="UTC", description="Time zone (IANA name).")
    weekday: Weekday = Field(default="sunday", description="Day of a weekly digest.")
    targets: Targets = Field(default=[], description="Where it is sent.")


class DigestSchedule(NewSchedule):
    """A digest that is made on schedule."""

    id: int = Field(description="ID.")
    next: datetime = Field(description="Time of the next one.")


class DigestSchedules(ApiModel):
    """Schedules."""

    items: list[DigestSchedule] = Field(description="All your schedules, and where news is sent.")


class OwnWebhook(ApiModel):
    """A URL that digests, news of stories and rules, or briefs are posted to."""

    kind: str = Field(description="`digest`, also for news, or `brief`.")
    url: str = Field(description="URL.")
    secret: str = Field(description="What is posted there is signed with it.")


class OwnWebhooks(ApiModel):
    """Webhooks."""

    items: list[OwnWebhook] = Field(description="In the order in which they were added.")


class SecretAddress(ApiModel):
    """An address for programs that cannot sign in. Anyone who knows it can read what it has."""

    url: str = Field(description="URL; empty: none.")


class DigestLine(ApiModel):
    """A digest of the archive."""

    id: int = Field(description="ID.")
    kind: DigestKind = Field(description="Kind.")
    title: Title = Field(description="Title.")
    made: datetime = Field(validation_alias="made_at", description="Time of creation.")
    end: datetime = Field(description="End of its window.")
    zone: str = Field(description="Time zone of its times (IANA name).")
    deliveries: list[Delivery] = Field(description="Where it was sent.")


class DigestList(ApiModel):
    """A page of the archive."""

    items: list[DigestLine] = Field(description="Newest first.")
    next: int | None = Field(description="`after` for the next page; null: last page.")


class DigestReport(ApiModel):
    """An article of a digest."""

    id: int = Field(description="ID.")
    title: Title = Field(description="Title.")
    url: Address = Field(description="URL.")
    source: Host = Field(description="Host of the publisher.")
    publisher: Name = Field(description="Name of the publisher.")
    category: str = Field(description="Category of its feed.")
    published: datetime = Field(description="Publication date.")
    importance: Points = Field(description="0 to 100, at the digest's moment.")


class DigestSentence(ApiModel):
    """A sentence of a summary."""

    text: Annotated[str, at_most(2_000)] = Field(description="The sentence.")
    articles: list[int] = Field(description="IDs of the supporting articles.")
    new: bool = Field(description="Whether it is new since the last digest.")
    disagrees: bool = Field(description="Whether another source gives a different number.")


class DigestMatter(ApiModel):
    """A topic of a digest, or what came of a story."""

    label: Title = Field(description="Subject; empty: see the title of the lead.")
    lead: DigestReport = Field(description="Main article.")
    related: list[DigestReport] = Field(description="Its other articles.")
    summary: list[DigestSentence] = Field(description="Its sentences.")
    importance: Points = Field(description="From 0 to 100.")
    category: str = Field(description="Category.")
    developed: bool = Field(description="Whether an earlier digest had it and there is news.")
    story_id: Annotated[int | None, BeforeValidator(lambda story: story or None)] = Field(
        validation_alias="story", description="Followed story; null: a topic or a thread."
    )
    thread_id: Annotated[int | None, BeforeValidator(lambda thread: thread or None)] = Field(
        validation_alias="thread", description="Followed thread; null: a topic or a story."
    )


class WholeDigest(ApiModel):
    """A digest."""

    id: int | None = Field(description="ID; null: not stored.")
    kind: DigestKind = Field(description="Kind.")
    title: Title = Field(description="Title.")
    begin: datetime = Field(description="Start of its window.")
    end: datetime = Field(description="End of its window.")
    zone: str = Field(description="Time zone of its times (IANA name).")
    relaxed: bool = Field(description="Few topics mattered much, so the best ones lead.")
    followed: list[DigestMatter] = Field(description="Followed stories and threads with news.")
    top: list[DigestMatter] = Field(description="Most important topics.")
    for_you: list[DigestMatter] = Field(description="By your interests and model.")
    noteworthy: list[DigestMatter] = Field(description="Other parts, by category.")
    mentioned: list[DigestMatter] = Field(description="Topics with only a title.")


class Window(ApiModel):
    """Of what a digest is made."""

    kind: DigestKind = Field(
        default=DigestKind.MORNING,
        description="Length of the window, unless `since` is given.",
    )
    since: Instant | None = Field(default=None, description="Start of its window.")


@router.get("/digests")
def list_digests(site: Here, limit: Limit = 30, after: After = None) -> DigestList:
    """Your scheduled digests."""
    before = None if after is None else DigestId(after)
    store = site.reader.store.digests
    found = store.digests(site.reader.user, limit + 1, before=before)
    shown = found[:limit]
    return DigestList(
        items=[_line(one, deliveries(store.sendings(one.id))) for one in shown],
        next=shown[-1].id if len(found) > limit else None,
    )


@router.get("/digests/schedules")
def list_digest_schedules(site: Here) -> DigestSchedules:
    """Your digest schedules: times and recipients."""
    found = site.reader.store.digests.schedules(site.reader.user)
    return DigestSchedules(items=[_schedule(one) for one in found])


@router.post("/digests/schedules", status_code=status.HTTP_201_CREATED)
def add_digest_schedule(site: Here, wanted: NewSchedule) -> DigestSchedule:
    """Schedule a digest at a time of day, and where it is sent."""
    targets = [one.value for one in wanted.targets]
    day = wanted.weekday.lower()
    return _schedule(schedules.add(site.reader, wanted.kind, wanted.at, wanted.zone, day, targets))


@router.delete("/digests/schedules/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_digest_schedule(site: Here, number: Number) -> None:
    """Remove a schedule. Its digests stay."""
    drop_schedule(site.reader.store.digests, site.reader.user, number)


@router.get("/webhooks")
def list_webhooks(site: Here) -> OwnWebhooks:
    """Your webhooks and the secrets to check their signatures with."""
    store, user = site.reader.store, site.reader.user
    kinds = (("digest", store.digests.webhooks(user)), ("brief", store.briefs.webhooks(user)))
    return OwnWebhooks(
        items=[
            OwnWebhook(kind=kind, url=one.url, secret=one.secret)
            for kind, found in kinds
            for one in found
        ]
    )


@router.get("/digests/feed")
def get_digest_feed(site: Here, request: Request) -> SecretAddress:
    """URL of the Atom feed of your digests."""
    return _feed(request, schedules.feed_token(site.reader))


@router.post("/digests/feed")
def renew_digest_feed(site: Here, request: Request) -> SecretAddress:
    """Create or replace the URL of the Atom feed of your digests."""
    return _feed(request, schedules.feed_token(site.reader, make=True, new=True))


@router.delete("/digests/feed", status_code=status.HTTP_204_NO_CONTENT)
def remove_digest_feed(site: Here) -> None:
    """Remove the URL of the Atom feed of your digests."""
    schedules.drop_feed(site.reader)


@router.get("/digests/now")
def make_digest(site: Here, window: Annotated[Window, Query()]) -> WholeDigest:
    """A digest of the window that ends now. It is not stored, and can take seconds."""
    if window.kind is DigestKind.STORIES:
        raise UserError("Story updates are created when a story develops.")
    since = moment(window.since)
    kind = DigestKind.AD_HOC if since else window.kind
    if kind is DigestKind.AD_HOC and since is None:
        raise UserError("Give `since`: this kind of digest has no default period.")
    return whole(digests.compose(site.reader, kind, since, site.reader.now(), "UTC"))


@router.get("/digests/{number}")
def get_digest(site: Here, number: Number) -> WholeDigest:
    """One digest of the archive."""
    found = schedules.archived(site.reader, number)
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
            "for_you": made.for_you,
            "noteworthy": made.noteworthy,
            "mentioned": made.mentioned,
        }
    )


def notifications(schedule: Schedule | None) -> Notifications:
    """Where news is sent."""
    if schedule is None:
        return Notifications(targets=[])
    targets = [DeliveryTarget.model_validate(one) for one in schedule.targets]
    return Notifications(targets=targets, zone=schedule.zone)


def deliveries(sendings: Sequence[SendingState]) -> list[Delivery]:
    """How sending something went."""
    return [
        Delivery(way=one.target.way, to=one.target.to, state=one.state, error=one.error)
        for one in sendings
    ]


def clock(minutes: int) -> str:
    """Minutes after midnight as HH:MM."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _schedule(one: Schedule) -> DigestSchedule:
    return DigestSchedule(
        id=one.id,
        kind=one.kind,
        at=clock(one.at),
        zone=one.zone,
        weekday=WEEKDAYS[one.weekday],
        targets=[DeliveryTarget.model_validate(each) for each in one.targets],
        next=one.next_at,
    )


def _feed(request: Request, token: str) -> SecretAddress:
    base = str(request.base_url).rstrip("/")
    return SecretAddress(url=Links(base).feed(token) if token else "")


def _line(one: DigestHead, sent: list[Delivery]) -> DigestLine:
    return DigestLine(
        id=one.id,
        kind=one.kind,
        title=one.title,
        made=one.made_at,
        end=one.end,
        zone=one.zone,
        deliveries=sent,
    )
