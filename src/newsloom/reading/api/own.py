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
from newsloom.reading.pages.saved_lists import FEEDS, view_of
from newsloom.reading.service import saved_lists
from newsloom.reading.values.annotations import SavedList
from newsloom.reading.values.reading import Rows
from newsloom.reading.values.searching import SearchOrder
from newsloom.web.auth import visitor_of
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="ID.")]
Name = Annotated[Line, Field(min_length=1)]

router = made("Yours")


class Me(ApiModel):
    """Who asks."""

    name: str = Field(description="Account name; empty without accounts.")
    version: str = Field(description="The version of this Newsloom.")
    rows: Rows = Field(description="What each row of a list stands for by default.")
    personal: bool = Field(description="Whether a model of your own ranks.")
    likes: int = Field(description="Number of likes.")
    dislikes: int = Field(description="Number of dislikes.")
    needed_likes: int = Field(description="Likes that a model needs.")
    needed_dislikes: int = Field(description="Dislikes that a model needs.")
    behind: bool = Field(description="Whether the order does not reflect your last marks yet.")


class FeedCount(ApiModel):
    """Unread of a feed."""

    id: int = Field(description="Feed.")
    unread: int = Field(description="Number of unread rows.")


class Counts(ApiModel):
    """How much is unread."""

    unread: int = Field(description="Rows of the unread list.")
    feeds: list[FeedCount] = Field(description="For each feed with any.")


class Saved(ApiModel):
    """A list that is kept under a name."""

    id: int = Field(description="ID.")
    name: str = Field(description="Name.")
    filter: Filter = Field(description="Which articles it contains.")
    q: str = Field(description="Search query, instead of the filter; empty: none.")
    sort: SearchOrder = Field(description="Order of search results.")


class SavedLists(ApiModel):
    """Saved lists."""

    items: list[Saved] = Field(description="Sorted by name.")


class NewList(ApiModel):
    """A list that is to be kept."""

    name: Name = Field(description="Name.")
    filter: Filter = Field(
        default_factory=lambda: Filter(), description="Which articles it contains."
    )
    q: Line = Field(default="", description="Search query, instead of the filter.")
    sort: SearchOrder = Field(default=SearchOrder.BEST, description="Order of search results.")


class ListAddress(ApiModel):
    """The secret addresses of a list's feed. Anyone who knows one can read the list."""

    atom: str = Field(description="URL of the Atom feed; empty: none.")
    json_feed: str = Field(description="URL of the JSON feed; empty: none.")


class ListName(ApiModel):
    """Another name."""

    name: Name = Field(description="Name.")


class PageParams(ApiModel):
    """A page of a saved list."""

    rows: Rows | None = Field(default=None, description="What each row stands for.")
    limit: Limit = USUAL
    after: After = ""


class OwnInterest(ApiModel):
    """Something that you said you care about."""

    id: int = Field(description="ID.")
    text: str = Field(description="Your text.")
    added: datetime = Field(description="When you decided it.")


class OwnInterests(ApiModel):
    """Interests."""

    items: list[OwnInterest] = Field(description="All your interests.")


class NewInterest(ApiModel):
    """Something that you care about."""

    text: Name = Field(description="In your words.")


class Choice(ApiModel):
    """Something to choose."""

    name: str = Field(description="Name in Newsloom.")
    words: str = Field(description="Label on the pages.")
    value: str = Field(description="Chosen value.")
    choices: list[str] = Field(description="Possible values.")


class Choices(ApiModel):
    """Preferences."""

    items: list[Choice] = Field(description="All of them.")


class Chosen(ApiModel):
    """What is chosen."""

    value: Annotated[str, Field(max_length=100)] = Field(description="One of `choices`.")


@router.get("/me")
def get_me(site: Here, request: Request) -> Me:
    """Your account, and the state of your ranking."""
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
    """Unread counts, in total and by feed."""
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
    """Save a list or a search under a name."""
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
    """Rename a saved list."""
    saved_lists.rename(site.reader, number, wanted.name)
    return _saved(_one(site, number))


@router.get("/saved-lists/{number}/feed")
def get_list_feed(site: Here, request: Request, number: Number) -> ListAddress:
    """The addresses of a saved list's feed."""
    token = _one(site, number).token
    base = str(request.base_url).rstrip("/") + FEEDS
    return ListAddress(
        atom=f"{base}{token}.atom" if token else "",
        json_feed=f"{base}{token}.json" if token else "",
    )


@router.post("/saved-lists/{number}/feed")
def renew_list_feed(site: Here, request: Request, number: Number) -> ListAddress:
    """Create or replace the addresses of a saved list's feed."""
    saved_lists.set_address(site.reader, number, given=True)
    return get_list_feed(site, request, number)


@router.delete("/saved-lists/{number}/feed", status_code=status.HTTP_204_NO_CONTENT)
def remove_list_feed(site: Here, number: Number) -> None:
    """Remove the addresses of a saved list's feed."""
    saved_lists.set_address(site.reader, number, given=False)


@router.delete("/saved-lists/{number}", status_code=status.HTTP_204_NO_CONTENT)
def drop_list(site: Here, number: Number) -> None:
    """Delete a saved list. The URL of its feed stops working."""
    saved_lists.delete(site.reader, number)


@router.get("/interests")
def list_interests(site: Here) -> OwnInterests:
    """Your interests."""
    return OwnInterests(items=[_interest(one) for one in site.reader.interests()])


@router.post("/interests", status_code=status.HTTP_201_CREATED)
def add_interest(site: Here, wanted: NewInterest) -> OwnInterest:
    """Add an interest. It affects the order with the next pass."""
    return _interest(site.reader.add_interest(wanted.text))


@router.delete("/interests/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_interest(site: Here, number: Number) -> None:
    """Remove an interest."""
    site.reader.remove_interest(number)


@router.get("/preferences")
def list_preferences(site: Here) -> Choices:
    """Your preferences on all devices."""
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
    name: Annotated[str, Path(max_length=100, description="Name in Newsloom.")],
    wanted: Chosen,
) -> Choices:
    """Set a preference on all devices."""
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
