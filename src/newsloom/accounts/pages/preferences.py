"""How pages look, as the reader chooses: for all lists, or for one feed or category."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.accounts.preference_values import (
    EVERYWHERE,
    FONT,
    LINE_HEIGHT,
    LINE_LENGTH,
    LONGEST_CSS,
    LOOK,
    PREFERENCES,
    TEXT_SIZE,
    scopes_of,
)
from newsloom.accounts.service.preferences import choose, choose_in, preferences
from newsloom.kernel.errors import UserError
from newsloom.web.list_view import LONGEST_TEXT, Page, parse
from newsloom.web.site import Here, Site, bare, go

PLACE = bare(Page.PREFERENCES)

Text = Annotated[str, Form(max_length=LONGEST_CSS * 2)]

router = APIRouter()


@router.get("/settings")
def settings(site: Here, request: Request) -> HTMLResponse:
    """Every page of settings, by section."""
    return site.page(request, "settings.html", bare(Page.SETTINGS))


@router.get("/preferences")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/preferences")
async def save(site: Here, request: Request) -> Response:
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    chosen = {one: form[one.name] for one in PREFERENCES if one.name in form}
    try:
        choose(site.reader, chosen, form.get("css"))
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(PLACE, "edited")


@router.post("/look")
def look(site: Here, at: Text = "", look: Text = "", here: Text = "") -> Response:
    view = parse(at[: 4 * LONGEST_TEXT]).listing
    scopes = scopes_of(view.feed, view.category)
    scope = scopes[0] if scopes else EVERYWHERE
    choose_in(site.reader, scope, LOOK, look, everywhere=not here)
    return go(view)


@router.get("/preferences.css")
def style(site: Here) -> Response:
    """How articles look, as the reader chose, and the reader's own style sheet."""
    chosen = preferences(site.reader)
    size, font = int(chosen.value(TEXT_SIZE)) / 100, chosen.value(FONT)
    sheet = (
        f".article {{ max-width: {chosen.value(LINE_LENGTH)}rem; }}\n"
        f".article > .text {{ font: 400 {1.125 * size:.5g}rem/{chosen.value(LINE_HEIGHT)}"
        f" var(--{font}); }}\n{chosen.own_css}"
    )
    return Response(sheet, media_type="text/css")


def _page(site: Site, request: Request, *, problem: str = "", code: int = 200) -> HTMLResponse:
    return site.page(
        request,
        "preferences.html",
        PLACE,
        status=code,
        problem=problem,
        preferences=PREFERENCES,
        most_css=LONGEST_CSS,
    )
