"""Spoken briefs: the list, one of them with its player and transcript, and one made now."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from newsloom.briefs.pages import view as brief_view
from newsloom.briefs.pages.actions import BriefActions
from newsloom.briefs.pages.ranged import GONE, ranged
from newsloom.briefs.service import brief_schedules
from newsloom.briefs.values import BriefWish
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading.pages.marks import parts
from newsloom.reading.values.reading import EventKind
from newsloom.web import view
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go, wants_fragment
from newsloom.web.toasts import done
from newsloom.web.wording import clean

PLACE = bare(Page.BRIEFS)
# What a reader does while they listen is told apart from the same done in a list.
VIA = "brief"
MARKS = frozenset(
    (
        EventKind.READ,
        EventKind.UNREAD,
        EventKind.LIKE,
        EventKind.DISLIKE,
        EventKind.UNRATE,
        EventKind.STAR,
        EventKind.UNSTAR,
        EventKind.LATER,
        EventKind.NOT_LATER,
    )
)
SHOWN = 60
MINUTES = (5, 10, 20)
# Languages that pages offer. Schedules of the JSON API take others, which eSpeak may know.
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "ru", "ar", "zh", "ja", "ko")

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]
# A brief is at most some hours long, whatever a browser says.
Seconds = Annotated[float, Form(ge=0, le=86_400)]

router = APIRouter()


def actions_of(request: Request) -> BriefActions:
    found: BriefActions = request.app.state.briefs
    return found


@router.get("/briefs")
def briefs(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.get("/briefs/list")
def listed(site: Here, request: Request) -> Response:
    """The part of the page that changes while a brief is made."""
    return site.part(request, "_briefs.html", PLACE, **_list(site, request))


@router.post("/briefs", response_model=None)
def make(
    site: Here,
    request: Request,
    language: Text = "",
    second: Text = "",
    minutes: Text = "",
    voice: Text = "",
) -> Response:
    """Begin one. It is composed beside the pages: the list says how it goes."""
    actions = actions_of(request)
    try:
        wish = wished(actions, (language, second), minutes, voice)
    except UserError as error:
        return _page(site, request, str(error))
    reader, zone = site.reader, str(site.now(request).tzinfo or "UTC")

    def act() -> str:
        made = actions.make(reader, wish, zone)
        return "" if made else brief_schedules.NOTHING_NEW

    if not site.briefing.begin("brief", act, lambda: None):
        return go(PLACE, "busy")
    return go(PLACE, "briefing")


def wished(
    actions: BriefActions,
    languages: tuple[str, ...],
    minutes: str,
    voice: str,
    *,
    any_language: bool = False,
) -> BriefWish:
    """What a form asks for; of voices, and unless said of languages, only what pages offer. Raises
    UserError.

    A voice can be a file of this machine by its name: readers choose among those of the settings.
    """
    chosen = tuple(filter(None, languages)) or actions.usual.languages
    offered = {*LANGUAGES, *actions.usual.languages}
    if not (any_language or offered.issuperset(chosen)):
        raise UserError("Choose a language from the list.")
    if minutes and not (minutes.isascii() and minutes.isdigit() and len(minutes) < 4):
        raise UserError("Minutes must be a whole number.")
    if voice and voice not in actions.offered_voices():
        raise UserError("Choose a voice from the list.")
    length = int(minutes) if minutes else actions.usual.minutes
    return brief_schedules.wished(chosen, length, [("", voice)] if voice else ())


@router.get("/briefs/{number}")
def brief(site: Here, request: Request, number: Number) -> HTMLResponse:
    archived = brief_schedules.archived(site.reader, number)
    zone = site.now(request).tzinfo
    shown = brief_view.said(archived, zone)
    heard = site.reader.store.briefs.heard(site.reader.user, archived.id)
    return site.page(
        request,
        "brief.html",
        PLACE,
        brief=shown,
        begin_at=round(brief_view.resumed(heard, shown.seconds), 2),
        heard_words=brief_view.clock(heard),
        marked=site.reader.states({one.id for one in archived.script.articles}),
        days_kept=actions_of(request).days_kept,
    )


@router.get("/briefs/{number}/state", response_model=None)
def state(site: Here, request: Request, number: Number) -> Response:
    """What is said of a brief while its sound is made; once it is there, the page loads anew."""
    brief = brief_schedules.archived(site.reader, number)
    shown = brief_view.said(brief, site.now(request).tzinfo)
    if not shown.waits:
        return Response(headers={"hx-refresh": "true"})
    return site.part(request, "_brief_state.html", PLACE, brief=shown)


@router.post("/briefs/{number}/again")
def again(site: Here, number: Number) -> Response:
    """Have the sound made after all, of one that failed."""
    brief = brief_schedules.archived(site.reader, number)
    begun = site.reader.store.briefs.speak_again(site.reader.user, brief.id, site.reader.now())
    did = "speaking" if begun else "nothing"
    return RedirectResponse(f"/briefs/{int(number)}?did={did}", status_code=303)


@router.post("/briefs/{number}/drop")
def drop(site: Here, request: Request, number: Number) -> Response:
    brief = brief_schedules.archived(site.reader, number)
    site.reader.store.briefs.drop_brief(site.reader.user, brief.id)
    for file in brief.sound.files if brief.sound else ():
        with suppress(OSError):  # what no brief names is removed a day later
            (actions_of(request).folder / file.name).unlink()
    return go(PLACE, "forgotten")


@router.get("/briefs/{number}/heard")
def heard(site: Here, number: Number) -> JSONResponse:
    """Where the reader stopped, on whatever device."""
    brief = brief_schedules.archived(site.reader, number)
    return JSONResponse({"seconds": site.reader.store.briefs.heard(site.reader.user, brief.id)})


@router.post("/briefs/{number}/heard")
def hear(site: Here, number: Number, seconds: Seconds) -> Response:
    """What the player says from time to time, and as its page is left."""
    reader, brief = site.reader, brief_schedules.archived(site.reader, number)
    most = brief.sound.seconds if brief.sound else 0.0
    reader.store.briefs.set_heard(reader.user, brief.id, min(seconds, most), reader.now())
    return Response(status_code=204)


@router.post("/briefs/{number}/marks", response_model=None)
def mark(
    site: Here, request: Request, number: Number, article: Text = "", kind: Text = ""
) -> Response:
    """A mark of an article that the brief tells of, as in any list."""
    brief = brief_schedules.archived(site.reader, number)
    if kind not in MARKS:
        raise UserError("There is no such mark.")
    chosen = next((one.id for one in brief.script.articles if str(one.id) == article), None)
    if chosen is None:
        raise NotFound("There is no such article in this brief.")
    step = EventKind(kind)
    site.reader.mark([chosen], step, VIA)
    if wants_fragment(request):
        return parts(site, request, PLACE, [chosen], done(step, 1))
    there = f"/briefs/{int(number)}?did={step.value}&n=1#source-{chosen}"
    return RedirectResponse(there, status_code=303)


# Not in FastAPI's own document, where the two methods would have one name.
@router.api_route(
    "/briefs/{number}/sound.{ending}",
    methods=["GET", "HEAD"],
    response_model=None,
    include_in_schema=False,
)
def sound(site: Here, request: Request, number: Number, ending: str, save: str = "") -> Response:
    """The sound, whole or in ranges of bytes; with `save` as a file to keep."""
    brief = brief_schedules.archived(site.reader, number)
    endings = brief_view.ENDINGS
    files = brief.sound.files if brief.sound else ()
    file = next((one for one in files if endings.get(one.media_type) == ending), None)
    if file is None:
        raise NotFound(GONE)
    named = clean(brief.script.title, 120).replace("/", "-").replace("\\", "-") or "brief"
    return ranged(actions_of(request).folder, file, save_as=f"{named}.{ending}" if save else "")


def _page(site: Site, request: Request, problem: str = "") -> HTMLResponse:
    actions = actions_of(request)
    return site.page(
        request,
        "briefs.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        **choices(actions),
        **_list(site, request),
    )


def choices(actions: BriefActions) -> dict[str, object]:
    """What forms offer: languages, lengths and voices, and which are usual."""
    codes = dict.fromkeys((*actions.usual.languages, *LANGUAGES))
    languages = [(code, view.language_words(code)) for code in codes]
    languages.sort(key=lambda one: one[1])
    lengths = sorted({*MINUTES, actions.usual.minutes})
    return {
        "languages": languages,
        "lengths": lengths,
        "voices": actions.offered_voices(),
        "usual": actions.usual,
        "language_words": view.language_words,
    }


def _list(site: Site, request: Request) -> dict[str, object]:
    store, zone = site.reader.store.briefs, site.now(request).tzinfo
    heads = [brief_view.head(one, zone) for one in store.briefs(site.reader.user, SHOWN)]
    job = site.briefing.status
    moving = bool(job.running) or any(one.waits for one in heads)
    kept = actions_of(request).days_kept
    return {"heads": heads, "job": job, "moving": moving, "days_kept": kept}
