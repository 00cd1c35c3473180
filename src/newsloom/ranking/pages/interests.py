"""The reader's interests: what they named, what Newsloom made of their reading, and how fast
recency fades."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.importance.service import importance
from newsloom.importance.values.importance import TopicInterest
from newsloom.kernel.errors import UserError
from newsloom.web.list_view import LARGEST_ID, LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare, go
from newsloom.web.wording import clean

INTERESTS = bare(Page.INTERESTS)

Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form()]

# What a reader can say of a topic: the factor of its weight; None takes back what they said.
EDITS = {"more": 2.0, "less": 0.5, "none": 0.0, "back": None}

router = APIRouter()


@router.get("/interests")
def interests(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.post("/interests")
def add(site: Here, request: Request, text: Text = "") -> Response:
    try:
        site.reader.add_interest(clean(text, LONGEST_TEXT))
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(INTERESTS, "interest")


@router.post("/interests/{number}/remove")
def remove(site: Here, number: Number) -> Response:
    site.reader.remove_interest(number)
    return go(INTERESTS, "forgotten")


@router.post("/interests/topics")
def edit(site: Here, request: Request, term: Text = "", say: Text = "") -> Response:
    if say not in EDITS:
        return _page(site, request, problem="Choose more, less, none or back.", code=400)
    importance.edit_topic(site.reader, term[:LONGEST_TEXT], EDITS[say])
    return go(INTERESTS, "interest")


@router.post("/interests/pace")
def pace(site: Here, request: Request, pace: Text = "") -> Response:
    try:
        importance.set_pace(site.reader, pace or None)
    except UserError as error:
        return _page(site, request, problem=str(error), code=400)
    return go(INTERESTS, "interest")


def _page(site: Site, request: Request, *, problem: str = "", code: int = 200) -> HTMLResponse:
    own = site.reader.store.users.fade(site.reader.user)
    topics = importance.topics(site.reader)
    return site.page(
        request,
        "interests.html",
        INTERESTS,
        status=code,
        problem=problem,
        interests=site.reader.interests(),
        topics=[one for one in topics if one.weight > 0],
        left_out=[one for one in topics if one.weight == 0],
        said=_said,
        paces=[(name, fade, fade == own) for name, fade in importance.PACES.items()],
    )


def _said(topic: TopicInterest) -> str:
    """What is true of a topic, in a word or two."""
    words = ["your interest or category"] if topic.stated else []
    if topic.fading:
        words.append("fading")
    if topic.edited is not None:
        words.append(f"weight × {topic.edited:g} times")
    return ", ".join(words)
