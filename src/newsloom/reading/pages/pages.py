"""The pages that only show: list, article, why, search.

Nothing here changes anything of the reader's.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from newsloom.accounts.preference_values import BESIDE, LOOK, scopes_of
from newsloom.accounts.service.preferences import preferences
from newsloom.coverage.pages import article_coverage
from newsloom.duplicates.pages import (
    compared,
    related_articles,
    versions,
)
from newsloom.feeds.pages.beginning import to_pick
from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.accessible import accessible
from newsloom.kernel.text.direction import directed, direction
from newsloom.kernel.text.html import headline, sanitize, to_text
from newsloom.reading import quotes
from newsloom.reading.pages.emptiness import Empty, empty
from newsloom.reading.read_completion import needed, reading_minutes
from newsloom.reading.search_language import SYNTAX, found_words
from newsloom.reading.service import annotating
from newsloom.reading.service.annotating import Added
from newsloom.reading.values.annotations import Highlight, HighlightId, Tag
from newsloom.reading.values.reading import FullArticle, Listed, Rows
from newsloom.reading.values.searching import Cursor, Found
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
from newsloom.web.site import (
    ROWS_COOKIE,
    THEME_COOKIE,
    Here,
    Nobody,
    Site,
    go,
    wants_fragment,
)
from newsloom.web.templating import THEMES

ArticleNumber = Annotated[int, Path(ge=1, le=LARGEST_ID)]

YEAR_SECONDS = 365 * 24 * 3600

# Who has so many is offered no more of them in the list.
ENOUGH_INTERESTS = 3


router = APIRouter()


@router.get("/", response_model=None)
def articles(site: Here, request: Request) -> Response:
    def make() -> Response:
        with site.snapshot():
            return _articles(site, request)

    return site.page_cache.answer(request, site.reader.user, site.page_version, make)


def _articles(site: Site, request: Request) -> Response:
    list_view = read(request.query_params).listing
    if "" in request.query_params.values():
        return go(list_view)  # the filters of a form that were left as they are
    if list_view.undrawn:
        return go(drawn(list_view))
    opened = opened_beside(request.query_params)
    if opened and not _looks_beside(site, list_view):
        return go(list_view.open(opened))
    moment = list_view.as_of or site.reader.store.lists.as_of(site.reader.user)
    listing = site.reader.listing(list_view.query())
    # From here on the list is the one that is shown now, whatever is read in it.
    list_view = replace(list_view, as_of=moment)
    facts = _list_facts(site, request, list_view, listing.rows, listing.after)
    if wants_fragment(request):
        if list_view.after is not None:
            return HTMLResponse(site.fragment("_rows.html", **facts))
        chrome = site.chrome()
        news = site.news(chrome)
        return HTMLResponse(site.fragment("_fresh.html", news=news, **facts))
    nothing = None if listing.rows else _empty(site, list_view)
    return site.page(
        request,
        "list.html",
        status=404 if nothing and nothing.missing else 200,
        filters=view.filters(list_view, site.chrome().languages),
        nothing=nothing,
        opened=opened,
        # Topics that make "For you" the reader's own.
        offered=site.topic_offers.of(site.reader, site.chrome(), ENOUGH_INTERESTS)
        if replace(list_view, as_of=None) == ListView()
        else [],
        to_pick=to_pick(request) if nothing and nothing.begin else None,
        **facts,
    )


def _empty(site: Site, view: ListView) -> Empty:
    chrome = site.chrome()
    first_pass = chrome.status.running and chrome.status.last_pass is None
    return empty(view, chrome.subscriptions, first_pass=first_pass)


def drawn(view: ListView) -> ListView:
    """The list in a random order of its own, which its address keeps: it goes on and comes back."""
    return replace(view, seed=secrets.randbelow(MOST_SEEDS))


@router.get("/search", response_model=None)
def search(site: Here, request: Request) -> Response:
    with site.page_cache.slot(), site.snapshot():
        view = replace(read(request.query_params), page=Page.SEARCH)
        if view.undrawn:
            return go(drawn(view))
        opened = opened_beside(request.query_params)
        if opened and not _looks_beside(site, view):
            return go(view.open(opened))
        found, refused = _found(site, view)
        facts = _list_facts(site, request, view, found.rows, found.after)
        if wants_fragment(request):
            return HTMLResponse(site.fragment("_rows.html", **facts))
        return site.page(
            request,
            "search.html",
            found=found,
            count=found_words(found),
            refused=refused,
            syntax=SYNTAX,
            opened=opened,
            **facts,
        )


def _looks_beside(site: Site, view: ListView) -> bool:
    """Whether the list shows articles beside it."""
    look = preferences(site.reader).value(LOOK, *scopes_of(view.feed, view.category))
    return look == BESIDE


def _found(site: Site, view: ListView, limit: int | None = None) -> tuple[Found, str]:
    """A page of what was searched for; or why that cannot be searched for."""
    most = view.query(limit).limit
    try:
        found = site.reader.search(view.words, most, view.sort, view.after, view.seed or 0)
        return found, ""
    except UserError as refused:
        return Found(order=view.sort), str(refused)


@router.get("/articles/{number}")
def article(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    with site.page_cache.slot(), site.snapshot():
        list_view = parse(at).listing.open(number)
        full = site.reader.article(ArticleId(number))
        before, after = _neighbours(site, list_view, full)
        now, fastest = site.now(request), needed(full.html)
        added = annotating.added(site.reader, full.listed)
        shown = site.part if wants_fragment(request) else site.page
        return shown(
            request,
            "article.html",
            list_view,
            beside=wants_fragment(request),
            tied=related_articles(full, now) if full.related else (),
            coverage=article_coverage(site.reader, full, now),
            story=stories.of_article(site.reader, ArticleId(number)),
            before=before,
            after=after,
            needed=0 if fastest is None else math.ceil(fastest.total_seconds()),
            minutes=reading_minutes(fastest),
            related=list_view.open_url(number, "/related"),
            share_url=list_view.listing.open_url(number, "/share"),
            **_body(site, full, now, added.highlights, request.app.state.pictures),
            **facts_of_added(added, site.chrome().tags_beside),
        )


@router.get("/articles/{number}/row")
def row(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    list_view = parse(at).listing
    found = site.reader.listed([ArticleId(number)], list_view.query())
    if not found:
        raise NotFound(f"There is no article {number} among your feeds.")
    shown = view.row(found[0], site.now(request))
    return HTMLResponse(site.fragment("_row.html", row=shown, place=list_view))


@router.get("/articles/{number}/why")
def why(site: Here, request: Request, number: ArticleNumber, at: str = "") -> HTMLResponse:
    list_view = parse(at).listing.open(number, Page.WHY)
    shown = view.why(site.reader.why(ArticleId(number)), site.now(request))
    demotion = site.reader.demotion_reason(ArticleId(number), parse(at).query())
    if wants_fragment(request):
        return HTMLResponse(
            site.fragment("_why.html", why=shown, place=list_view, lowered=demotion)
        )
    return site.page(request, "why.html", list_view, why=shown, lowered=demotion)


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
    site: Site,
    request: Request,
    list_view: ListView,
    rows: tuple[Listed, ...],
    after: Cursor | None,
) -> dict[str, Any]:
    """One page of a list, and where the next one is when there is more.

    What is added to a page that is open belongs to the whole list from its top.
    """
    return {
        "place": list_view.whole if wants_fragment(request) else list_view,
        "rows": view.rows(rows, site.now(request)),
        "more": None if after is None else list_view.more(after),
    }


def _neighbours(
    site: Site, view: ListView, full: FullArticle
) -> tuple[ListView | None, ListView | None]:
    """The articles before and after this one, or the one that its row shows, in its list.

    An article that has left its list (it was read, say) is followed by the first that is left.
    """
    ids, end = _ids_of(site, view)
    here = {view.article} if view.article in ids else _row_mates(site, view, full)
    at = next((at for at, one in enumerate(ids) if one in here), None)
    if at is None:
        return None, view.open(ids[0]) if ids else None
    above = None if view.after is None else view.after.before
    earlier = ids[at - 1] if at else above
    before = None if earlier is None else view.open(earlier)
    if at + 1 < len(ids):
        return before, view.open(ids[at + 1])
    return before, None if end is None else _first_after(site, view, end)


def _first_after(site: Site, view: ListView, end: Cursor) -> ListView | None:
    """The first article of the next page, on a page that has it."""
    onward = view.more(end)
    found, _end = _ids_of(site, onward, 1)
    has_it = onward.whole if view.after is None and onward.shown > view.shown else onward
    return has_it.open(found[0]) if found else None


def _ids_of(
    site: Site, view: ListView, limit: int | None = None
) -> tuple[tuple[ArticleId, ...], Cursor | None]:
    """The articles that the rows of a page show, and where the next one begins."""
    if not view.words:
        return site.reader.listing_ids(view.query(limit))
    found, _refused = _found(site, view, limit)
    return tuple(row.id for row in found.rows), found.after


def _row_mates(site: Site, view: ListView, full: FullArticle) -> set[ArticleId]:
    """The articles that may stand for this one in a row of the list."""
    if site.reader.rows is Rows.STORY:
        rows = _found(site, view)[0] if view.words else site.reader.listing(view.query())
        return {row.id for row in rows.rows if _is_in_row(row, full.listed.id)}
    if site.reader.rows is Rows.ARTICLE:
        return set()
    texts = site.reader.rows is Rows.TEXT
    return {one.id for one in full.related if (one.same_text if texts else one.in_cluster)}


def _is_in_row(row: Listed, article: ArticleId) -> bool:
    """Whether an article is one of those that a row names beside the one it shows."""
    clustered = row.cluster.others if row.cluster else ()
    row_articles = row.story.others if row.story else ()
    return article in {one.id for one in (*clustered, *row_articles)}


def _body(
    site: Site,
    full: FullArticle,
    now: datetime,
    highlights: Sequence[Highlight],
    pictures: ShownPictures,
) -> dict[str, Any]:
    """The article itself."""
    return {
        "row": view.row(full.listed, now),
        "direction": direction,
        "html": highlighted_html(full, highlights, pictures),
        "own_html": pictures.html(shown_html(full, full.own_html)) if full.own_html else "",
        "full": bool(full.page_url),
        "undated": full.undated,
        "page_problem": wording.clean(full.page_problem, 200),
        "labels": full.categories[:12],
        "attachments": view.attachments(full.enclosures) if full.enclosures else (),
        "comments": wording.web_address(full.comments_url),
        "revisions": _revisions(full, now, pictures) if full.revisions else (),
        "versions": _versions(site, full, now) if full.related else (),
    }


def _revisions(full: FullArticle, now: datetime, pictures: ShownPictures) -> list[dict[str, Any]]:
    """What the article was before, with what changed since."""
    present = full.listed.title, full.feed_html
    return [
        {
            "seen": wording.date_words(one.seen, now.tzinfo),
            "title": wording.clean(
                headline(one.title, to_text(one.text, 400)), wording.TITLE_LENGTH
            )
            or "Untitled",
            "html": pictures.html(shown_html(full, one.text)) if one.text else "",
            "compared": compared((one.title, one.text), present),
        }
        for one in full.revisions
    ]


def _versions(site: Site, full: FullArticle, now: datetime) -> list[dict[str, Any]]:
    """Its other versions, with what changed from the earlier of two to the later."""
    present = full.listed.title, full.feed_html
    found = []
    for version in versions(full, now):
        there = site.reader.article(ArticleId(version.id))
        other = there.listed.title, there.feed_html
        changed = compared(present, other) if version.later else compared(other, present)
        found.append({"version": version, "compared": changed})
    return found


def shown_html(full: FullArticle, other: str = "") -> str:
    """The HTML of an article, or another text of its feed, sanitised: what is stored is what the
    publisher wrote. Pictures are still at their sites."""
    url = wording.web_address(full.listed.url)
    html = sanitize(other, url) if other else sanitize(full.html, full.page_url or url)
    return directed(accessible(html), full.listed.language)


def highlighted_html(
    full: FullArticle, highlights: Sequence[Highlight], pictures: ShownPictures
) -> str:
    """The HTML of an article as its page shows it, with what the reader highlighted in it."""
    html = shown_html(full)
    if not highlights:
        return pictures.html(html)
    found = quotes.passage(html)
    places = annotating.spans(found.text, highlights)
    notes = {one.id: wording.clean(one.note, 400) for one in highlights}
    spans = {number: (*place, notes[HighlightId(number)]) for number, place in places.items()}
    return pictures.html(quotes.marked(html, found, spans))


def facts_of_added(added: Added, tags: Iterable[Tag]) -> dict[str, Any]:
    """What the part of a page about what was added needs. `tags`: all of the reader's."""
    return {
        "added": added,
        "known_tags": tags,
        "longest_note": annotating.LONGEST_NOTE,
        "refused": "",
        "typed": None,
    }
