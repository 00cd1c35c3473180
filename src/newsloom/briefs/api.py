"""Spoken briefs: the archive, one with its transcript and chapters, its sound, and one made now."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from fastapi import Path, Query, Request, status
from fastapi.responses import FileResponse, Response
from pydantic import Field
from starlette.exceptions import HTTPException

from newsloom.api.route import router as made
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.pages.briefs import actions_of, drop, hear, wished
from newsloom.briefs.pages.ranged import GONE, ranged
from newsloom.briefs.pages.settings import keep_pronunciation
from newsloom.briefs.pages.view import ENDINGS
from newsloom.briefs.service import brief_schedules
from newsloom.briefs.values import (
    ArchivedBrief,
    BriefHead,
    BriefId,
    BriefSchedule,
    BriefState,
    BriefWish,
    LineKind,
)
from newsloom.digests.api import (
    Delivery,
    DeliveryTarget,
    SecretAddress,
    Targets,
    Zone,
    clock,
    deliveries,
)
from newsloom.digests.values import DigestArticle
from newsloom.kernel.delivery.schedules import WEEKDAYS, drop_schedule
from newsloom.kernel.errors import NotFound, UserError
from newsloom.reading.api.params import ApiModel, Id, Line, Weekday
from newsloom.reading.api.shapes import titled
from newsloom.web.api_access import PREFIX
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here
from newsloom.web.wording import clean, web_address

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Brief ID.")]
Limit = Annotated[int, Query(ge=1, le=100, description="Maximum briefs per page.")]
After = Annotated[Id | None, Query(description="`next` of the previous page.")]
Spoken = Annotated[str, Path(max_length=40, description="A language, such as `en`.")]
Word = Annotated[str, Path(max_length=200, description="Word as written.")]
OfLanguage = Annotated[
    str, Query(max_length=3, description="Language that it was set for; empty: any.")
]
Language = Annotated[str, Field(max_length=3, pattern="^[a-z]*$")]

BUSY = "A brief is being made already. Ask again when it is done."

router = made("Briefs")


class Ending(StrEnum):
    """In which format sound is kept."""

    MP3 = "mp3"
    OPUS = "opus"


class BriefLine(ApiModel):
    """A brief of the archive."""

    id: int = Field(description="ID.")
    language: str = Field(description="Language of the voice.")
    title: str = Field(description="Title.")
    made: datetime = Field(description="Time of creation.")
    state: BriefState = Field(description="`ready`: has sound; `failed`: see `problem`.")
    seconds: float = Field(description="Length of its sound; 0: no sound, or deleted.")
    heard: float = Field(description="Playback position, in seconds.")
    problem: str = Field(description="Why it has no sound; empty: no error.")
    deliveries: list[Delivery] = Field(description="Where it was sent.")


class BriefList(ApiModel):
    """A page of the archive."""

    items: list[BriefLine] = Field(description="Newest first.")
    next: int | None = Field(description="`after` for the next page; null: last page.")


class BriefSentence(ApiModel):
    """A sentence of a transcript."""

    text: str = Field(description="Text.")
    kind: LineKind = Field(description="Only `news` has source articles.")
    begin: float | None = Field(description="Start in the sound, in seconds; null: not spoken.")
    end: float | None = Field(description="End.")
    articles: list[int] = Field(description="IDs of its source articles.")
    written_by: str = Field(description="The language model or translator; empty: the sources.")


class SpokenChapter(ApiModel):
    """A chapter."""

    title: str = Field(description="Title.")
    sentences: list[BriefSentence] = Field(description="Its sentences, in order.")


class BriefSource(ApiModel):
    """An article that a sentence rests on."""

    id: int = Field(description="ID.")
    title: str = Field(description="Title.")
    url: str = Field(description="URL.")
    source: str = Field(description="Host of the publisher.")
    publisher: str = Field(description="Name of the publisher.")
    published: datetime = Field(description="Publication date.")


class SpokenFile(ApiModel):
    """A file of the sound."""

    url: str = Field(description="URL on this server; supports byte ranges.")
    type: str = Field(description="Media type.")
    bytes: int = Field(description="Size.")


class SpokenBrief(BriefLine):
    """A brief with its transcript."""

    minutes: int = Field(description="Planned length, in minutes.")
    notice: str = Field(description="Notes, such as that it is short.")
    voice: str = Field(description="Voice; empty: not spoken yet.")
    chapters: list[SpokenChapter] = Field(description="Chapters with their sentences.")
    sources: list[BriefSource] = Field(description="Its source articles.")
    sound: list[SpokenFile] = Field(description="Its files, MP3 first; empty: none.")


class NewBrief(ApiModel):
    """A brief to be made."""

    languages: Annotated[list[Language], Field(max_length=2)] = Field(
        default=[], description="One or two, such as `en`; default: from the settings."
    )
    minutes: Annotated[int, Field(ge=1, le=60)] | None = Field(
        default=None, description="Length; default: from the settings."
    )
    voice: Annotated[str, Field(max_length=500)] = Field(
        default="", description="One from the settings; empty: the default."
    )


class NewBriefSchedule(NewBrief):
    """A brief that is to be made on schedule."""

    at: Line = Field(default="07:00", description="Time of day (HH:MM).")
    zone: Zone = Field(default="UTC", description="Time zone (IANA name).")
    days: Annotated[list[Weekday], Field(max_length=7)] = Field(
        default=[], description="Days of the week, such as `monday`; empty: every day."
    )
    targets: Targets = Field(default=[], description="Where it is sent.")


class OwnBriefSchedule(NewBriefSchedule):
    """A brief that is made on schedule."""

    id: int = Field(description="ID.")
    next: datetime = Field(description="Time of the next one.")


class BriefSchedules(ApiModel):
    """Schedules."""

    items: list[OwnBriefSchedule] = Field(description="Sorted by time of day.")


class Heard(ApiModel):
    """How far a brief was heard."""

    seconds: Annotated[float, Field(ge=0, le=86_400)] = Field(description="From its beginning.")


class OwnPronunciation(ApiModel):
    """How a word is spoken."""

    written: Annotated[Line, Field(min_length=1)] = Field(description="Word as written.")
    spoken: Annotated[Line, Field(min_length=1)] = Field(description="Given to the voice instead.")
    language: Language = Field(default="", description="Of the texts it is for; empty: any.")


class Pronunciations(ApiModel):
    """How words are spoken."""

    items: list[OwnPronunciation] = Field(description="All of them.")


class BegunBrief(ApiModel):
    """What becomes of it."""

    begun: bool = Field(description="It is being created and appears in the list within seconds.")


@router.get("/briefs")
def list_briefs(site: Here, limit: Limit = 30, after: After = None) -> BriefList:
    """Your briefs."""
    store = site.reader.store.briefs
    found = store.briefs(site.reader.user, limit + 1, None if after is None else BriefId(after))
    shown = found[:limit]
    following = shown[-1].id if len(found) > limit else None
    items = [_line(one, deliveries(store.sendings(one.id))) for one in shown]
    return BriefList(items=items, next=following)


@router.post("/briefs", status_code=status.HTTP_202_ACCEPTED)
def make_brief(site: Here, request: Request, wanted: NewBrief) -> BegunBrief:
    """Create a brief of the latest news. It appears in the list when it is ready.

    Where nothing is new, none is made.
    """
    actions, reader = actions_of(request), site.reader
    wish = _wish(request, wanted)
    zone = str(site.now(request).tzinfo or "UTC")

    def act() -> str:
        return "" if actions.make(reader, wish, zone) else brief_schedules.NOTHING_NEW

    if not site.briefing.begin("brief", act, lambda: None):
        raise HTTPException(409, BUSY)
    return BegunBrief(begun=True)


@router.get("/briefs/schedules")
def list_brief_schedules(site: Here) -> BriefSchedules:
    """Your brief schedules: times and recipients."""
    return BriefSchedules(
        items=[_schedule(one) for one in site.reader.store.briefs.schedules(site.reader.user)]
    )


@router.post("/briefs/schedules", status_code=status.HTTP_201_CREATED)
def add_brief_schedule(site: Here, request: Request, wanted: NewBriefSchedule) -> OwnBriefSchedule:
    """Schedule a brief at a time of day, and where it is sent."""
    wish = _wish(request, wanted, any_language=True)
    targets = [one.value for one in wanted.targets]
    return _schedule(
        brief_schedules.add(site.reader, wish, wanted.at, wanted.zone, wanted.days, targets)
    )


@router.delete("/briefs/schedules/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_brief_schedule(site: Here, number: Number) -> None:
    """Remove a schedule. Its briefs stay."""
    drop_schedule(site.reader.store.briefs, site.reader.user, number)


@router.get("/briefs/podcasts/{language}")
def get_podcast(site: Here, request: Request, language: Spoken) -> SecretAddress:
    """URL of the podcast of your briefs in a language."""
    return _podcast(request, brief_schedules.podcast_token(site.reader, language))


@router.post("/briefs/podcasts/{language}")
def renew_podcast(site: Here, request: Request, language: Spoken) -> SecretAddress:
    """Create or replace the URL of a podcast of your briefs."""
    token = brief_schedules.podcast_token(site.reader, language, make=True, new=True)
    return _podcast(request, token)


@router.delete("/briefs/podcasts/{language}", status_code=status.HTTP_204_NO_CONTENT)
def remove_podcast(site: Here, language: Spoken) -> None:
    """Remove the URLs of a podcast and its episodes."""
    brief_schedules.drop_podcast(site.reader, language)


@router.get("/briefs/{number}")
def get_brief(site: Here, number: Number) -> SpokenBrief:
    """One brief: script with times, source articles, and sound files."""
    brief = brief_schedules.archived(site.reader, number)
    store = site.reader.store.briefs
    sent = deliveries(store.sendings(brief.id))
    return _whole(brief, store.heard(site.reader.user, brief.id), sent)


@router.get(
    "/briefs/{number}/sound/{ending}",
    response_class=FileResponse,
    responses={
        200: {"content": {kind: {} for kind in ENDINGS}, "description": "All of it."},
        206: {"content": {kind: {} for kind in ENDINGS}, "description": "The range asked for."},
    },
)
def get_brief_sound(
    site: Here,
    request: Request,
    number: Number,
    ending: Annotated[Ending, Path(description="Its format.")],
) -> Response:
    """The sound of a brief, whole or by byte range."""
    brief = brief_schedules.archived(site.reader, number)
    files = brief.sound.files if brief.sound else ()
    file = next((one for one in files if ENDINGS.get(one.media_type) == ending), None)
    if file is None:
        raise NotFound(GONE)
    return ranged(actions_of(request).folder, file)


@router.post("/briefs/{number}/sound", status_code=status.HTTP_202_ACCEPTED)
def speak_brief_again(site: Here, number: Number) -> SpokenBrief:
    """Speak a brief whose sound failed again."""
    brief = brief_schedules.archived(site.reader, number)
    if not site.reader.store.briefs.speak_again(site.reader.user, brief.id, site.reader.now()):
        raise UserError("The sound of this brief did not fail.")
    return get_brief(site, number)


@router.put("/briefs/{number}/heard", status_code=status.HTTP_204_NO_CONTENT)
def set_heard(site: Here, number: Number, wanted: Heard) -> None:
    """Store where you stopped listening, for all your devices."""
    hear(site, number, wanted.seconds)


@router.get("/pronunciations")
def list_pronunciations(site: Here) -> Pronunciations:
    """How words are spoken in your briefs."""
    found = site.reader.store.briefs.pronunciations(site.reader.user)
    return Pronunciations(items=[OwnPronunciation.model_validate(one) for one in found])


@router.put("/pronunciations", status_code=status.HTTP_204_NO_CONTENT)
def set_pronunciation(site: Here, wanted: OwnPronunciation) -> None:
    """Set how a word is spoken."""
    keep_pronunciation(site.reader, wanted.written, wanted.spoken, wanted.language)


@router.delete("/pronunciations/{written}", status_code=status.HTTP_204_NO_CONTENT)
def remove_pronunciation(site: Here, written: Word, language: OfLanguage = "") -> None:
    """Speak a word as its language does again."""
    site.reader.store.briefs.drop_pronunciation(site.reader.user, language, written)


@router.delete("/briefs/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_brief(site: Here, request: Request, number: Number) -> None:
    """Delete a brief, with its sound."""
    drop(site, request, number)


def _wish(request: Request, wanted: NewBrief, *, any_language: bool = False) -> BriefWish:
    minutes = "" if wanted.minutes is None else str(wanted.minutes)
    languages = tuple(wanted.languages)
    return wished(actions_of(request), languages, minutes, wanted.voice, any_language=any_language)


def _schedule(one: BriefSchedule) -> OwnBriefSchedule:
    return OwnBriefSchedule(
        id=one.id,
        languages=list(one.wish.languages),
        minutes=one.wish.minutes,
        voice=", ".join(dict.fromkeys((one.wish.voices or {}).values())),
        at=clock(one.at),
        zone=one.zone,
        days=[WEEKDAYS[day] for day in one.weekdays],
        targets=[DeliveryTarget.model_validate(each) for each in one.targets],
        next=one.next_at,
    )


def _podcast(request: Request, token: str) -> SecretAddress:
    base = str(request.base_url).rstrip("/")
    return SecretAddress(url=BriefLinks(base).podcast(token) if token else "")


def _line(one: BriefHead, sent: list[Delivery]) -> BriefLine:
    return BriefLine(
        id=one.id,
        language=one.language,
        title=clean(one.title, 300),
        made=one.made_at,
        state=one.state,
        seconds=round(one.seconds, 3),
        heard=round(one.heard, 3),
        problem=clean(one.problem, 600),
        deliveries=sent,
    )


def _whole(brief: ArchivedBrief, heard: float, sent: list[Delivery]) -> SpokenBrief:
    script, sound = brief.script, brief.sound
    return SpokenBrief(
        id=brief.id,
        language=script.language,
        title=clean(script.title, 300),
        made=brief.made_at,
        state=brief.state,
        seconds=round(sound.seconds, 3) if sound else 0.0,
        heard=round(heard, 3),
        problem=clean(brief.problem, 600),
        deliveries=sent,
        minutes=script.minutes,
        notice=clean(" ".join(filter(None, (script.notice, sound.notice if sound else ""))), 900),
        voice=clean(sound.voice, 200) if sound else "",
        chapters=_chapters(brief),
        sources=[_source(one) for one in script.articles],
        sound=[
            SpokenFile(
                url=f"{PREFIX}/briefs/{brief.id}/sound/{ENDINGS[one.media_type]}",
                type=one.media_type,
                bytes=one.bytes,
            )
            for one in (sound.files if sound else ())
            if one.media_type in ENDINGS
        ],
    )


def _chapters(brief: ArchivedBrief) -> list[SpokenChapter]:
    times = iter(brief.sound.times if brief.sound else ())
    found = []
    for chapter in brief.script.chapters:
        sentences = []
        for line in chapter.lines:
            time = next(times, None)
            line_time = time if time is not None and time.end > time.begin else None
            sentences.append(
                BriefSentence(
                    text=clean(line.text, 2_000),
                    kind=line.kind,
                    begin=round(line_time.begin, 3) if line_time else None,
                    end=round(line_time.end, 3) if line_time else None,
                    articles=list(line.articles),
                    written_by=clean(line.written_by, 200),
                )
            )
        found.append(SpokenChapter(title=clean(chapter.title, 300), sentences=sentences))
    return found


def _source(one: DigestArticle) -> BriefSource:
    return BriefSource(
        id=one.id,
        title=titled(one.title),
        url=web_address(one.url),
        source=clean(one.source, 120),
        publisher=clean(one.publisher, 200),
        published=one.published,
    )
