"""Podcasts of a reader's briefs, for programs that know a secret address. No login guards it.

An address that was revoked is not found at once, and with it every file under it: each request
asks the store whose the address is.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache

from fastapi import APIRouter, Request
from fastapi.responses import Response

from newsloom.briefs.forms import ending
from newsloom.briefs.links import PODCASTS, BriefLinks
from newsloom.briefs.pages.actions import BriefActions
from newsloom.briefs.pages.ranged import ranged
from newsloom.briefs.podcast import PREFIX, podcast
from newsloom.briefs.transcripts import chapters_json, transcript_html, web_vtt
from newsloom.briefs.values import ArchivedBrief, BriefId, BriefSound
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import UserId
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Nobody, Site, today

# A brief a day for half a year: more than any setting keeps the sound of, and than an app shows.
IN_FEED = 200
COVER = 1_400  # pixels: the least that Apple takes
NOWHERE = "There is no podcast at this address."
# No search engine keeps what a leaked address shows, and no page that is linked learns of it.
# What is kept is asked for anew: a revoked address shows nothing.
PRIVATE = {"x-robots-tag": "noindex, nofollow", "cache-control": "private, no-cache"}

READ = ["GET", "HEAD"]

router = APIRouter(include_in_schema=False)  # GET and HEAD would have one name there


@router.api_route(PODCASTS + "{token}/feed.xml", methods=READ, response_model=None)
def feed(site: Nobody, request: Request, token: str) -> Response:
    """The feed itself; 304 where the client has it as it is."""
    user, language = _whose(site, token)
    briefs = site.reader.store.briefs.briefs_with_sound(user, language, IN_FEED)
    changed = max((one.made_at for one in briefs), default=today(site.reader.now()))
    text = podcast(briefs, language, BriefLinks(str(request.base_url).rstrip("/")), token, changed)
    return _answered(request, text, "application/rss+xml; charset=utf-8", changed)


@router.api_route(PODCASTS + "{token}/cover.png", methods=READ, response_model=None)
def cover(site: Nobody, request: Request, token: str) -> Response:
    """The picture of all podcasts."""
    _whose(site, token)
    picture = _cover()
    tag = f'"{hashlib.blake2b(picture, digest_size=8).hexdigest()}"'
    headers = {**PRIVATE, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(picture, media_type="image/png", headers=headers)


@router.api_route(PODCASTS + "{token}/{number}.vtt", methods=READ, response_model=None)
def captions(site: Nobody, request: Request, token: str, number: str) -> Response:
    """What is said and when, as WebVTT."""
    brief, sound = _episode(site, token, number)
    return _answered(
        request, web_vtt(brief.script, sound), "text/vtt; charset=utf-8", brief.made_at
    )


@router.api_route(PODCASTS + "{token}/{number}.html", methods=READ, response_model=None)
def transcript(site: Nobody, request: Request, token: str, number: str) -> Response:
    """What is said, with its sources."""
    brief, sound = _episode(site, token, number)
    page = transcript_html(brief.script, sound)
    return _answered(request, page, "text/html; charset=utf-8", brief.made_at)


@router.api_route(PODCASTS + "{token}/{number}.json", methods=READ, response_model=None)
def chapters(site: Nobody, request: Request, token: str, number: str) -> Response:
    """Chapters, as Podcasting 2.0 has them."""
    brief, sound = _episode(site, token, number)
    text = chapters_json(brief.script, sound)
    return _answered(request, text, "application/json+chapters; charset=utf-8", brief.made_at)


@router.api_route(PODCASTS + "{token}/{number}.{kind}", methods=READ, response_model=None)
def episode(site: Nobody, request: Request, token: str, number: str, kind: str) -> Response:
    """The sound, whole or in ranges."""
    _kept, sound = _episode(site, token, number)
    file = next((one for one in sound.files if ending(one) == kind), None)
    if file is None:
        raise NotFound(NOWHERE)
    spoken: BriefActions = request.app.state.briefs
    return ranged(spoken.folder, file, PRIVATE)


def _whose(site: Site, token: str) -> tuple[UserId, str]:
    """The reader and the language of an address. Raises NotFound."""
    found = site.reader.store.digests.feed_of(token)
    if found is None or not found[1].startswith(PREFIX):
        raise NotFound(NOWHERE)
    return found[0], found[1].removeprefix(PREFIX)


def _episode(site: Site, token: str, number: str) -> tuple[ArchivedBrief, BriefSound]:
    """A brief of the podcast. Raises NotFound."""
    user, language = _whose(site, token)
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:20]) <= LARGEST_ID):
        raise NotFound(NOWHERE)
    brief = site.reader.store.briefs.brief(user, BriefId(int(number)))
    if brief is None or brief.sound is None or brief.script.language != language:
        raise NotFound(NOWHERE)
    return brief, brief.sound


def _answered(request: Request, text: str, media: str, changed: datetime) -> Response:
    """With what lets a client ask whether it changed (RFC 9110, 13)."""
    body = text.encode()
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {
        **PRIVATE,
        "etag": tag,
        "last-modified": format_datetime(changed.astimezone(UTC), usegmt=True),
    }
    if _known(request, tag, changed):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media, headers=headers)


def _known(request: Request, tag: str, changed: datetime) -> bool:
    """A tag counts before a date: both may be told."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        return tags.strip() == "*" or tag in {
            one.strip().removeprefix("W/") for one in tags.split(",")
        }
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except ValueError:
        return False
    return since.tzinfo is not None and changed - since < timedelta(seconds=1)


@lru_cache(maxsize=1)
def _cover() -> bytes:
    """A PNG of few colours, which is small."""
    import io

    from PIL import Image

    from newsloom.briefs.sound import tags

    out = io.BytesIO()
    with Image.open(io.BytesIO(tags.cover(COVER))) as picture:
        picture.quantize(16).save(out, "PNG", optimize=True)
    return out.getvalue()
