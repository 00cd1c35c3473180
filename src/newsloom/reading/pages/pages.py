"""The pages that only show: list, article, its text, why, search, keys; and the JSON list.

Nothing here changes anything of the reader's.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from newsloom.accounts.pages.preferences import article_style
from newsloom.accounts.preference_values import BESIDE, LOOK, scopes_of
from newsloom.accounts.service.preferences import preferences
from newsloom.coverage.pages import coverage_view
from newsloom.duplicates.pages.cluster_view import Compared, Tied, compared, tied, versions
from newsloom.feeds.pages.beginning import to_pick
from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import directed, direction
from newsloom.kernel.text.html import sanitize
from newsloom.reading.pages import added_view
from newsloom.reading.pages.emptiness import Empty, empty
from newsloom.reading.pages.read_completion import needed
from newsloom.reading.search_language import SYNTAX, found_words
from newsloom.reading.values.ordering import Cursor
from newsloom.reading.values.reading import FullArticle, Listed, Rows
from newsloom.reading.values.searching import Found
from newsloom.stories.service import stories
from newsloom.web import view, wording
from newsloom.web.list_view import (
    LARGEST_ID,
    MOST_SEEDS,
    ListView,
    Page,
    opened_beside,
    parse,
    read,
)
from newsloom.web.security import frame_policy
from newsloom.web.site import (
    ROWS_COOKIE,
    STATIC,
    THEME_COOKIE,
    THEMES,
    WHOSE,
    Here,
    Nobody,
    Site,
    go,
    wants_fragment,
)

ArticleNumber = Annotated[int, Path(ge=1, le=LARGEST_ID)]

YEAR_SECONDS = 365 * 24 * 3600


router = APIRouter()

# Places in the text that keys can go to, 100 px apart: 40,000 px is fifty screens.
RAIL = 400

STYLE = (STATIC / "article.css").read_text(encoding="utf-8")
FRAME_HEADERS = {
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "unsafe-none",
}


@router.get("/", response_model=None)
def articles(site: Here, request: Request) -> Response:
    return site.page_cache.answer(
        request, site.reader.user, site.what_changes, partial(_articles, site, request)
    )


def _articles(site: Site, request: Request) -> Response:
    place = read(request.query_params).listing
    if "" in request.query_params.values():
        return go(place)  # the filters of a form that were left as they are
    if place.undrawn:
        return go(drawn(place))
    if (article := _alone(site, request, place)) is not None:
        return article
    moment = site.reader.as_of()
    listing = site.reader.listing(place.query())
    # From here on the list is the one that is shown now, whatever is read in it.
    place = replace(place, as_of=place.as_of or moment)
    facts = _list_facts(site, request, place, listing.rows, listing.after)
    if wants_fragment(request):
        if place.after is not None:
            return HTMLResponse(site.fragment("_rows.html", **facts))
        chrome = site.chrome()
        news = site.news(chrome)
        return HTMLResponse(site.fragment("_fresh.html", news=news, **facts))
    nothing = None if listing.rows else _empty(site, place)
    filters = view.filters(
        place.language,
        int(place.score),
        place.sensitivity,
        site.chrome().languages,
        int(place.importance),
        place.span or "",
    )
    return site.page(
        request,
        "list.html",
        status=404 if nothing and nothing.missing else 200,
        filters=filters,
        nothing=nothing,
        opened=opened_beside(request.query_params),
        to_pick=to_pick(request) if nothing and nothing.begin else None,
        **facts,
    )


def _empty(site: Site, place: ListView) -> Empty:
    chrome = site.chrome()
    first_pass = chrome.status.running and chrome.status.last_pass is None
    return empty(place, chrome.subscriptions, first_pass=first_pass)


def drawn(place: ListView) -> ListView:
    """The list in a random order of its own, which its address keeps: it goes on and comes back."""
    return replace(place, seed=secrets.randbelow(MOST_SEEDS))


@router.get("/search", response_model=None)
def search(site: Here, request: Request) -> Response:
    with site.page_cache.slot():
        return _search(site, request)


def _search(site: Site, request: Request) -> Response:
    place = replace(read(request.query_params), page=Page.SEARCH)
    if place.undrawn:
        return go(drawn(place))
    if (article := _alone(site, request, place)) is not None:
        return article
    found, refused = _found(site, place)
    facts = _list_facts(site, request, place, found.rows, found.after)
    if wants_fragment(request):
        return HTMLResponse(site.fragment("_rows.html", **facts))
    return site.page(
        request,
        "search.html",
        found=found,
        count=found_words(found),
        refused=refused,
        syntax=SYNTAX,
        opened=opened_beside(request.query_params),
        **facts,
    )


def _alone(site: Site, request: Request, place: ListView) -> Response | None:
    """Of an address that names an article beside the list, that article by itself where the list
    does not look so."""
    opened = opened_beside(request.query_params)
    if opened is None:
        return None
    look = preferences(site.reader).value(LOOK, *scopes_of(place.feed, place.category))
    return None if look == BESIDE else go(place.open(opened))


def _found(site: Site, place: ListView, limit: int | None = None) -> tuple[Found, str]:
    """A page of what was searched for; or why that cannot be searched for."""
    most = place.query(limit).limit
    try:
        found = site.reader.search(place.words, most, place.sort, place.after, place.seed or 0)
        return found, ""
    except UserError as refused:
        return Found(order=place.sort), str(refused)


@router.get("/articles/{number}")
def article(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    with site.page_cache.slot():
        return _article(site, request, number, at)


def _article(site: Site, request: Request, number: int, at: str) -> HTMLResponse:
    place = parse(at).listing.open(number)
    full = site.reader.article(ArticleId(number))
    shares_row = site.reader.rows is Rows.STORY or any(one.in_cluster for one in full.related)
    before, after = _neighbours(site, place, shares_row)
    now = site.now(request)
    shown = site.part if wants_fragment(request) else site.page
    return shown(
        request,
        "article.html",
        place,
        beside=wants_fragment(request),
        row=view.row(full.listed, now),
        tied=tied(full, now),
        versions=versions(full, now),
        coverage=coverage_view.beside(site.reader, full, now),
        story=stories.of_article(site.reader, ArticleId(number)),
        before=before,
        after=after,
        needed=_seconds(needed(full.html)),
        related=place.related,
        share_url=place.listing.share_url(number),
        **added_view.facts(site.reader, full.listed.id, site.chrome().tags),
    )


def _seconds(span: timedelta | None) -> int:
    """In whole seconds, upwards; 0 when there is no text to finish."""
    return 0 if span is None else math.ceil(span.total_seconds())


@router.get("/articles/{number}/body")
def body(site: Here, request: Request, number: ArticleNumber, theme: str = "auto") -> HTMLResponse:
    full = site.reader.article(ArticleId(number))
    shown: ShownPictures = request.app.state.pictures
    style = STYLE + article_style(preferences(site.reader))
    page = site.fragment(
        "body.html",
        style=style,
        rail=RAIL,
        theme=theme if theme in THEMES else "auto",
        **_body_facts(site, full, site.now(request), shown),
    )
    policy = frame_policy(style, shown.sources(str(request.base_url).rstrip("/")))
    return HTMLResponse(
        page, headers={**FRAME_HEADERS, "content-security-policy": policy, WHOSE: site.whose}
    )


@router.get("/articles/{number}/row")
def row(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    place = parse(at).listing
    found = site.reader.listed([ArticleId(number)], place.query())
    if not found:
        raise NotFound(f"There is no article {number} among your feeds.")
    shown = view.row(found[0], site.now(request))
    return HTMLResponse(site.fragment("_row.html", row=shown, place=place))


@router.get("/articles/{number}/why")
def why(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    place = parse(at).listing.why(number)
    shown = view.why(site.reader.why(ArticleId(number)), site.now(request))
    lowered = site.reader.lowered(ArticleId(number), parse(at).query())
    if wants_fragment(request):
        return HTMLResponse(site.fragment("_why.html", why=shown, place=place, lowered=lowered))
    return site.page(request, "why.html", place, why=shown, lowered=lowered)


@router.post("/theme")
def theme(at: Annotated[str, Form()] = "", theme: Annotated[str, Form()] = "") -> Response:
    answer = go(parse(at))
    chosen = theme if theme in THEMES else "auto"
    answer.set_cookie(THEME_COOKIE, chosen, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
    return answer


@router.post("/rows")
def rows(at: Annotated[str, Form()] = "", rows: Annotated[str, Form()] = "") -> Response:
    """What the rows of every list are, in this browser; anything else: as the setting says."""
    answer = go(parse(at).listing.to())
    if rows in set(Rows):
        answer.set_cookie(ROWS_COOKIE, rows, max_age=YEAR_SECONDS, httponly=True, samesite="lax")
    else:
        answer.delete_cookie(ROWS_COOKIE)
    return answer


@router.get("/healthz")
def health(site: Nobody, request: Request) -> JSONResponse:
    """That the pages are served; how many are unread, only where nobody signs in."""
    visitor = request.state.visitor
    unread = site.reader.unread() if visitor and not visitor.name else None
    return JSONResponse({"ok": True} if unread is None else {"ok": True, "unread": unread})


def _list_facts(
    site: Site, request: Request, place: ListView, rows: tuple[Listed, ...], after: Cursor | None
) -> dict[str, Any]:
    """One page of a list, and where the next one is when there is more.

    What is added to a page that is open belongs to the whole list from its top.
    """
    return {
        "place": place.whole if wants_fragment(request) else place,
        "rows": view.rows(rows, site.now(request)),
        "more": None if after is None else place.more(after),
    }


def _neighbours(
    site: Site, place: ListView, shares_row: bool
) -> tuple[ListView | None, ListView | None]:
    """The articles before and after this one in its list.

    An article that has left its list (it was read, say) is followed by the first that is left.
    `shares_row`: its row may show another article.
    """
    ids, end = _ids_of(site, place)
    at = ids.index(place.article) if place.article in ids else None
    if at is None and shares_row:
        rows = _found(site, place)[0] if place.words else site.reader.listing(place.query())
        at = next((at for at, row in enumerate(rows.rows) if _is_in_row(row, place.article)), None)
    if at is None:
        return None, place.open(ids[0]) if ids else None
    above = None if place.after is None else place.after.before
    earlier = ids[at - 1] if at else above
    before = None if earlier is None else place.open(earlier)
    if at + 1 < len(ids):
        return before, place.open(ids[at + 1])
    return before, None if end is None else _first_after(site, place, end)


def _first_after(site: Site, place: ListView, end: Cursor) -> ListView | None:
    """The first article of the next page, on a page that has it."""
    onward = place.more(end)
    found, _end = _ids_of(site, onward, 1)
    has_it = onward.whole if place.after is None and onward.shown > place.shown else onward
    return has_it.open(found[0]) if found else None


def _ids_of(
    site: Site, place: ListView, limit: int | None = None
) -> tuple[tuple[ArticleId, ...], Cursor | None]:
    """The articles that the rows of a page show, and where the next one begins."""
    if not place.words:
        return site.reader.listing_ids(place.query(limit))
    found, _refused = _found(site, place, limit)
    return tuple(row.id for row in found.rows), found.after


def _is_in_row(row: Listed, article: ArticleId | None) -> bool:
    """Whether an article is one of those that a row names beside the one it shows."""
    clustered = row.cluster.others if row.cluster else ()
    row_articles = row.story.others if row.story else ()
    return article in {one.id for one in (*clustered, *row_articles)}


def _body_facts(
    site: Site, full: FullArticle, now: datetime, pictures: ShownPictures
) -> dict[str, Any]:
    """The article whole, sanitised now: what is stored is what the publisher wrote."""
    present = full.listed.title, full.feed_html
    return {
        "row": view.row(full.listed, now),
        "direction": direction,
        "html": pictures.html(
            added_view.marked(site.reader, full.listed.id, added_view.shown(full))
        ),
        "own_html": _shown(full.own_html, full, pictures),
        "full": bool(full.page_url),
        "undated": full.undated,
        "page_problem": wording.clean(full.page_problem, 200),
        "labels": [wording.clean(name, 60) for name in full.categories[:12]],
        "attachments": view.attachments(full.enclosures),
        "comments": wording.web_address(full.comments_url),
        "copies": [
            {
                "title": wording.clean(one.title, wording.TITLE_LENGTH) or "Untitled",
                "url": wording.web_address(one.url),
                "feed": wording.clean(one.feed_title, 120),
                "evidence": wording.clean(one.evidence[0].detail, 200) if one.evidence else "",
            }
            for one in full.copies
        ],
        "revisions": [
            {
                "seen": wording.date_words(one.seen, now.tzinfo),
                "title": wording.clean(one.title, wording.TITLE_LENGTH) or "Untitled",
                "html": _shown(one.text, full, pictures),
                "compared": compared((one.title, one.text), present),
            }
            for one in full.revisions
        ],
        "versions": [
            {"version": one, "compared": _against(site, one, present)}
            for one in versions(full, now)
        ],
    }


def _shown(html: str, full: FullArticle, pictures: ShownPictures) -> str:
    clean = sanitize(html, wording.web_address(full.listed.url))
    return pictures.html(directed(accessible(clean), full.listed.language))


def _against(site: Site, version: Tied, present: tuple[str, str]) -> Compared:
    """What changed from the earlier of two versions to the later."""
    full = site.reader.article(ArticleId(version.id))
    other = full.listed.title, full.feed_html
    return compared(present, other) if version.later else compared(other, present)
