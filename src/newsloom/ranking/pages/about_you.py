"""What Newsloom knows about the reader: likes, interests, topics, how the ranking was learned, and
how fast articles age."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from newsloom.importance.service import importance
from newsloom.importance.values import TopicInterest
from newsloom.kernel.errors import NotFound, UserError
from newsloom.ranking.pages import model_view
from newsloom.ranking.scoring import in_days
from newsloom.ranking.training.retraining_policy import superseded
from newsloom.reading.values.reading import Order
from newsloom.web import view
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, Page, Show, parse
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

PLACE = bare(Page.YOU)

WEEK = timedelta(days=7)

MOST_LIKED = 5  # shown by title
MOST_TOPICS = 8  # shown at once

# Seconds that a new interest is waited for, so that the next page is in the order it makes. With
# 5,400 articles the pass that it begins takes one second.
REORDERED_SECONDS = 2.0

# What a reader can say of a topic: the factor of its weight; None takes back what they said.
EDITS = {"more": 2.0, "less": 0.5, "none": 0.0, "back": None}

Text = Annotated[str, Form()]
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]


router = APIRouter()


@router.get("/you")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/interests")
def add(site: Here, request: Request, text: Text = "", at: Text = PLACE.text) -> Response:
    try:
        interest = site.reader.add_interest(clean(text, LONGEST_TEXT))
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    _wait_for_order(site)
    return go(parse(at), "interested", interest.id)


@router.post("/interests/{number}/remove")
def remove(site: Here, number: Number, at: Text = PLACE.text) -> Response:
    site.reader.remove_interest(number)
    _wait_for_order(site)
    return go(parse(at), "forgotten")


def _wait_for_order(site: Site) -> None:
    """Until the order follows what was changed, or that has taken too long."""
    end = time.monotonic() + REORDERED_SECONDS
    while site.reader.activity().behind and time.monotonic() < end:
        time.sleep(0.05)


@router.post("/interests/topics")
def edit(site: Here, request: Request, term: Text = "", say: Text = "") -> Response:
    if say not in EDITS:
        return _page(site, request, problem="Choose more, less, none or back.", code=400)
    importance.edit_topic(site.reader, term[:LONGEST_TEXT], EDITS[say])
    return go(PLACE, "interest")


@router.post("/interests/pace")
def pace(site: Here, request: Request, pace: Text = "") -> Response:
    try:
        importance.set_pace(site.reader, pace or None)
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(PLACE, "interest")


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
    return go(PLACE, "back")


@router.post("/model/forget")
def exclude_period(site: Here) -> Response:
    forgotten = site.reader.exclude_period(site.reader.now() - WEEK)
    return go(PLACE, "lapsed", forgotten.events)


@router.post("/model/remember/{number}")
def include_period(site: Here, number: Number) -> Response:
    site.reader.include_period(number)
    return go(PLACE, "remembered")


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
    return go(PLACE, "halving")


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
    return go(PLACE, name if begun else "busy")


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
    topics, fade = importance.topics(site.reader), site.reader.store.users.fade(site.reader.user)
    liked = bare(Page.LIST).to(show=Show.LIKED, order=Order.NEWEST).query(MOST_LIKED)
    return site.page(
        request,
        "about_you.html",
        PLACE,
        status=code,
        problem=problem,
        typed=typed,
        model_actions=model_actions,
        job=site.job.status,
        rests=clean(model_actions.rests(), 400),
        models=model_view.history(models),
        in_force=any(one.active for one in models),
        reports=model_view.reports(evaluations),
        over_time=model_view.over_time(evaluations),
        daily_at=at,
        daily_words=clean(words, 400),
        half_lives=list(zip(view.FADING.values(), typed or days, strict=True)),
        own_half_lives=site.reader.store.users.half_lives(site.reader.user) is not None,
        liked=site.reader.listing(liked).rows,
        interests=site.reader.interests(),
        offered=site.topic_offers.of(site.reader, site.chrome()),
        topics=[one for one in topics if one.weight > 0],
        most_topics=MOST_TOPICS,
        left_out=[one for one in topics if one.weight == 0],
        said=_said,
        paces=[(name, one, one == fade) for name, one in importance.PACES.items()],
        forgotten=[
            one
            for one in site.reader.store.models.forgettings(site.reader.user)
            if one.lifted is None
        ],
        language_model=clean(model_actions.language_model(), 400),
        encoder=clean(model_actions.encoder(), 400),
    )


def _said(topic: TopicInterest) -> str:
    """What is true of a topic, in a word or two."""
    words = ["your interest or category"] if topic.stated else []
    if topic.fading:
        words.append("fading")
    if topic.edited is not None:
        words.append(f"weight × {topic.edited:g}")
    return ", ".join(words)
