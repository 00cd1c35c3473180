"""Seconds to make a spoken brief, stage by stage; the memory of its sound.

Selection, words and translation are of the store's articles. The script that is spoken is made up:
our own sentences, as many as ten minutes take. Each stage is timed by itself, then the whole sound
as `newsloom` makes it, in a process of its own: first, and again with all sentences kept. ffmpeg's
loudnorm and LAME, where there is one, do what comes after the voice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from newsloom.app import App
from newsloom.briefs import voices
from newsloom.briefs.plain import Frame, write
from newsloom.briefs.planning import plan
from newsloom.briefs.service import briefs
from newsloom.briefs.service.speaking import Speaking, speaking
from newsloom.briefs.service.translating import in_languages, translator
from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, BriefWish
from newsloom.briefs.voices.installing import path_of
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import ListQuery, Order

RATE = 170.0  # words a minute of the script that is composed
NOW = datetime(2026, 11, 20, tzinfo=UTC)
_SENTENCES = (
    "The council of Harrow Bay voted on Tuesday to spend £{n}.4 million on the new sea wall.",
    "According to the ministry, {n} schools in the north stay closed until Monday because of snow.",
    "Dr. Lena Ortiz, who led the work, said the telescope had found {n} planets since 2019.",
    "Shares of the company fell by {n}% after it reported a loss of $1.{n} billion.",
    "“We will decide in December,” the mayor told reporters at 6.30 p.m.",
    "It is the third time in {n} years that the river has risen this high.",
)


@dataclass(frozen=True, slots=True)
class BriefBench:
    """What a brief took; seconds are of the wall unless they say processor."""

    voice: str
    minutes: float  # it plays
    sentences: int
    first_seconds: float
    first_processor_seconds: float  # with the voice's own process
    again_seconds: float  # every sentence kept
    times_faster: float  # than it plays, first
    times_faster_again: float
    megabytes: float  # the largest of the process; the voice's own is its own
    voice_megabytes: float
    loudness: float
    peak: float
    articles: int  # of two days, selected from; 0: the store has no news in English
    select_seconds: float
    words_seconds: float
    translate_seconds: float | None  # into German; None: brief.translator is not set
    speakable_seconds: float
    voice_seconds: float  # with what trims and resamples
    voice_processor_seconds: float
    mp3_seconds: float  # loudness, MP3, tags, measured again
    opus_seconds: float
    ffmpeg_loudnorm_seconds: float | None  # two passes and LAME; None: there is no ffmpeg


def script(minutes: float, rate: float) -> BriefScript:
    """Chapters of twelve sentences, as long as asked for."""
    lines: list[BriefLine] = []
    words = 0
    while words < minutes * rate:
        number = len(lines)
        said = _SENTENCES[number % len(_SENTENCES)].format(n=2 + number)
        lines.append(BriefLine(said))
        words += len(said.split())
    chapters = tuple(
        BriefChapter(f"Chapter {1 + at // 12}", tuple(lines[at : at + 12]))
        for at in range(0, len(lines), 12)
    )
    return BriefScript("en", "A brief", NOW, NOW, "UTC", round(minutes), chapters, ())


def run(app: App, minutes: float, voice: str) -> BriefBench:
    """In a folder of its own; `voice` is one of `brief.voice`, "": that of the settings."""
    name = voices.chosen(app.settings, "en", voice)
    if name.startswith("piper:"):
        name = "piper:" + path_of(app.settings, name.removeprefix("piper:"))
    with TemporaryDirectory() as made:
        folder = Path(made)
        first = _apart(folder, minutes, name)
        again = _apart(folder, minutes, name)
        parts = _parts(folder, minutes, name)
        peer = _ffmpeg(folder / first["name"], folder)
    seconds = first["sound_seconds"]
    return BriefBench(
        voice=first["voice"],
        minutes=seconds / 60,
        sentences=first["sentences"],
        first_seconds=first["seconds"],
        first_processor_seconds=first["processor_seconds"],
        again_seconds=again["seconds"],
        times_faster=seconds / first["seconds"],
        times_faster_again=seconds / again["seconds"],
        megabytes=first["megabytes"],
        voice_megabytes=first["voice_megabytes"],
        loudness=first["loudness"],
        peak=first["peak"],
        ffmpeg_loudnorm_seconds=peer,
        **_composing(app, minutes),
        **parts,
    )


def _composing(app: App, minutes: float) -> dict[str, Any]:
    """Of the store's last two days, up to its newest article."""
    reader = app.reader()
    newest = reader.page(ListQuery(order=Order.NEWEST, unread_only=False, limit=1))
    now = newest[0].dated if newest else app.now()
    wish = BriefWish(("en", "de"), max(round(minutes), 1))
    found, select = _timed(lambda: briefs.selected(reader, "en", now))
    frame = Frame("en", now - briefs.WINDOW, now, "UTC", wish.minutes)
    _written, words = _timed(lambda: write(found.offered, plan(wish.minutes, RATE), frame))
    by = translator(app)

    def compose(wanted: BriefWish) -> tuple[briefs.ComposedBrief, ...]:
        return briefs.composed(reader, wanted, now, "UTC", words_per_minute=lambda _one: RATE)

    translate: float | None = None
    if by is not None and found.offered:
        _one, once = _timed(lambda: compose(replace(wish, languages=("en",))))
        _two, both = _timed(lambda: in_languages(compose, wish, by, lambda _one: RATE))
        translate = max(both - once, 0.0)
    return {
        "articles": sum(len(one.articles) for one in found.known),
        "select_seconds": select,
        "words_seconds": words,
        "translate_seconds": translate,
    }


def _speaking(folder: Path, voice: str) -> Speaking:
    base = Settings()
    return speaking(replace(base, brief=replace(base.brief, folder=folder, opus=True, voice=voice)))


def _apart(folder: Path, minutes: float, voice: str) -> dict[str, Any]:
    """The whole of it in a process of its own, for its memory."""
    line = [sys.executable, "-m", __name__, str(folder), str(minutes), voice]
    done = subprocess.run(line, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def _whole(folder: Path, minutes: float, voice: str) -> dict[str, Any]:
    import resource

    speaker = _speaking(folder, voice)
    said = script(minutes, speaker.words_per_minute("en"))
    begun = time.perf_counter()
    sound = speaker.speak(said, ())
    seconds = time.perf_counter() - begun
    mine, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "voice": sound.voice,
        "seconds": seconds,
        "processor_seconds": sum(one.ru_utime + one.ru_stime for one in (mine, children)),
        "sound_seconds": sound.seconds,
        "sentences": len(said.lines),
        "name": sound.files[0].name,
        "loudness": sound.loudness,
        "peak": sound.peak,
        "megabytes": mine.ru_maxrss / 1024,
        "voice_megabytes": children.ru_maxrss / 1024,
    }


def _parts(folder: Path, minutes: float, name: str) -> dict[str, Any]:
    """Each stage by itself."""
    from newsloom.briefs.sound.sentences import prepared
    from newsloom.briefs.speakable import speakable

    speaker = _speaking(folder, name)
    lines = script(minutes, speaker.words_per_minute("en")).lines
    said, speaking_seconds = _timed(lambda: [speakable(one.text, "en") for one in lines])
    voice = speaker.voice("en")

    def speak() -> None:
        for one in said:
            speech = voice.speak(one)
            prepared(speech.samples, speech.rate)

    before = _processor()
    _none, voice_seconds = _timed(speak)
    voice.close()
    voice_processor = _processor() - before
    with_opus = script(minutes, speaker.words_per_minute("en"))
    _sound, both = _timed(lambda: speaker.speak(with_opus, ()))
    base = speaker.settings
    bare = Speaking(replace(base, brief=replace(base.brief, opus=False)))
    _bare, mp3 = _timed(lambda: bare.speak(with_opus, ()))
    return {
        "speakable_seconds": speaking_seconds,
        "voice_seconds": voice_seconds,
        "voice_processor_seconds": voice_processor,
        "mp3_seconds": mp3,
        "opus_seconds": max(both - mp3, 0.0),
    }


def _processor() -> float:
    """Seconds of this process and of those that it ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _timed(does: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.perf_counter()
    result = does()
    return result, time.perf_counter() - begun


def _ffmpeg(path: Path, folder: Path) -> float | None:
    """What ffmpeg takes to make the same sound as loud, in two passes, and MP3 of it."""
    if not shutil.which("ffmpeg"):
        return None
    loud = "loudnorm=I=-16:TP=-1:LRA=11"
    out = folder / "peer.mp3"
    line = ["ffmpeg", "-v", "error", "-y", "-i", str(path), "-map", "0:a"]

    def normalise() -> None:
        subprocess.run([*line, "-af", f"{loud}:print_format=json", "-f", "null", "-"], check=True)  # noqa: S603
        subprocess.run([*line, "-af", loud, "-ar", "24000", "-b:a", "64k", str(out)], check=True)  # noqa: S603

    return _timed(normalise)[1]


def main() -> None:
    folder, minutes, voice = sys.argv[1:]
    print(json.dumps(_whole(Path(folder), float(minutes), voice)))


if __name__ == "__main__":
    main()
