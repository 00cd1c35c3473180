"""Lists under a name: in the sidebar, on a page of their own, and as feeds at secret addresses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.app.reader import Reader
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.text.xml import ATOM, DECLARATION, Markup, element
from newsloom.reading.api.shapes import Article
from newsloom.reading.service import saved_lists as lists
from newsloom.reading.values.annotations import SavedList
from newsloom.reading.values.reading import Listed
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, ListView, Page, parse
from newsloom.web.site import Here, Nobody, Site, Sites, bare, go, today
from newsloom.web.wording import title_of

PLACE = bare(Page.LISTS)
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form(max_length=8 * LONGEST_TEXT)]

# Below this, the address is the secret.
FEEDS = "/list-feed/"

# Rows of a feed.
MOST = 100

# Unread articles of one list, beside its name.
MOST_COUNTED = 500

router = APIRouter()


@router.get("/lists")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.get("/lists/counts")
def counts(site: Here) -> HTMLResponse:
    """How many unread articles each of them has, to be put beside its name."""
    shown = [(one, unread_of(site.reader, view_of(one))) for one in lists.saved(site.reader)]
    return HTMLResponse(site.fragment("_list_counts.html", shown=shown, most=MOST_COUNTED))


@router.post("/lists", response_model=None)
def save(site: Here, request: Request, at: Text = "", name: Text = "") -> Response:
    # As it is now and from its top, whenever it is opened; a random order is drawn anew.
    view = parse(at).listing.to(seed=None)
    try:
        lists.save(site.reader, name, view.text)
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(view, "edited")


@router.post("/lists/{number}/rename", response_model=None)
def rename(site: Here, request: Request, number: Number, name: Text = "") -> Response:
    try:
        lists.rename(site.reader, number, name)
    except NotFound:
        raise
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(PLACE, "edited")


@router.post("/lists/{number}/drop")
def drop(site: Here, number: Number) -> Response:
    lists.delete(site.reader, number)
    return go(PLACE, "forgotten")


@router.post("/lists/{number}/address")
def address(site: Here, number: Number, do: Text = "") -> Response:
    """Create, replace or delete the secret address of the list's feed."""
    lists.set_address(site.reader, number, given=do != "end")
    return go(PLACE, "edited")


@router.get(FEEDS + "{token}.{kind}", response_model=None)
def feed(site: Nobody, request: Request, token: str, kind: str) -> Response:
    """For programs that know the address, which no login guards."""
    found = site.reader.store.users.list_of(token)
    form = next((one for one in FORMATS if one[0] == kind), None)
    sites: Sites = request.app.state.sites
    reader = sites.reader(found[0]) if found else None
    if found is None or form is None or reader is None:
        raise NotFound("There is no feed at this address.")
    _kind, media, written = form
    base = str(request.base_url).rstrip("/")
    made = written(
        ListFeed(
            found[1].name,
            f"{base}{FEEDS}{token}.{kind}",
            base + view_of(found[1]).url,
            [Article.model_validate(one) for one in rows_of(reader, view_of(found[1]))],
            today(reader.now()),
        )
    )
    tag = f'"{hashlib.blake2b(made.encode(), digest_size=8).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "private, max-age=300"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(made, media_type=f"{media}; charset=utf-8", headers=headers)


def view_of(one: SavedList) -> ListView:
    """The list itself."""
    return parse(one.place).listing


def rows_of(reader: Reader, view: ListView) -> tuple[Listed, ...]:
    """Its first rows. None where a search is no longer understood."""
    if not view.words:
        return reader.page(view.query(MOST))
    try:
        return reader.search(view.words, MOST, view.sort, None).rows
    except UserError:
        return ()


def unread_of(reader: Reader, view: ListView) -> int:
    """How many unread articles it has; not counted further than MOST_COUNTED."""
    if not view.words:
        return len(reader.page_ids(replace(view.query(MOST_COUNTED), unread_only=True)))
    try:
        return reader.search(f"{view.words} is:unread", 1, view.sort, None).count
    except UserError:
        return 0


def _page(site: Site, request: Request, *, problem: str = "", code: int = 200) -> HTMLResponse:
    base = str(request.base_url).rstrip("/")
    shown = [(one, view_of(one)) for one in lists.saved(site.reader)]
    kinds = [name for name, _media, _written in FORMATS]
    return site.page(
        request,
        "lists.html",
        PLACE,
        status=code,
        problem=problem,
        shown=shown,
        kinds=kinds,
        base=base,
    )


# A list of articles as a feed: Atom (RFC 4287) and JSON Feed 1.1.


@dataclass(frozen=True, slots=True)
class ListFeed:
    """A list under its name, with the address it is read at."""

    name: str
    address: str
    home: str
    entries: Sequence[Article]
    today: datetime  # its date as long as it has no entries

    @property
    def id(self) -> str:
        """Tells nothing of the secret address."""
        digest = hashlib.blake2b(self.address.encode(), digest_size=8).hexdigest()
        return f"urn:newsloom:list:{digest}"


def atom(feed: ListFeed) -> str:
    """As Atom."""
    updated = max((one.published for one in feed.entries), default=feed.today)
    return DECLARATION + element(
        "feed",
        {"xmlns": ATOM},
        element("title", feed.name),
        element("id", feed.id),
        element("link", {"rel": "self", "type": "application/atom+xml", "href": feed.address}),
        element("link", {"rel": "alternate", "type": "text/html", "href": feed.home}),
        element("updated", updated.isoformat()),
        element("author", element("name", "Newsloom")),
        *(_atom_entry(one, feed.id) for one in feed.entries),
    )


def _atom_entry(one: Article, feed: str) -> Markup:
    author = ", ".join(part for part in (one.author, one.feed_title) if part) or "Newsloom"
    return element(
        "entry",
        {"xml:lang": one.language} if one.language else {},
        element("title", title_of(one)),
        element("id", f"{feed}:{one.id}"),
        element("link", {"rel": "alternate", "href": one.url}) if one.url else "",
        element("updated", one.published.isoformat()),
        element("published", one.published.isoformat()),
        element("author", element("name", author)),
        element("summary", {"type": "text"}, one.excerpt),
    )


def json_feed(feed: ListFeed) -> str:
    """As JSON Feed 1.1 (jsonfeed.org/version/1.1)."""
    return json.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": feed.name,
            "feed_url": feed.address,
            "home_page_url": feed.home,
            "items": [_item(one, feed.id) for one in feed.entries],
        },
        ensure_ascii=False,
    )


def _item(one: Article, feed: str) -> dict[str, object]:
    authors = [{"name": name} for name in (one.author, one.feed_title) if name]
    found: dict[str, object] = {
        "id": f"{feed}:{one.id}",
        "url": one.url,
        "title": title_of(one),
        "content_text": one.excerpt,
        "image": one.image,
        "date_published": one.published.isoformat(),
        "authors": authors,
        "language": one.language,
    }
    return {name: value for name, value in found.items() if value or name == "content_text"}


# How a list is read: what stands behind its address, its media type, and who writes it.
FORMATS: tuple[tuple[str, str, Callable[[ListFeed], str]], ...] = (
    ("atom", "application/atom+xml", atom),
    ("json", "application/feed+json", json_feed),
)
