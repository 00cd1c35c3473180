"""Everything that is sent: digests, briefs, news of followed stories and of rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.briefs.pages.briefs import actions_of, choices, wished
from newsloom.briefs.service import brief_schedules
from newsloom.digests.links import FEED
from newsloom.digests.service import schedules
from newsloom.digests.values import DigestKind
from newsloom.kernel.delivery.schedules import WEEKDAYS, drop_schedule
from newsloom.kernel.errors import NotFound, UserError
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

PLACE = bare(Page.NOTIFICATIONS)

KINDS = {str(one): one for one in schedules.USUAL}
# What is sent whenever there is something, and its heading and explanation.
NEWS = {
    DigestKind.STORIES: (
        "Followed stories",
        "When a story you follow has new facts or many more sources.",
    ),
    DigestKind.RULES: ("Rules", "Articles of rules that notify, in batches."),
}

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/notifications")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/notifications/{kind}", response_model=None)
def send_news(
    site: Here, request: Request, kind: str, mail: Text = "", webhook: Text = "", end: Text = ""
) -> Response:
    """Where news of followed stories, or of rules, is sent; `end`: nowhere."""
    if kind not in set(NEWS):
        raise NotFound("There is no such notification.")
    try:
        targets = [] if end else schedules.targets_of(mail, webhook)
        if not (targets or end):
            raise UserError("Enter a mail address or a webhook.")
        schedules.send_news(site.reader, DigestKind(kind), _zone(site, request), targets)
    except UserError as error:
        return _page(site, request, str(error))
    return go(PLACE, "forgotten" if end else "edited")


@router.post("/digest/schedules", response_model=None)
def add_digest(
    site: Here,
    request: Request,
    kind: Text = "",
    time: Text = "",
    zone: Text = "",
    day: Text = "sunday",
    mail: Text = "",
    webhook: Text = "",
) -> Response:
    zone = clean(zone, LONGEST_TEXT) or _zone(site, request)
    try:
        if kind not in KINDS:
            raise UserError(f"Choose one of {', '.join(KINDS)}.")
        targets = schedules.targets_of(mail, webhook)
        schedules.add(site.reader, KINDS[kind], time, zone, day, targets)
    except UserError as error:
        return _page(site, request, str(error))
    return go(PLACE, "scheduled")


@router.post("/digest/schedules/{number}/drop")
def drop_digest(site: Here, number: Number) -> Response:
    drop_schedule(site.reader.store.digests, site.reader.user, number)
    return go(PLACE, "forgotten")


@router.post("/digest/feed")
def digest_feed(site: Here, do: Text = "") -> Response:
    """Create, replace or delete the secret address of the digest feed."""
    if do == "end":
        schedules.drop_feed(site.reader)
    else:
        schedules.feed_token(site.reader, make=True, new=do == "new")
    return go(PLACE, "edited")


@router.post("/briefs/schedules", response_model=None)
def add_brief(
    site: Here,
    request: Request,
    days: Annotated[list[str] | None, Form()] = None,
    time: Text = "",
    zone: Text = "",
    language: Text = "",
    second: Text = "",
    minutes: Text = "",
    voice: Text = "",
    mail: Text = "",
    webhook: Text = "",
) -> Response:
    zone = clean(zone, LONGEST_TEXT) or _zone(site, request)
    try:
        wish = wished(actions_of(request), (language, second), minutes, voice)
        targets = schedules.targets_of(mail, webhook)
        brief_schedules.add(site.reader, wish, time, zone, days or (), targets)
    except UserError as error:
        return _page(site, request, str(error))
    return go(PLACE, "scheduled")


@router.post("/briefs/schedules/{number}/drop")
def drop_brief(site: Here, number: Number) -> Response:
    drop_schedule(site.reader.store.briefs, site.reader.user, number)
    return go(PLACE, "forgotten")


def _zone(site: Site, request: Request) -> str:
    return str(site.now(request).tzinfo or "UTC")


def _page(site: Site, request: Request, problem: str = "") -> HTMLResponse:
    planned = site.reader.store.digests.schedules(site.reader.user)
    token = schedules.feed_token(site.reader)
    return site.page(
        request,
        "notifications.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        digests=[one for one in planned if one.kind in schedules.USUAL],
        briefs=site.reader.store.briefs.schedules(site.reader.user),
        events=[
            (kind, *words, next((one for one in planned if one.kind is kind), None))
            for kind, words in NEWS.items()
        ],
        weekdays=WEEKDAYS,
        times={str(one): time for one, time in schedules.USUAL.items()},
        feed=f"{request.base_url}{FEED[1:]}{token}" if token else "",
        **choices(actions_of(request)),
    )
