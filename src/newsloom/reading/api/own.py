"""What a reader has of their own: who they are, counts, saved lists, interests, preferences."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query, Request, status
from pydantic import Field

from newsloom import __version__
from newsloom.accounts.preference_values import PREFERENCES
from newsloom.accounts.service.preferences import choose, preferences
from newsloom.api.route import router as made
from newsloom.kernel.errors import NotFound
from newsloom.ranking.values.models import Interest
from newsloom.reading.api.articles import Articles, page, searched
from newsloom.reading.api.params import USUAL, After, ApiModel, Filter, Limit, Line, filter_of
from newsloom.reading.pages.saved_lists import view_of
from newsloom.reading.service import saved_lists
from newsloom.reading.values.reading import Rows
from newsloom.reading.values.saved_lists import SavedList
from newsloom.reading.values.searching import SearchOrder
from newsloom.web.auth import visitor_of
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Its number.")]
Name = Annotated[Line, Field(min_length=1)]

router = made("Yours")


class Me(ApiModel):
    """Who asks."""

    name: str = Field(description="Your account; empty where nobody has one.")
    version: str = Field(description="The version of this Newsloom.")
    rows: Rows = Field(description="What makes one row of a list, unless you ask otherwise.")
    personal: bool = Field(description="Whether a model of your own ranks.")
    likes: int = Field(description="How many likes there are to learn from.")
    dislikes: int = Field(description="How many dislikes.")
    needed_likes: int = Field(description="How many likes a model of your own needs.")
    needed_dislikes: int = Field(description="How many dislikes it needs.")
    behind: bool = Field(description="Whether the order does not follow yet what was done last.")


class FeedCount(ApiModel):
    """Unread of a feed."""

    id: int = Field(description="The feed.")
    unread: int = Field(description="How many of its rows are unread.")


class Counts(ApiModel):
    """How much is unread."""

    unread: int = Field(description="Rows of the unread list.")
    feeds: list[FeedCount] = Field(description="Of each feed that has any.")


class Saved(ApiModel):
    """A list that is kept under a name."""

    id: int = Field(description="Its number.")
    name: str = Field(description="Its name.")
    filter: Filter = Field(description="Which articles it has.")
    q: str = Field(description="What it searches for, in the place of the filter; empty: nothing.")
    sort: SearchOrder = Field(description="In which order a search has them.")


class SavedLists(ApiModel):
    """Saved lists."""

    items: list[Saved] = Field(description="By name.")


class NewList(ApiModel):
    """A list that is to be kept."""

    name: Name = Field(description="Its name.")
    filter: Filter = Field(default_factory=lambda: Filter(), description="Which articles it has.")
    q: Line = Field(default="", description="What it searches for, in the place of the filter.")
    sort: SearchOrder = Field(
        default=SearchOrder.BEST, description="In which order a search has them."
    )


class ListName(ApiModel):
    """Another name."""

    name: Name = Field(description="The name.")


class PageParams(ApiModel):
    """A page of a saved list."""

    rows: Rows | None = Field(default=None, description="What makes one row.")
    limit: Limit = USUAL
    after: After = ""


class OwnInterest(ApiModel):
    """Something that you said you care about."""

    id: int = Field(description="Its number.")
    text: str = Field(description="Your words.")
    added: datetime = Field(description="When you said so.")


class OwnInterests(ApiModel):
    """Interests."""

    items: list[OwnInterest] = Field(description="All that you named.")


class NewInterest(ApiModel):
    """Something that you care about."""

    text: Name = Field(description="In your words.")


class Choice(ApiModel):
    """Something to choose."""

    name: str = Field(description="What it is called here.")
    words: str = Field(description="What it is called on the pages.")
    value: str = Field(description="What is chosen.")
    choices: list[str] = Field(description="What can be.")


class Choices(ApiModel):
    """Preferences."""

    items: list[Choice] = Field(description="All that there are.")


class Chosen(ApiModel):
    """What is chosen."""

    value: Annotated[str, Field(max_length=100)] = Field(description="One of its choices.")


@router.get("/me")
def get_me(site: Here, request: Request) -> Me:
    """Who you are here, and how far your ranking is."""
    status, principal = site.reader.status(), visitor_of(request)
    return Me(
        name=principal.name if principal else "",
        version=__version__,
        rows=site.reader.rows,
        personal=status.personal,
        likes=status.likes,
        dislikes=status.dislikes,
        needed_likes=status.needed_likes,
        needed_dislikes=status.needed_dislikes,
        behind=status.behind,
    )


@router.get("/counts")
def get_counts(site: Here) -> Counts:
    """How much is unread, in all and by feed."""
    feeds = [one for one in site.reader.subscriptions() if one.unread]
    return Counts(
        unread=site.reader.unread(),
        feeds=[FeedCount(id=one.feed_id, unread=one.unread) for one in feeds],
    )


@router.get("/saved-lists")
def list_saved(site: Here) -> SavedLists:
    """Your saved lists."""
    return SavedLists(items=[_saved(one) for one in saved_lists.saved(site.reader)])


@router.post("/saved-lists", status_code=status.HTTP_201_CREATED)
def save_list(site: Here, wanted: NewList) -> Saved:
    """Keep a list or a search under a name."""
    words = " ".join(wanted.q.split())
    view = wanted.filter.list_view
    if words:
        view = view.to(page=Page.SEARCH, words=words, sort=wanted.sort)
    return _saved(_one(site, saved_lists.save(site.reader, wanted.name, view.text)))


@router.get("/saved-lists/{number}/articles")
def list_saved_articles(
    site: Here, number: Number, given: Annotated[PageParams, Query()]
) -> Articles:
    """A page of a saved list."""
    view, reader = view_of(_one(site, number)), site.reader.by_rows(given.rows)
    if not view.words:
        return page(reader, view.query(given.limit), given.after)
    found = searched(reader, view.words, view.sort, given.limit, given.after)
    return Articles(items=found.items, next=found.next, as_of=None)


@router.patch("/saved-lists/{number}")
def rename_list(site: Here, number: Number, wanted: ListName) -> Saved:
    """Give a saved list another name."""
    saved_lists.rename(site.reader, number, wanted.name)
    return _saved(_one(site, number))


@router.delete("/saved-lists/{number}", status_code=status.HTTP_204_NO_CONTENT)
def drop_list(site: Here, number: Number) -> None:
    """Keep a list no longer. The address of its feed leads nowhere from then on."""
    saved_lists.drop(site.reader, number)


@router.get("/interests")
def list_interests(site: Here) -> OwnInterests:
    """What you said you care about."""
    return OwnInterests(items=[_interest(one) for one in site.reader.interests()])


@router.post("/interests", status_code=status.HTTP_201_CREATED)
def add_interest(site: Here, wanted: NewInterest) -> OwnInterest:
    """Say that you care about something. It orders the list with the next pass."""
    return _interest(site.reader.add_interest(wanted.text))


@router.delete("/interests/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_interest(site: Here, number: Number) -> None:
    """Take an interest back."""
    site.reader.remove_interest(number)


@router.get("/preferences")
def list_preferences(site: Here) -> Choices:
    """How you have the pages look and behave, everywhere."""
    chosen = preferences(site.reader)
    return Choices(
        items=[
            Choice(
                name=one.name,
                words=one.words,
                value=chosen.value(one),
                choices=[value for value, _words in one.choices],
            )
            for one in PREFERENCES
        ]
    )


@router.put("/preferences/{name}")
def choose_preference(
    site: Here,
    name: Annotated[str, Path(max_length=100, description="What it is called here.")],
    wanted: Chosen,
) -> Choices:
    """Choose something for everywhere."""
    known = next((one for one in PREFERENCES if one.name == name), None)
    if known is None:
        raise NotFound("There is no such preference.")
    choose(site.reader, {known: wanted.value})
    return list_preferences(site)


def _one(site: Here, number: int) -> SavedList:
    found = next((one for one in saved_lists.saved(site.reader) if one.id == number), None)
    if found is None:
        raise NotFound("There is no such list.")
    return found


def _saved(one: SavedList) -> Saved:
    view = view_of(one)
    return Saved(id=one.id, name=one.name, filter=filter_of(view), q=view.words, sort=view.sort)


def _interest(one: Interest) -> OwnInterest:
    return OwnInterest(id=one.id, text=one.text, added=one.added)
