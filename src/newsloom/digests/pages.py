"""Digests: what mattered today or in a window that the reader names, the archive, the schedules."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from newsloom.digests import charts, formats
from newsloom.digests.atom import atom
from newsloom.digests.links import FEED, LEAVE, Links
from newsloom.digests.service import digests, schedules
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestKind,
)
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading import moments
from newsloom.reading.values.reading import EventKind
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, Page
from newsloom.web.site import Here, Nobody, Site, bare, today
from newsloom.web.wording import clean

DIGEST = bare(Page.DIGEST)
SHOWN = {str(one): one for one in schedules.USUAL}
# What a reader does in a digest is told apart from the same done in a list.
VIA = "digest"
MARKS = {
    one.value: one
    for one in (
        EventKind.LIKE,
        EventKind.DISLIKE,
        EventKind.UNRATE,
        EventKind.STAR,
        EventKind.UNSTAR,
    )
}
ARCHIVED = 30
# How long a digest on the page is cached, and how many are cached for a reader. Refresh makes a new
# one; one of 1,000 articles takes a second.
STAYS, MOST_KEPT = timedelta(minutes=15), 8
IN_FEED = 30

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/digest", response_model=None)
def digest(
    site: Here,
    request: Request,
    kind: str = "morning",
    since: str = "",
    form: str = "",
    new: str = "",
) -> Response:
    typed = clean(since, LONGEST_TEXT)
    if new:
        site.digests.clear()
        return RedirectResponse(f"/digest?{urlencode({'kind': kind, 'since': typed})}", 303)
    if form:
        return _digest(site, request, kind, typed, form)
    return site.page_cache.answer(
        request,
        site.reader.user,
        lambda: (site.page_version(), tuple(one.end for one in site.digests.values())),
        lambda: _digest(site, request, kind, typed),
    )


def _digest(site: Site, request: Request, kind: str, typed: str, form: str = "") -> Response:
    try:
        made = _made(site, kind, typed, site.now(request))
    except UserError as error:
        return _page(site, request, kind, typed, None, str(error))
    return _as_file(made, form) or _page(site, request, kind, typed, made)


@router.get("/digest/{number}", response_model=None)
def archived(site: Here, request: Request, number: Number, form: str = "") -> Response:
    found = schedules.archived(site.reader, number)
    store, user = site.reader.store.digests, site.reader.user
    before = store.digests(user, 1, before=found.id)
    return _as_file(found.digest, form) or site.page(
        request,
        "digest_kept.html",
        DIGEST,
        kept=found,
        earlier=before[0].id if before else None,
        following=after.id if (after := store.digest_after(user, found.id)) else None,
        window=formats.window(found.digest),
        sendings=store.sendings(found.id),
        marked=site.reader.states({one.id for one in _articles(found.digest)}),
        **_facts(found.digest),
    )


@router.post("/digest/{number}/read")
def read(site: Here, number: Number) -> Response:
    """Mark everything in it read. It says nothing of any of it."""
    count = schedules.mark_read(site.reader, number, VIA)
    did = f"read&n={count}" if count else "nothing"
    return RedirectResponse(f"/digest/{int(number)}?did={did}", status_code=303)


@router.post("/digest/{number}/marks")
def mark(site: Here, number: Number, article: Text = "", kind: Text = "") -> Response:
    """A like, a dislike or a star of an article, as in any list."""
    found = schedules.archived(site.reader, number)
    if kind not in MARKS:
        raise UserError("There is no such mark.")
    chosen = next((one for one in _articles(found.digest) if str(one.id) == article), None)
    if chosen is None:
        raise NotFound("There is no such article in this digest.")
    site.reader.mark([chosen.id], MARKS[kind], VIA)
    there = f"/digest/{int(number)}?did={kind}&n=1#article-{chosen.id}"
    return RedirectResponse(there, status_code=303)


@router.get(FEED + "{token}", response_model=None)
def feed(site: Nobody, request: Request, token: str) -> Response:
    """For programs that know the address, which no login guards."""
    found = site.reader.store.digests.feed_of(token)
    if found is None or found[1] != schedules.DIGESTS:
        raise NotFound("There is no feed at this address.")
    newest = site.reader.store.digests.newest_digests(found[0], IN_FEED)
    links = Links(str(request.base_url).rstrip("/"))
    text = atom(newest, links, token, today(site.reader.now()))
    return Response(text, media_type="application/atom+xml; charset=utf-8")


@router.get(LEAVE + "{token}", response_model=None)
def leaving(site: Nobody, token: str) -> Response:
    """Asks before it ends anything: link scanners of mail servers open every address."""
    store = site.reader.store
    target = store.digests.target(token) or store.briefs.target(token)
    page = site.fragment("leave.html", target=target, token=token, left=False, theme="auto")
    return HTMLResponse(page, status_code=200 if target else 404)


@router.post(LEAVE + "{token}", response_model=None)
def leave(site: Nobody, token: str) -> Response:
    """One click, by a person or by their mail client (RFC 8058)."""
    store = site.reader.store
    target = store.digests.unsubscribe(token) or store.briefs.unsubscribe(token)
    page = site.fragment("leave.html", target=target, token=token, left=True, theme="auto")
    return HTMLResponse(page, status_code=200 if target else 404)


def _made(site: Site, kind: str, since: str, now: datetime) -> Digest:
    """As it was made for this page lately of the same feeds, or made now."""
    feeds = frozenset(one.feed_id for one in site.chrome().subscriptions)
    key = kind, since, str(now.tzinfo), feeds
    made = site.digests.get(key)
    if made is None or now - made.end >= STAYS:
        made = _composed(site, kind, since, now)
        if len(site.digests) >= MOST_KEPT:
            site.digests.clear()
        if made.topics:  # feeds that were just added have articles any moment
            site.digests[key] = made
    return made


def _composed(site: Site, kind: str, since: str, now: datetime) -> Digest:
    end, zone = site.reader.now(), str(now.tzinfo or "UTC")
    if since:
        when = moments.at(moments.parse(since), now)
        return digests.compose(site.reader, DigestKind.AD_HOC, when, end, zone)
    return digests.compose(site.reader, SHOWN.get(kind, DigestKind.MORNING), None, end, zone)


def _as_file(made: Digest, form: str) -> Response | None:
    """In another format, to be kept as a file: what a publisher wrote is no page of this site."""
    chosen = {one.name: one for one in formats.FORMATS}.get(form)
    if chosen is None:
        return None
    kept = {"content-disposition": f'attachment; filename="digest.{chosen.suffix}"'}
    media_type = f"{chosen.media_type}; charset=utf-8"
    return Response(chosen.render(made), media_type=media_type, headers=kept)


def _page(
    site: Site, request: Request, kind: str, since: str, made: Digest | None, problem: str = ""
) -> HTMLResponse:
    store, user = site.reader.store.digests, site.reader.user
    return site.page(
        request,
        "digest.html",
        DIGEST,
        status=400 if problem else 200,
        problem=problem,
        digest=made,
        kinds=[(name, name == kind and not since) for name in SHOWN],
        since=since,
        chosen=kind,
        archive=store.digests(user, ARCHIVED),
        **(_facts(made) if made else {}),
    )


def _facts(made: Digest) -> dict[str, Any]:
    """What the templates of a digest use beside it."""
    facts = {
        "also_by": formats.also_by,
        "attributed": formats.attributed,
        "byline": formats.byline,
        "lists": formats.lists,
        "new": formats.NEW,
        "most_others": formats.MOST_OTHERS,
        "related": formats.RELATED,
        "relaxed": formats.RELAXED,
        "mix": Markup(charts.source_mix(made)),  # noqa: S704 - its words are escaped there
        "trend_line": lambda one: Markup(charts.trend_line(one)),  # noqa: S704
    }
    return {"facts": facts, "forms": [one.name for one in formats.FORMATS]}


def _articles(made: Digest) -> list[DigestArticle]:
    return [one for topic in made.topics for one in (topic.lead, *topic.related)]
