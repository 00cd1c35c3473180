"""News of stories: whether it is sent, and where."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from newsloom.digests.service import schedules
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.errors import UserError
from newsloom.stories.pages.stories import STORIES, Text, stories_page
from newsloom.web.site import Here, go

router = APIRouter()


@router.post("/stories/tell", response_model=None)
def tell(site: Here, request: Request, mail: Text = "", webhook: Text = "") -> Response:
    given = ((Way.MAIL, mail.strip()), (Way.WEBHOOK, webhook.strip()))
    targets = [Target(way, to) for way, to in given if to]
    zone = str(site.now(request).tzinfo or "UTC")
    try:
        schedules.tell_stories(site.reader, zone, targets)
    except UserError as error:
        return stories_page(site, request, problem=str(error))
    return go(STORIES, "edited")


@router.post("/stories/tell/end")
def end(site: Here) -> Response:
    known = schedules.stories_told(site.reader)
    if known is not None:
        schedules.drop(site.reader, known.id)
    return go(STORIES, "forgotten")
