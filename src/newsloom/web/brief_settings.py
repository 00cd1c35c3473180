"""Settings of spoken briefs: how words are pronounced."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from newsloom.errors import NotFound, UserError
from newsloom.types import Pronunciation
from newsloom.web.briefs import LANGUAGES, PLACE, actions_of, choices
from newsloom.web.site import Here, Site
from newsloom.web.wording import clean

MOST_PRONUNCIATIONS = 500
LONGEST_WORD, LONGEST_SPOKEN = 80, 160

Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/briefs/settings")
def settings(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/briefs/pronunciations", response_model=None)
def pronounce(
    site: Here, request: Request, written: Text = "", spoken: Text = "", language: Text = ""
) -> Response:
    wanted = Pronunciation(clean(written, 1_000), clean(spoken, 1_000), language)
    store, user = site.reader.store.briefs, site.reader.user
    try:
        _check(wanted, known=store.pronunciations(user))
    except UserError as error:
        return _page(site, request, str(error))
    store.put_pronunciation(user, wanted)
    return _back("pronounced")


@router.post("/briefs/pronunciations/drop")
def drop_pronunciation(site: Here, written: Text = "", language: Text = "") -> Response:
    store, user = site.reader.store.briefs, site.reader.user
    if not store.drop_pronunciation(user, language, written):
        raise NotFound("There is no such pronunciation of yours.")
    return _back("forgotten")


def _check(wanted: Pronunciation, known: tuple[Pronunciation, ...]) -> None:
    """Raises UserError with words for what cannot be."""
    if not wanted.written or not wanted.spoken:
        raise UserError("Say the word as it is written, and as it is to be spoken.")
    if len(wanted.written) > LONGEST_WORD or len(wanted.spoken) > LONGEST_SPOKEN:
        raise UserError(f"A word has {LONGEST_WORD} letters at most, how it sounds twice as many.")
    if wanted.language not in {"", *LANGUAGES}:
        raise UserError("Choose one of the languages that are listed, or any.")
    if len(known) >= MOST_PRONUNCIATIONS:
        raise UserError(f"There are {MOST_PRONUNCIATIONS} pronunciations already.")


def _back(did: str) -> Response:
    return RedirectResponse(f"/briefs/settings?did={did}", status_code=303)


def _page(site: Site, request: Request, problem: str = "") -> HTMLResponse:
    return site.page(
        request,
        "briefs_settings.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        pronunciations=site.reader.store.briefs.pronunciations(site.reader.user),
        **choices(actions_of(request)),
    )
