"""The page about keys: what they do, and which they are."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.accounts.key_values import KEY_PRESETS, preset_of
from newsloom.accounts.service.preferences import choose_keys, choose_preset, preferences
from newsloom.kernel.errors import UserError
from newsloom.web.list_view import Page
from newsloom.web.site import Here, Site, bare, go, wants_fragment

PLACE = bare(Page.HELP)

router = APIRouter()


@router.get("/help")
def page(site: Here, request: Request) -> HTMLResponse:
    """The page; of it, the list of keys for the dialog of other pages."""
    if wants_fragment(request):
        return site.part(request, "_keys.html", PLACE, keymap=site.chrome().keymap)
    return _page(site, request)


@router.post("/keys", response_model=None)
async def save(site: Here, request: Request) -> Response:
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    try:
        if "preset" in form:
            choose_preset(site.reader, form["preset"])
        else:
            choose_keys(site.reader, form)
    except UserError as error:
        return _page(site, request, problem=str(error), typed=form, code=400)
    return go(PLACE, "edited")


def _page(
    site: Site,
    request: Request,
    *,
    problem: str = "",
    typed: dict[str, str] | None = None,
    code: int = 200,
) -> HTMLResponse:
    return site.page(
        request,
        "help.html",
        PLACE,
        status=code,
        problem=problem,
        typed=typed or {},
        presets=KEY_PRESETS,
        preset=preset_of(preferences(site.reader).chosen),
    )
