"""What the pages of a brief show, computed from values. Pure: no request, no reader, no clock.

Sentences and titles are what publishers wrote, and hostile here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from newsloom.briefs.values import (
    ArchivedBrief,
    BriefChapter,
    BriefHead,
    BriefLine,
    BriefSound,
    BriefState,
    LineKind,
    LineTime,
)
from newsloom.digests.values import DigestArticle
from newsloom.kernel.ids import ArticleId
from newsloom.web.view import language_words
from newsloom.web.wording import clean, clock_words, date_words, language, web_address

LONGEST_SENTENCE = 2_000
# A brief that was heard but for so much is heard: the close, and the silence after it.
CLOSE_SECONDS = 8.0
# Below this nothing was heard: it began, and was stopped.
BEGUN_SECONDS = 3.0

STATES = {
    BriefState.WRITING: "Writing. A language model may still improve the text.",
    BriefState.SPEAKING: "Creating the audio. You can already read the text.",
    BriefState.READY: "",
    BriefState.FAILED: "No audio.",
}
REMOVED = "The audio was deleted because of its age."


@dataclass(frozen=True, slots=True)
class Source:
    """An article that sentences rest on."""

    id: ArticleId
    title: str
    publisher: str
    url: str  # "" when it may not be followed
    language: str
    date: str


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A sentence of the transcript; `begin` and `end` are in seconds, None without sound."""

    number: int  # among all of the brief, from 0
    text: str
    begin: float | None
    end: float | None
    sources: tuple[Source, ...]
    written_by: str

    @property
    def publishers(self) -> str:
        """Who says so, each once."""
        return ", ".join(dict.fromkeys(one.publisher for one in self.sources))


@dataclass(frozen=True, slots=True)
class SaidChapter:
    number: int  # from 1
    title: str
    begin: float | None
    end: float | None
    clock: str  # when it begins, as 2:05; "" without sound
    lines: tuple[SaidLine, ...]


@dataclass(frozen=True, slots=True)
class SaidBrief:
    """A brief as its page shows it."""

    id: int
    title: str
    language: str  # a tag fit for an attribute
    language_words: str
    made: str
    waits: bool  # its sound is still to come
    failed: bool  # it has none, and none will come by itself
    words: str  # what its state is called; "" where there is nothing to say
    problem: str
    notice: str
    voice: str
    seconds: float  # of its sound; 0: none
    clock: str
    chapters: tuple[SaidChapter, ...]
    sources: tuple[Source, ...]
    kinds: tuple[tuple[str, str], ...]  # endings and names of its files


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A brief in the list."""

    id: int
    title: str
    language: str
    language_words: str
    made: str
    datetime: str
    waits: bool
    words: str
    problem: str
    clock: str
    seconds: int
    heard: int  # whole seconds
    heard_words: str


def clock(seconds: float) -> str:
    """A length or a place as players write it: 2:05, 1:02:05."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3_600)
    tail = f"{rest // 60:02d}" if hours else f"{rest // 60}"
    return (f"{hours}:" if hours else "") + f"{tail}:{rest % 60:02d}"


def resumed(heard: float, seconds: float) -> float:
    """Where to go on: at the start of what was heard to its end, or hardly at all."""
    over = heard >= seconds - CLOSE_SECONDS and heard >= seconds / 2
    return 0.0 if over or heard < BEGUN_SECONDS else heard


def state_words(state: BriefState, *, sound: bool) -> str:
    """What the state of a brief is called."""
    return REMOVED if state is BriefState.READY and not sound else STATES[state]


def head(one: BriefHead, zone: tzinfo | None) -> HeadLine:
    """A line of the list."""
    return HeadLine(
        id=one.id,
        title=clean(one.title, 200),
        language=language(one.language),
        language_words=language_words(one.language),
        made=clock_words(one.made_at, zone),
        datetime=one.made_at.isoformat(),
        waits=one.state in {BriefState.WRITING, BriefState.SPEAKING},
        words=state_words(one.state, sound=one.seconds > 0),
        problem=clean(one.problem, 300),
        clock=clock(one.seconds) if one.seconds else "",
        seconds=round(one.seconds),
        heard=round(min(one.heard, one.seconds)),
        heard_words=_heard_words(one.heard, one.seconds),
    )


def _heard_words(heard: float, seconds: float) -> str:
    if not seconds or heard < BEGUN_SECONDS:
        return ""
    if not resumed(heard, seconds):
        return "Heard"
    return f"{clock(seconds - heard)} left"


def said(brief: ArchivedBrief, zone: tzinfo | None) -> SaidBrief:
    """A brief with its transcript."""
    script, sound = brief.script, brief.sound
    known = {one.id: source(one, zone) for one in script.articles}
    files = sound.files if sound else ()
    return SaidBrief(
        id=brief.id,
        title=clean(script.title, 200),
        language=language(script.language),
        language_words=language_words(script.language),
        made=date_words(brief.made_at, zone),
        waits=brief.state in {BriefState.WRITING, BriefState.SPEAKING},
        failed=brief.state is BriefState.FAILED,
        words=state_words(brief.state, sound=sound is not None),
        problem=clean(brief.problem, 500),
        notice=clean(f"{script.notice} {sound.notice if sound else ''}", 800),
        voice=clean(sound.voice, 80) if sound else "",
        seconds=sound.seconds if sound else 0.0,
        clock=clock(sound.seconds) if sound else "",
        chapters=tuple(_chapters(script.chapters, sound, known)),
        sources=tuple(known.values()),
        kinds=tuple((ENDINGS[one.media_type], NAMES[one.media_type]) for one in files),
    )


# By media type: how its address ends, and what it is called.
ENDINGS = {"audio/mpeg": "mp3", "audio/ogg": "opus"}
NAMES = {"audio/mpeg": "MP3", "audio/ogg": "Opus"}


def source(one: DigestArticle, zone: tzinfo | None) -> Source:
    return Source(
        id=one.id,
        title=clean(one.title, 300) or "Untitled",
        publisher=clean(one.publisher or one.source, 60),
        url=web_address(one.url),
        language=language(one.language),
        date=date_words(one.published, zone),
    )


def _chapters(
    chapters: Sequence[BriefChapter], sound: BriefSound | None, known: dict[ArticleId, Source]
) -> Iterator[SaidChapter]:
    number = 0
    for place, chapter in enumerate(chapters, 1):
        lines = []
        for line in chapter.lines:
            time = sound.times[number] if sound and number < len(sound.times) else None
            lines.append(_line(number, line, time, known))
            number += 1
        begin = lines[0].begin if lines else None
        end = lines[-1].end if lines else None
        title = clean(chapter.title, 160)
        clocked = "" if begin is None else clock(begin)
        yield SaidChapter(place, title, begin, end, clocked, tuple(lines))


def _line(
    number: int, line: BriefLine, time: LineTime | None, known: dict[ArticleId, Source]
) -> SaidLine:
    rests = line.articles if line.kind is LineKind.NEWS else ()
    return SaidLine(
        number=number,
        text=clean(line.text, LONGEST_SENTENCE),
        begin=None if time is None else round(time.begin, 3),
        end=None if time is None else round(time.end, 3),
        sources=tuple(known[one] for one in rests if one in known),
        written_by=clean(line.written_by, 60),
    )
