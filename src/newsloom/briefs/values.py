"""The spoken brief: a script by chapters, its sound, when a reader wants one, where they listened.

A brief is of one language; a schedule with two languages makes two of the same choice of articles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NewType
from zoneinfo import ZoneInfo

from newsloom.digests.values import DigestArticle
from newsloom.kernel.delivery.values import Target
from newsloom.kernel.ids import ArticleId, ScheduleId, UserId

BriefId = NewType("BriefId", int)


class LineKind(StrEnum):
    """What a sentence of a brief does. Only news rests on articles."""

    OPENING = "opening"
    NEWS = "news"
    TRANSITION = "transition"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class BriefLine:
    """One sentence, as the transcript shows it; what is said is made of it by `speakable`."""

    text: str
    kind: LineKind = LineKind.NEWS
    articles: tuple[ArticleId, ...] = ()  # those it rests on; never empty for news
    written_by: str = ""  # the language model or translator; "": the sources', or fixed words


@dataclass(frozen=True, slots=True)
class BriefChapter:
    """Some sentences on one matter, or the opening, or the close."""

    title: str
    lines: tuple[BriefLine, ...]
    key: str = ""  # of the topic or story, the same in the next brief; "": opening or close


@dataclass(frozen=True, slots=True)
class BriefScript:
    """What is spoken, in one language. Times are aware, UTC; `zone` is an IANA name."""

    language: str  # ISO 639-1
    title: str
    begin: datetime
    end: datetime
    zone: str
    minutes: int  # asked for
    chapters: tuple[BriefChapter, ...]
    articles: tuple[DigestArticle, ...]  # all that any sentence rests on, without their texts
    notice: str = ""  # what the reader is told of it, such as that it has one language's articles

    @property
    def day(self) -> date:
        """The day it ends on, where its listener is."""
        return self.end.astimezone(ZoneInfo(self.zone)).date()

    @property
    def lines(self) -> tuple[BriefLine, ...]:
        """All sentences, in the order they are spoken."""
        return tuple(line for chapter in self.chapters for line in chapter.lines)


@dataclass(frozen=True, slots=True)
class LineTime:
    """When a sentence is heard, in seconds from the beginning of the sound."""

    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class SoundFile:
    """One file of a brief's sound."""

    name: str  # in the folder of sound; no path
    media_type: str  # "audio/mpeg" or "audio/ogg"
    bytes: int


@dataclass(frozen=True, slots=True)
class BriefSound:
    """The sound of a script. `times` has one entry for each of `script.lines`."""

    files: tuple[SoundFile, ...]  # MP3 first
    seconds: float
    voice: str  # the id of the voice
    times: tuple[LineTime, ...]
    loudness: float  # LUFS, integrated
    peak: float  # dBTP
    notice: str = ""  # what listeners are told: another voice than wanted, a sentence left out


class BriefState(StrEnum):
    """How far a brief is."""

    WRITING = "writing"  # a language model may still write or translate its sentences
    SPEAKING = "speaking"  # its script is final; its sound is being made, or will be
    READY = "ready"
    FAILED = "failed"  # `problem` says why; its script can be read


@dataclass(frozen=True, slots=True)
class BriefWish:
    """What a reader wants spoken."""

    languages: tuple[str, ...] = ("en",)  # one or two
    minutes: int = 10
    voices: Mapping[str, str] | None = None  # language -> voice, as brief.voices has it


@dataclass(frozen=True, slots=True)
class BriefSchedule:
    """When a reader gets briefs, in their own time zone."""

    id: ScheduleId
    user: UserId
    at: int  # minutes after midnight, local
    weekdays: tuple[int, ...]  # 0 is Monday; never empty
    zone: str  # IANA name
    wish: BriefWish
    targets: tuple[Target, ...]
    next_at: datetime
    begun: datetime


@dataclass(frozen=True, slots=True)
class ArchivedBrief:
    """A brief in the archive."""

    id: BriefId
    user: UserId
    schedule: ScheduleId | None  # None: asked for once, or the schedule is gone
    made_at: datetime
    state: BriefState
    script: BriefScript
    sound: BriefSound | None = None  # None until it is ready, and after it was removed for its age
    problem: str = ""
    voice: str = ""  # that the reader asked for; "": as the settings have it
    attempts: int = 0  # at making its sound, that failed


@dataclass(frozen=True, slots=True)
class BriefHead:
    """A line of the archive."""

    id: BriefId
    language: str
    title: str
    made_at: datetime
    state: BriefState
    seconds: float = 0.0  # of its sound; 0: none
    heard: float = 0.0  # where the reader stopped listening
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ChapterQuestion:
    """A chapter that a language model is to write, or to write again, or to translate."""

    brief: int
    chapter: int  # which of the script's, from 0
    articles: tuple[DigestArticle, ...]  # with their texts
    words: int  # at most
    language: str  # to be written in
    refused: tuple[str, ...] = ()  # sentences of the first answer that did not stand, to be redone


@dataclass(frozen=True, slots=True)
class TranslationQuestion:
    """Sentences of a chapter to be said in another language, one for one."""

    brief: int
    chapter: int
    source: str  # language of the sentences
    language: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """How a reader wants some words said."""

    written: str  # whole words, as articles write them; case is ignored
    spoken: str  # what is given to the voice instead, as it is
    language: str = ""  # of the texts it is for, "en"; "": any
