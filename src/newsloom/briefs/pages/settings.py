"""Settings of spoken briefs: voices, podcasts of them, how words are pronounced."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from newsloom.app.reader import Reader
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.pages.briefs import LANGUAGES, PLACE, actions_of, choices
from newsloom.briefs.service import brief_schedules
from newsloom.briefs.values import Pronunciation
from newsloom.kernel import extras
from newsloom.kernel.errors import NotFound, UserError
from newsloom.web.site import Here, Site
from newsloom.web.view import language_words
from newsloom.web.wording import clean

MOST_PRONUNCIATIONS = 500
LONGEST_WORD, LONGEST_SPOKEN = 80, 160

Text = Annotated[str, Form()]

router = APIRouter()


@router.get("/briefs/settings")
def settings(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/briefs/podcast", response_model=None)
def podcast(site: Here, request: Request, language: Text = "", do: Text = "") -> Response:
    """Create, replace or delete the secret address of a language's podcast."""
    try:
        if do == "end":
            brief_schedules.drop_podcast(site.reader, language)
        elif language in LANGUAGES or language in actions_of(request).usual.languages:
            brief_schedules.podcast_token(site.reader, language, make=True, new=do == "new")
        else:
            raise UserError("Choose a language from the list.")
    except UserError as error:
        return _page(site, request, str(error))
    return _back("edited")


@router.post("/briefs/pronunciations", response_model=None)
def pronounce(
    site: Here, request: Request, written: Text = "", spoken: Text = "", language: Text = ""
) -> Response:
    try:
        keep_pronunciation(site.reader, written, spoken, language)
    except UserError as error:
        return _page(site, request, str(error))
    return _back("pronounced")


def keep_pronunciation(reader: Reader, written: str, spoken: str, language: str) -> None:
    """How a word is spoken, in the place of what was said before. Raises UserError."""
    wanted = Pronunciation(clean(written, 1_000), clean(spoken, 1_000), language)
    _check(wanted, known=reader.store.briefs.pronunciations(reader.user))
    reader.store.briefs.put_pronunciation(reader.user, wanted)


@router.post("/briefs/pronunciations/drop")
def drop_pronunciation(site: Here, written: Text = "", language: Text = "") -> Response:
    store, user = site.reader.store.briefs, site.reader.user
    if not store.drop_pronunciation(user, language, written):
        raise NotFound("There is no such pronunciation.")
    return _back("forgotten")


@router.post("/briefs/hear", response_model=None)
def hear(site: Here, request: Request, text: Text = "", language: Text = "") -> Response:
    """Some words, spoken as a brief speaks them: a WAV file."""
    actions = actions_of(request)
    said = clean(text, LONGEST_SPOKEN)
    if not said or language not in {"", *LANGUAGES, *actions.usual.languages}:
        raise UserError("Enter a text and a language.")
    sound = actions.hear(site.reader.user, said, language or actions.usual.languages[0])
    return Response(sound, media_type="audio/wav")


@router.get("/briefs/settings/voices")
def listed_voices(site: Here, request: Request) -> Response:
    """The part of the page that changes while a voice is installed."""
    return site.part(request, "_voices.html", PLACE, **_voices(site, request))


@router.post("/admin/voices", response_model=None)
def install_voice(site: Here, request: Request, name: Text = "") -> Response:
    """Begin to install a voice that is known. For administrators alone, as all below /admin."""
    actions = actions_of(request)
    if name not in {one.name for one in actions.piper_voices() if one.file is None}:
        return _page(site, request, "Choose a voice from the list.")
    if not site.installing.begin("voice", lambda: actions.install(name), lambda: None):
        return _back("busy")
    return _back("voice")


def _check(wanted: Pronunciation, known: tuple[Pronunciation, ...]) -> None:
    """Raises UserError with words for what cannot be."""
    if not wanted.written or not wanted.spoken:
        raise UserError("Enter the word and how it is spoken.")
    if len(wanted.written) > LONGEST_WORD or len(wanted.spoken) > LONGEST_SPOKEN:
        raise UserError(
            f"A word can have at most {LONGEST_WORD} letters, its pronunciation twice as many."
        )
    if wanted.language not in {"", *LANGUAGES}:
        raise UserError("Choose a language from the list, or any.")
    if len(known) >= MOST_PRONUNCIATIONS:
        raise UserError(f"You already have {MOST_PRONUNCIATIONS} pronunciations.")


def _back(did: str) -> Response:
    return RedirectResponse(f"/briefs/settings?did={did}", status_code=303)


def _voices(site: Site, request: Request) -> dict[str, object]:
    """What is installed, and one voice of each other language that can be."""
    actions = actions_of(request)
    found = actions.piper_voices()
    here = [one for one in found if one.file]
    spoken = {one.language for one in here}
    more = [one for one in found if not one.file and one.language not in spoken]
    return {
        "installing": site.installing.status,
        "voices_here": [(language_words(one.language), one) for one in here],
        "voices_more": sorted(
            ((language_words(one.language), one) for one in more), key=lambda pair: pair[0]
        ),
        "first_language": actions.usual.languages[0],
        "may_install": request.state.visitor.admin,
        "piper_missing": "" if find_spec("piper") else extras.install("piper"),
    }


def _page(site: Site, request: Request, problem: str = "") -> HTMLResponse:
    reader, actions = site.reader, actions_of(request)
    links = BriefLinks(str(request.base_url).rstrip("/"))
    codes = dict.fromkeys((*actions.usual.languages, *LANGUAGES))
    tokens = {code: brief_schedules.podcast_token(reader, code) for code in codes}
    return site.page(
        request,
        "briefs_settings.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        podcasts=[
            (code, language_words(code), links.podcast(token))
            for code, token in tokens.items()
            if token
        ],
        **_voices(site, request),
        pronunciations=reader.store.briefs.pronunciations(reader.user),
        **choices(actions),
    )
