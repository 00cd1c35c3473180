"""The Model page: the reader's own model, how good it is, its history; half-lives; steps on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from newsloom.kernel.errors import NotFound, UserError
from newsloom.ranking.pages import model_view
from newsloom.ranking.scoring import in_days
from newsloom.ranking.training.retraining_policy import superseded
from newsloom.web import view, wording
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go

MODEL = bare(Page.MODEL)

WEEK = timedelta(days=7)

Text = Annotated[str, Form()]
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]


router = APIRouter()


@router.get("/model")
def model(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.get("/model/job")
def job(site: Here) -> HTMLResponse:
    """What is under way, for a page that waits; done, it is told to load itself anew."""
    job_status = site.job.status
    done = {} if job_status.running else {"hx-refresh": "true"}
    return HTMLResponse(site.fragment("_job.html", job=job_status), headers=done)


@router.post("/model/train")
def train(site: Here, anyway: Text = "") -> Response:
    model_actions = site.reader.model_actions
    return _begin(site, "training", model_actions.train_anyway if anyway else model_actions.train)


@router.post("/model/measure")
def measure(site: Here) -> Response:
    return _begin(site, "measuring", site.reader.model_actions.measure)


@router.post("/model/back")
def back(site: Here) -> Response:
    _there(site.reader.model_actions.back)()
    site.reader.on_change()
    return go(MODEL, "back")


@router.post("/model/forget")
def exclude_period(site: Here) -> Response:
    forgotten = site.reader.exclude_period(site.reader.now() - WEEK)
    return go(MODEL, "lapsed", forgotten.events)


@router.post("/model/remember/{number}")
def include_period(site: Here, number: Number) -> Response:
    site.reader.include_period(number)
    return go(MODEL, "remembered")


@router.post("/model/half-lives")
async def half_lives(site: Here, request: Request) -> Response:
    form = await request.form()
    typed = [str(form.get(f"days{level}", ""))[:40] for level in view.FADING]
    try:
        days = None if form.get("reset") else [_days(text) for text in typed]
        await run_in_threadpool(site.reader.set_half_lives, days)
    except UserError as error:
        return await run_in_threadpool(
            _page, site, request, typed=typed, problem=str(error), code=400
        )
    return go(MODEL, "halving")


def _days(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{text[:20]!r} is not a number of days.") from None


def _there(act: Callable[[], str] | None) -> Callable[[], str]:
    if act is None:
        raise NotFound("This is not available here.")
    return act


def _begin(site: Site, name: str, act: Callable[[], str] | None) -> Response:
    begun = site.job.begin(name, _there(act), site.reader.on_change)
    return go(MODEL, name if begun else "busy")


def _page(
    site: Site,
    request: Request,
    *,
    typed: list[str] | None = None,
    problem: str = "",
    code: int = 200,
) -> HTMLResponse:
    model_actions = site.reader.model_actions
    models, evaluations = model_actions.history(), model_actions.evaluations()
    at, words = model_actions.last_training()
    if at is None or superseded(at, models):
        words = ""
    days = [f"{one:g}" for one in in_days(site.reader.half_lives_in_force())]
    return site.page(
        request,
        "model.html",
        MODEL,
        status=code,
        problem=problem,
        model_actions=model_actions,
        job=site.job.status,
        rests=wording.clean(model_actions.rests(), 400),
        models=model_view.history(models),
        in_force=any(one.active for one in models),
        reports=model_view.reports(evaluations),
        over_time=model_view.over_time(evaluations),
        daily_at=at,
        daily_words=wording.clean(words, 400),
        half_lives=list(zip(view.FADING.values(), typed or days, strict=True)),
        own_half_lives=site.reader.store.users.half_lives(site.reader.user) is not None,
        interests=site.reader.interests(),
        forgotten=[one for one in site.reader.forgettings() if one.lifted is None],
        language_model=wording.clean(model_actions.language_model(), 400),
        encoder=wording.clean(model_actions.encoder(), 400),
    )
