"""Where a newcomer begins: topics to pick, and a tour of three steps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.accounts.service.preferences import show_tour
from newsloom.feeds.service.subscribing import follow_all
from newsloom.sample.topics import LANGUAGES, Topic, picked, topics
from newsloom.web.list_view import LONGEST_TEXT, ListView, Page, parse
from newsloom.web.site import Here, Site, bare, go, wants_fragment

BEGIN = bare(Page.BEGIN)

Text = Annotated[str, Form(max_length=4 * LONGEST_TEXT)]
Picked = Annotated[list[str], Form(max_length=100)]

# Where no box of a form is checked.
NONE: list[str] = []

router = APIRouter()


@dataclass(frozen=True, slots=True)
class ToPick:
    """What there is to pick; languages of the reader's browser are chosen already."""

    topics: tuple[Topic, ...]
    languages: tuple[tuple[str, str, bool], ...]


def to_pick(request: Request) -> ToPick:
    # The languages a browser asks for, without regions.
    said = [
        part.split(";")[0].strip().split("-")[0].lower()
        for part in request.headers.get("accept-language", "")[:500].split(",")
    ]
    known = [tag for tag, _name in LANGUAGES]
    chosen = [one for one in said if one in known] or ["en"]
    return ToPick(topics(), tuple((tag, name, tag in chosen) for tag, name in LANGUAGES))


@router.get("/begin")
def begin(site: Here, request: Request) -> HTMLResponse:
    return _begin_page(site, request)


@router.post("/begin", response_model=None)
def pick(
    site: Here, request: Request, topic: Picked = NONE, language: Picked = NONE
) -> HTMLResponse | Response:
    wanted = picked(topic, language)
    if not wanted:
        problem = "Choose a topic, and a language in which it has feeds."
        return _begin_page(site, request, problem=problem, kept=topic)
    return go(ListView(), "imported", follow_all(site.reader, wanted))


@router.post("/tour", response_model=None)
def tour(site: Here, request: Request, show: Text = "", at: Text = "") -> HTMLResponse | Response:
    """Ends the tour; from Preferences begins it again."""
    show_tour(site.reader, show=bool(show))
    return HTMLResponse("") if wants_fragment(request) else go(parse(at))


def _begin_page(
    site: Site, request: Request, *, problem: str = "", kept: Collection[str] = ()
) -> HTMLResponse:
    return site.page(
        request,
        "begin.html",
        BEGIN,
        status=400 if problem else 200,
        problem=problem,
        to_pick=to_pick(request),
        kept=kept,
    )
