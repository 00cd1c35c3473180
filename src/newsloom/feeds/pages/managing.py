"""Many feeds at once, their categories and their order. Each request is one step, whole or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from newsloom.feeds.pages import feed_table
from newsloom.feeds.pages.feed_table import TableQuery
from newsloom.feeds.pages.feeds import feeds_page
from newsloom.feeds.service import arranging
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.columns import moment as moment_of
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import EventKind, Rows
from newsloom.web.list_view import LARGEST_ID, Page, parse
from newsloom.web.site import Here, Site, bare, go, wants_fragment

FEEDS = bare(Page.FEEDS)

# Feeds of one form, and the few fields beside them. A list of feeds has 10,000 at most.
MOST_FIELDS = 10_100

Text = Annotated[str, Form(max_length=2_000)]
Moment = Annotated[int, Path(ge=1, le=LARGEST_ID)]


router = APIRouter()


@dataclass(frozen=True, slots=True)
class Step:
    """What is done to which feeds."""

    do: str
    feeds: tuple[FeedId, ...]
    category: str
    back: TableQuery


@router.post("/feeds/bulk")
async def bulk(site: Here, request: Request) -> Response:
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    feeds = tuple(FeedId(_number(str(one))) for one in form.getlist("feed"))
    step = Step(
        fields.get("do", ""), feeds, fields.get("category", ""), feed_table.parse_query(fields)
    )
    return await run_in_threadpool(_done, site, step)


def _done(site: Site, step: Step) -> Response:
    if step.do not in _STEPS:
        raise UserError("Choose an action.")
    did, count = _STEPS[step.do](site, step)
    said: Mapping[str, object] = {"did": did, "n": count or ""} if did else {}
    return RedirectResponse(step.back.url(chosen=False, **said), status_code=303)


def _leave(site: Site, step: Step) -> tuple[str, int]:
    _count, at = arranging.leave(site.reader, step.feeds)
    return "lefttogether", micros(at)


def _read(site: Site, step: Step) -> tuple[str, int]:
    reader = site.reader
    unread = reader.store.reading.unread_of(reader.user, arranging.mine(reader, step.feeds))
    rows = reader.rows if reader.read_together else Rows.ARTICLE
    count = site.marking.these(unread, rows)
    return ("clearing", 0) if count is None else (EventKind.READ.value if count else "", count)


def _refresh(site: Site, step: Step) -> tuple[str, int]:
    now = site.reader.now()
    found = site.reader.feeds.refresh_all(set(arranging.mine(site.reader, step.feeds)))
    site.refreshes.note(found.feeds, now)
    if not found.asked:
        return "askednone", 0
    return ("askedsome" if found.held else "askedall"), found.asked


def _move(site: Site, step: Step, by: int) -> tuple[str, int]:
    arranging.move_feeds(site.reader, step.feeds, by)
    return "edited", 0


_STEPS: dict[str, Callable[[Site, Step], tuple[str, int]]] = {
    "file": lambda site, step: ("filed", arranging.file(site.reader, step.feeds, step.category)),
    "leave": _leave,
    "read": _read,
    "refresh": _refresh,
    "up": partial(_move, by=-1),
    "down": partial(_move, by=1),
}


@router.post("/feeds/left/{moment}/return")
def follow_again(site: Here, moment: Moment) -> Response:
    """All that were left in one step."""
    try:
        at = moment_of(moment)
    except OverflowError:
        raise NotFound("No feeds were unfollowed at that time.") from None
    arranging.follow_again(site.reader, at)
    return go(FEEDS, "returnedall")


@router.post("/feeds/order")
def order(
    site: Here, request: Request, feed: Text = "", category: Text = "", before: Text = ""
) -> Response:
    """A feed to where it was dragged: before another, or at the end of a category."""
    following = FeedId(_number(before)) if before else None
    arranging.place_feed(site.reader, FeedId(_number(feed)), category, following)
    return _moved(request)


@router.post("/feeds/alphabetical")
def alphabetical(site: Here) -> Response:
    arranging.alphabetical(site.reader)
    return go(FEEDS, "edited")


@router.post("/categories", response_model=None)
def make(site: Here, request: Request, name: Text = "") -> Response:
    try:
        arranging.make(site.reader, name)
    except UserError as error:
        return feeds_page(site, request, problem=str(error), code=400)
    return go(FEEDS, "edited")


@router.post("/categories/order")
def order_categories(
    site: Here, request: Request, name: Text = "", do: Text = "", before: Text = ""
) -> Response:
    """One place up or down, or to where it was dragged."""
    if do in ("up", "down"):
        arranging.move_category(site.reader, name, -1 if do == "up" else 1)
    else:
        arranging.place_category(site.reader, name, before)
    return _moved(request)


@router.post("/categories/rename", response_model=None)
def rename(
    site: Here, request: Request, old: Text = "", new: Text = "", merge: Text = ""
) -> HTMLResponse | Response:
    """Where the name is another's already, it is asked first whether both become one."""
    try:
        renamed = arranging.rename(site.reader, old, new, merge=bool(merge))
    except NotFound:
        raise
    except UserError as error:
        return feeds_page(site, request, problem=str(error), code=400)
    if renamed is None:
        return site.page(request, "merge.html", FEEDS, old=old, new=new.strip())
    _follow_name(site, old, renamed)
    return go(FEEDS, "edited")


def _follow_name(site: Site, old: str, new: str) -> None:
    """Saved lists of a category stay lists of it."""
    users, user = site.reader.store.users, site.reader.user
    for one in users.saved_lists(user):
        view = parse(one.place)
        if view.category == old:
            users.set_list_place(user, one.id, replace(view, category=new).text)


@router.post("/categories/drop")
def drop(site: Here, name: Text = "", leave: Text = "") -> Response:
    """Its feeds are in none then, or are left too."""
    if not leave:
        arranging.delete(site.reader, name)
        return go(FEEDS, "edited")
    count, at = arranging.drop_with_feeds(site.reader, name)
    return go(FEEDS, "lefttogether", micros(at)) if count else go(FEEDS, "edited")


def _moved(request: Request) -> Response:
    return Response(status_code=204) if wants_fragment(request) else go(FEEDS, "edited")


def _number(text: str) -> int:
    """Raises NotFound for what is no number of a feed."""
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= LARGEST_ID):
        raise NotFound("There is no such feed.")
    return int(text)
