"""API routes of feeds and categories, with OPML import and export."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from fastapi import Path, Request, Response, status
from fastapi.concurrency import run_in_threadpool
from pydantic import AfterValidator, Field

from newsloom.api.route import VIA
from newsloom.api.route import router as made
from newsloom.feeds.pages.feeds import LONGEST_ADDRESS
from newsloom.feeds.service import arranging, subscribing
from newsloom.feeds.service.feeds import Condition
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import PollOutcome
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.urls import without_password
from newsloom.reading.api.params import ApiModel, Line
from newsloom.reading.api.shapes import Cleaned, Name, Points, Title, at_most
from newsloom.reading.values.reading import Subscription
from newsloom.sync.service import Syncing
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT
from newsloom.web.site import Here, by_category
from newsloom.web.wording import clean

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Feed ID.")]
OPML = {"text/x-opml": {"schema": {"type": "string", "description": "OPML 2.0"}}}

router = made("Feeds")


# Whoever holds an app password needs no password of a feed.
Address = Annotated[str, AfterValidator(without_password)]


class Feed(ApiModel):
    """A feed that you follow."""

    id: int = Field(validation_alias="feed_id", description="ID.")
    url: Address = Field(description="URL.")
    title: Name = Field(description="Your name for it, or its own title.")
    category: str = Field(description="Category; empty: none.")
    site_url: str = Field(description="Its site.")
    unread: int = Field(description="Number of unread rows.")
    articles: int = Field(description="Number of its articles.")
    state: FeedState = Field(description="State.")
    problem: Annotated[str, at_most(400)] = Field(description="Last error; empty: none.")
    failures: int = Field(description="Failures in a row.")
    polled: datetime | None = Field(
        validation_alias="polled_at", description="Time of its last poll."
    )
    next_poll: datetime | None = Field(
        validation_alias="next_poll_at", description="Time of its next poll; null: never."
    )
    full_text: bool = Field(description="Whether the pages of its articles are fetched.")


class FeedCondition(Feed):
    """A feed, and how far it can be relied on."""

    reliability: int | None = Field(description="0 to 100, from its last polls; null: not known.")
    because: str = Field(description="Reason for its state.")
    advice: str = Field(description="Suggested action; empty: none.")
    alert: bool = Field(description="Whether it has an alert that you have not dismissed.")
    since: datetime | None = Field(description="Start of this state.")
    changed: datetime | None = Field(description="When it last had new articles.")
    reason: Cleaned = Field(description="Reason for that poll time.")
    least_minutes: float | None = Field(
        description="Minimum time between polls; null: as in the settings."
    )
    hub: Cleaned = Field(description="State of its hub; empty: no hub.")
    moving_to: str = Field(description="URL that it seems to move to; empty: none.")
    quarantined: int = Field(description="Number of its documents in quarantine.")


class FeedConditions(ApiModel):
    """Feeds, and how far they can be relied on."""

    items: list[FeedCondition] = Field(description="Feeds that need attention first.")


class Poll(ApiModel):
    """One poll of a feed."""

    at: datetime = Field(description="Time.")
    outcome: PollOutcome = Field(description="Result.")
    status: int = Field(description="HTTP status; 0: none.")
    seconds: Points = Field(description="Duration.")
    new: int = Field(description="Number of new articles.")
    problem: Cleaned = Field(description="Error; empty: none.")
    next_poll_at: datetime | None = Field(description="Planned time of its next poll.")
    reason: Cleaned = Field(description="Reason for that time.")


class FeedMove(ApiModel):
    """An address that was given up for another."""

    id: int = Field(description="ID.")
    at: datetime = Field(description="Time.")
    from_url: Address = Field(description="Previous URL.")
    to_url: Address = Field(description="New URL.")
    because: Cleaned = Field(description="Reason.")
    undone_at: datetime | None = Field(description="When it was undone.")


class FeedHistory(ApiModel):
    """What became of a feed."""

    polls: list[Poll] = Field(description="Last polls, newest first.")
    moves: list[FeedMove] = Field(description="Its moves.")
    quarantined: list[Title] = Field(description="The titles that are in quarantine.")


class Verdict(StrEnum):
    """What to do with a feed in quarantine."""

    LET_IN = "let in"
    KEEP_OUT = "keep out"


class QuarantineVerdict(ApiModel):
    """What a feed in quarantine is."""

    verdict: Verdict = Field(
        description="`let in`: same owner, release it; `keep out`: new owner, stop polling."
    )


class FeedList(ApiModel):
    """Feeds."""

    items: list[Feed] = Field(description="All your feeds, by category and title.")


class FormerFeed(ApiModel):
    """A feed that you left in the last month."""

    id: int = Field(validation_alias="feed_id", description="ID.")
    url: Address = Field(description="URL.")
    title: Name = Field(description="Title.")
    category: str = Field(description="Category.")
    left: datetime = Field(validation_alias="at", description="When you unfollowed it.")
    unread: int = Field(description="Unread articles that following it again restores.")


class FormerFeeds(ApiModel):
    """Feeds that can be followed again as they were."""

    items: list[FormerFeed] = Field(description="Last unfollowed first.")


class NewFeed(ApiModel):
    """What is to be followed."""

    url: Annotated[str, Field(min_length=1, max_length=LONGEST_ADDRESS)] = Field(
        description="URL of a feed, or of a page with one."
    )
    category: Line = Field(default="", description="Category.")


class FeedChoice(ApiModel):
    """Another feed of the same page."""

    url: Address = Field(description="URL.")
    title: str = Field(description="Title.")


class AddedFeed(ApiModel):
    """What became of an address."""

    id: int = Field(description="Feed ID.")
    url: Address = Field(description="URL that is polled.")
    title: str = Field(description="Title.")
    new: bool = Field(description="False: you followed it already.")
    articles: int = Field(description="Number of articles of the first poll.")
    choices: list[FeedChoice] = Field(description="Other feeds of the page.")


class FeedChanges(ApiModel):
    """What is to be changed of a feed; what is left out stays."""

    title: Line | None = Field(default=None, description="Your name for it; empty: its own title.")
    category: Line | None = Field(default=None, description="Category; empty: none.")
    full_text: bool | None = Field(
        default=None, description="Whether its articles' pages are fetched."
    )
    least_minutes: Annotated[float, Field(ge=0, le=100_000)] | None = Field(
        default=None,
        description="The least time between two polls, 15 to 10,080; 0: as the settings say.",
    )


class RefreshStatus(ApiModel):
    """What came of having feeds asked at once."""

    asked: int = Field(description="Number polled with the next pass.")
    held: list[str] = Field(description="Reasons for the others, a sentence each.")


class CategoryCounts(ApiModel):
    """A category."""

    name: str = Field(description="Name; empty: feeds without a category.")
    unread: int = Field(description="Unread rows of its feeds.")
    feeds: list[int] = Field(description="IDs of its feeds.")


class CategoryList(ApiModel):
    """Categories."""

    items: list[CategoryCounts] = Field(description="Sorted by name.")


class Refile(ApiModel):
    """A category that is to be called otherwise."""

    name: Annotated[Line, Field(min_length=1)] = Field(description="Current name.")
    to: Line = Field(description="New name; an existing one merges; empty removes the category.")


class NewCategory(ApiModel):
    """A category to be made."""

    name: Annotated[Line, Field(min_length=1)] = Field(description="Name.")


class CategoryOrder(ApiModel):
    """An order of categories."""

    names: Annotated[list[Line], Field(min_length=1, max_length=1_000)] = Field(
        description="Names, the first first; others follow."
    )


class FeedOrder(ApiModel):
    """An order of the feeds of a category."""

    category: Line = Field(default="", description="Category; empty: feeds without one.")
    feeds: Annotated[
        list[Annotated[int, Field(ge=1, le=LARGEST_ID)]], Field(min_length=1, max_length=5_000)
    ] = Field(description="Feed IDs, the first first. Feeds of other categories move here.")


class LeftOutline(ApiModel):
    """An outline of a list that was not imported."""

    title: str = Field(description="Name in the list; empty: none.")
    url: str = Field(description="URL as written; empty: none.")
    reason: str = Field(description="Reason it was not imported.")


class ImportedList(ApiModel):
    """What became of a list of feeds."""

    count: int = Field(description="Number of new feeds.")
    left_out: list[LeftOutline] = Field(description="Entries that were not imported.")


class Count(ApiModel):
    """How many."""

    count: int = Field(description="Number of changes.")


@router.get("/feeds")
def list_feeds(site: Here) -> FeedList:
    """Your feeds."""
    return FeedList(items=[_feed(one) for one in site.reader.subscriptions()])


@router.post("/feeds", status_code=status.HTTP_201_CREATED)
async def follow_feed(site: Here, wanted: NewFeed) -> AddedFeed:
    """Follow a feed, or the main feed of a page. It is polled at once, which can take seconds."""
    address = clean(wanted.url, LONGEST_ADDRESS)
    if not address:
        raise UserError("Give the address of a feed, or of a page that has one.")
    added = await subscribing.add(site.reader, address, clean(wanted.category, LONGEST_TEXT))
    return AddedFeed(
        id=added.feed_id,
        url=added.url,
        title=clean(added.title, 200),
        new=added.new,
        articles=added.articles,
        choices=[FeedChoice(url=url, title=clean(title, 200)) for url, title in added.choices],
    )


@router.get("/feeds/left")
def list_left_feeds(site: Here) -> FormerFeeds:
    """Feeds that you unfollowed in the last month."""
    return FormerFeeds(
        items=[
            FormerFeed.model_validate(one)
            for one in site.reader.store.reading.left(site.reader.user, site.reader.now())
        ]
    )


@router.post("/feeds/refresh")
def refresh_feeds(site: Here) -> RefreshStatus:
    """Poll all feeds with the next pass, except those that must not be polled yet."""
    found = site.reader.feeds.refresh_all()
    return RefreshStatus(asked=found.asked, held=[one.because for one in found.held[:100]])


@router.get("/feeds/conditions")
def list_feed_conditions(site: Here) -> FeedConditions:
    """State of your feeds, with suggested actions."""
    known = {one.feed_id: one for one in site.reader.subscriptions()}
    found = site.reader.feeds.conditions()
    return FeedConditions(
        items=[
            _condition(one, known[one.feed.feed_id]) for one in found if one.feed.feed_id in known
        ]
    )


@router.post("/feeds/moves/{number}/undo")
def undo_feed_move(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="ID of a move.")],
) -> FeedMove:
    """Undo the move of a feed to another URL, permanently."""
    return FeedMove.model_validate(site.reader.feeds.take_back_move(number))


@router.put("/feeds/order", status_code=status.HTTP_204_NO_CONTENT)
def order_feeds(site: Here, wanted: FeedOrder) -> None:
    """Put the feeds of a category in an order of your own."""
    arranging.order_feeds(site.reader, [FeedId(one) for one in wanted.feeds], wanted.category)


@router.delete("/feeds/order", status_code=status.HTTP_204_NO_CONTENT)
def order_feeds_by_name(site: Here) -> None:
    """Sort categories and feeds by name again."""
    arranging.alphabetical(site.reader)


@router.get("/feeds/{number}")
def get_feed(site: Here, number: Number) -> FeedCondition:
    """One feed, with its reliability."""
    found = site.reader.feeds.condition(FeedId(number))
    one = next(one for one in site.reader.subscriptions() if one.feed_id == number)
    return _condition(found, one)


@router.get("/feeds/{number}/history")
async def get_feed_history(site: Here, number: Number) -> FeedHistory:
    """Last polls of a feed, its moves, and its documents in quarantine."""
    feeds, feed = site.reader.feeds, FeedId(number)
    headlines = await feeds.headlines(feed)
    polls, moves = await run_in_threadpool(lambda: (feeds.polls(feed), feeds.moves(feed)))
    return FeedHistory(
        polls=[Poll.model_validate(one) for one in polls],
        moves=[FeedMove.model_validate(one) for one in moves],
        quarantined=list(headlines),
    )


@router.post("/feeds/{number}/quarantine", status_code=status.HTTP_204_NO_CONTENT)
async def judge_feed(site: Here, number: Number, wanted: QuarantineVerdict) -> None:
    """Decide whether a feed in quarantine still has the same owner."""
    feeds, feed = site.reader.feeds, FeedId(number)
    if wanted.verdict is Verdict.LET_IN:
        await feeds.release(feed)
    else:
        await run_in_threadpool(feeds.keep_out, feed)


@router.delete("/feeds/{number}/quarantine", status_code=status.HTTP_204_NO_CONTENT)
def take_back_verdict(site: Here, number: Number) -> None:
    """Undo the decision on a feed in quarantine."""
    site.reader.feeds.take_back_verdict(FeedId(number))


@router.post("/feeds/{number}/seen", status_code=status.HTTP_204_NO_CONTENT)
def dismiss_feed_alert(site: Here, number: Number) -> None:
    """Dismiss the alert of a feed until something changes."""
    site.reader.feeds.see(FeedId(number))


@router.patch("/feeds/{number}")
def change_feed(site: Here, number: Number, changes: FeedChanges) -> FeedCondition:
    """Change the name, category, full-text fetching or poll interval of a feed."""
    feed = FeedId(number)
    site.reader.edit(feed, title=_cleaned(changes.title), category=_cleaned(changes.category))
    if changes.full_text is not None:
        site.reader.set_full_text(feed, changes.full_text)
    if changes.least_minutes is not None:
        least = timedelta(minutes=changes.least_minutes)
        site.reader.feeds.set_floor(feed, least or None)
    return get_feed(site, number)


@router.delete("/feeds/{number}", status_code=status.HTTP_204_NO_CONTENT)
def leave_feed(site: Here, number: Number) -> None:
    """Unfollow a feed. For a month you can follow it again with all its marks."""
    site.reader.unsubscribe(FeedId(number))


@router.post("/feeds/{number}/return", status_code=status.HTTP_204_NO_CONTENT)
def follow_feed_again(site: Here, number: Number) -> None:
    """Follow a feed again within a month of unfollowing it, with its name, marks and scores."""
    site.reader.follow_again(FeedId(number))


@router.post("/feeds/{number}/refresh")
def refresh_feed(site: Here, number: Number) -> RefreshStatus:
    """Poll one feed with the next pass."""
    held = site.reader.feeds.refresh(FeedId(number))
    return RefreshStatus(asked=0 if held else 1, held=[held.because] if held else [])


@router.get("/categories")
def list_categories(site: Here) -> CategoryList:
    """The categories of your feeds, with unread counts."""
    found = by_category(site.reader.subscriptions())
    return CategoryList(
        items=[
            CategoryCounts(
                name=one.name, unread=one.unread, feeds=sorted(feed.feed_id for feed in one.feeds)
            )
            for one in found
        ]
    )


@router.post("/categories", status_code=status.HTTP_201_CREATED)
def make_category(site: Here, wanted: NewCategory) -> NewCategory:
    """Make a category without feeds. One that exists stays as it is."""
    return NewCategory(name=arranging.make(site.reader, wanted.name))


@router.put("/categories/order", status_code=status.HTTP_204_NO_CONTENT)
def order_categories(site: Here, wanted: CategoryOrder) -> None:
    """Put categories in an order of your own."""
    arranging.order_categories(site.reader, wanted.names)


@router.post("/categories/rename")
def rename_category(site: Here, wanted: Refile) -> Count:
    """Rename or remove a category. Returns the number of moved feeds."""
    name = clean(wanted.to, LONGEST_TEXT)
    moved = sum(one.category == wanted.name for one in site.reader.subscriptions())
    Syncing(site.reader, VIA).refile(wanted.name, name)
    return Count(count=moved)


@router.get("/opml", responses={200: {"content": OPML}}, response_class=Response)
def export_feeds(site: Here, passwords: bool = False) -> Response:
    """Your feeds as OPML. `passwords=true` includes the names and passwords in feeds' addresses:
    whoever has the answer can read these feeds as you."""
    return Response(
        subscribing.export_opml(site.reader, passwords=passwords), media_type="text/x-opml"
    )


@router.post("/opml", openapi_extra={"requestBody": {"required": True, "content": OPML}})
async def import_feeds(site: Here, request: Request) -> ImportedList:
    """Follow every feed of an OPML document. Returns how many are new, and errors."""
    try:
        done = await subscribing.import_list(site.reader, await request.body())
    except ParseError as error:
        raise UserError(str(error)) from error
    left_out = [
        LeftOutline(
            title=clean(one.title, LONGEST_TEXT), url=clean(one.url, 200), reason=one.reason
        )
        for one in done.left_out
    ]
    return ImportedList(count=done.new, left_out=left_out)


def _condition(found: Condition, one: Subscription) -> FeedCondition:
    known = found.feed
    return FeedCondition(
        **dict(_feed(one)),
        reliability=found.reliability.score,
        because=clean(found.because, 1_000),
        advice=clean(found.advice, 1_000),
        alert=found.alert,
        since=known.since,
        changed=known.changed_at,
        reason=known.reason,
        least_minutes=known.floor / timedelta(minutes=1) if known.floor else None,
        hub=found.hub,
        moving_to=without_password(known.moving.url) if known.moving else "",
        quarantined=known.held if known.held_at else 0,
    )


def _feed(one: Subscription) -> Feed:
    feed = Feed.model_validate(one)
    return feed if feed.title else feed.model_copy(update={"title": feed.url})


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text, LONGEST_TEXT)
