"""The page of a digest: what mattered today, or in a window that the reader names."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from newsloom.digest import formats
from newsloom.errors import UserError
from newsloom.reader import digests
from newsloom.text import moments
from newsloom.types import Digest, DigestKind
from newsloom.web.place import LONGEST_TEXT, Page
from newsloom.web.site import Here, Site, bare
from newsloom.web.wording import clean

DIGEST = bare(Page.DIGEST)
SHOWN = {str(one): one for one in DigestKind if one is not DigestKind.AD_HOC}

router = APIRouter()


@router.get("/digest", response_model=None)
def digest(
    site: Here, request: Request, kind: str = "morning", since: str = "", form: str = ""
) -> Response:
    typed = clean(since, LONGEST_TEXT)
    now = site.now(request)
    try:
        made = _made(site, kind, typed, now)
    except UserError as error:
        return _page(site, request, kind, typed, None, str(error))
    known = {one.name: one for one in formats.FORMATS}
    if form in known:
        chosen = known[form]
        # Kept as a file: what a publisher wrote is no page of this site.
        kept = {"content-disposition": f'attachment; filename="digest.{chosen.suffix}"'}
        media_type = f"{chosen.media_type}; charset=utf-8"
        return Response(chosen.render(made), media_type=media_type, headers=kept)
    return _page(site, request, kind, typed, made, "")


def _made(site: Site, kind: str, since: str, now: datetime) -> Digest:
    end, zone = site.reader.now(), str(now.tzinfo or "UTC")
    name = SHOWN.get(kind, DigestKind.MORNING)
    if since:
        when = moments.at(moments.read(since), end)
        return digests.compose(site.reader, DigestKind.AD_HOC, when, end, zone)
    return digests.compose(site.reader, name, None, end, zone)


def _page(
    site: Site, request: Request, kind: str, since: str, made: Digest | None, problem: str
) -> HTMLResponse:
    return site.page(
        request,
        "digest.html",
        DIGEST,
        status=400 if problem else 200,
        problem=problem,
        digest=made,
        kinds=[(name, name == kind and not since) for name in SHOWN],
        since=since,
        report=formats.report(made) if made else (),
        related=formats.related,
        said_by=_said_by,
        relaxed=formats.RELAXED,
        forms=[one.name for one in formats.FORMATS],
        chosen=kind,
    )


def _said_by(topic: object, sentence: object) -> str:
    """Who says a sentence of a topic."""
    names = {one.id: clean(one.publisher, 60) for one in (topic.lead, *topic.related)}  # type: ignore[attr-defined]
    return formats.said_by(sentence, names)  # type: ignore[arg-type]
