"""Briefs in a world: one that can be heard, one that waits, one that failed, one without sound."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import lameenc
import numpy as np

from newsloom.briefs.pages.actions import BriefActions
from newsloom.briefs.service import brief_schedules
from newsloom.briefs.values import (
    BriefChapter,
    BriefId,
    BriefLine,
    BriefScript,
    BriefSound,
    BriefWish,
    LineKind,
    LineTime,
    Pronunciation,
    SoundFile,
)
from newsloom.digests.values import DigestArticle, Memory
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ArticleId
from web.world import NEWS, World

RATE = 24_000
SENTENCE, PAUSE = 2.9, 0.1  # seconds
HOSTILE = 'Tides & <script>alert(1)</script> "quotes" \u202e'


@dataclass(frozen=True)
class Spoken:
    """What was put there, and what the pages are given of it."""

    actions: BriefActions
    heard: BriefId  # can be heard
    waiting: BriefId
    failed: BriefId
    old: BriefId  # its sound was removed
    articles: tuple[ArticleId, ...]


def article_of(world: World, title: str) -> DigestArticle:
    (found,) = (one for one in world.listed() if one.title == title)
    return DigestArticle(
        id=found.id,
        title=found.title,
        url=found.url,
        source="meridian.example",
        publisher="The Meridian",
        owner="meridian.example",
        tier=2,
        category="World",
        language="en",
        published=found.dated,
        importance=50.0,
    )


def script_of(world: World, title: str = "Morning brief, 20 November") -> BriefScript:
    """Four chapters of ten sentences."""
    first, second, third = (article_of(world, NEWS[place]["title"]) for place in (0, 1, 3))

    def news(text: str, *articles: DigestArticle, by: str = "") -> BriefLine:
        return BriefLine(text, LineKind.NEWS, tuple(one.id for one in articles), by)

    chapters = (
        BriefChapter("Opening", (BriefLine("Good morning. Three matters.", LineKind.OPENING),)),
        BriefChapter(
            f"Harbour {HOSTILE}",
            (
                news("The pilots redrew the tide table on Thursday.", first),
                news(f"The harbour master spoke of {HOSTILE}.", first, second),
                news("Ships wait for two hours less.", first, by="writer"),
            ),
            "tides",
        ),
        BriefChapter(
            "Elsewhere",
            (
                BriefLine("And now to the rest.", LineKind.TRANSITION),
                news("Another report says so too.", second),
                news("A third one adds a number, 42.", third, second),
            ),
            "rest",
        ),
        BriefChapter(
            "Close",
            (
                BriefLine("That was it.", LineKind.CLOSING),
                BriefLine("Until tomorrow.", LineKind.CLOSING),
                BriefLine("Good day.", LineKind.CLOSING),
            ),
        ),
    )
    return BriefScript(
        language="en",
        title=title,
        begin=world.now - timedelta(hours=24),
        end=world.now,
        zone="UTC",
        minutes=5,
        chapters=chapters,
        articles=(first, second, third),
        notice="It has the articles in English alone.",
    )


@functools.lru_cache(2)
def mp3(sentences: int, sentence: float = SENTENCE) -> bytes:
    """A tone for each sentence, of another height each, with a pause after it."""
    times = np.arange(int(RATE * sentence)) / RATE
    rest = np.zeros(int(RATE * PAUSE))
    tones = [np.sin(2 * np.pi * (300 + 40 * one) * times) for one in range(sentences)]
    samples = np.concatenate([part for one in tones for part in (one, rest)])
    encoder = lameenc.Encoder()
    encoder.set_bit_rate(64)
    encoder.set_in_sample_rate(RATE)
    encoder.set_channels(1)
    encoder.silence()
    whole = encoder.encode((samples * 8_000).astype(np.int16).tobytes()) + encoder.flush()
    return bytes(whole)


def sound_of(
    script: BriefScript, folder: Path, name: str, sentence: float = SENTENCE
) -> BriefSound:
    """The files of a script, in their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    count = len(script.lines)
    made = mp3(count, sentence)
    (folder / f"{name}.mp3").write_bytes(made)
    (folder / f"{name}.opus").write_bytes(b"OggS" + bytes(96))
    step = sentence + PAUSE
    return BriefSound(
        files=(
            SoundFile(f"{name}.mp3", "audio/mpeg", len(made)),
            SoundFile(f"{name}.opus", "audio/ogg", 100),
        ),
        seconds=count * step,
        voice="tones",
        times=tuple(LineTime(one * step, one * step + sentence) for one in range(count)),
        loudness=-16.0,
        peak=-3.0,
    )


def spoken(world: World, folder: Path) -> Spoken:
    """Four briefs of the reader."""
    store, script = world.store.briefs, script_of(world)
    soon = world.now + timedelta(hours=1)

    def put(title: str, days: int = 0) -> BriefId:
        made = [(script_of(world, title), Memory())]
        then = world.now - timedelta(days=days)
        (number,) = store.put_briefs(None, world.user, made, now=then, ready=then)
        return number

    old, failed, brief_id = put("An old one", 40), put("A failed one"), put(script.title)
    for one in (old, failed, brief_id):
        assert store.claim_brief(world.now, soon, one) is not None
        if one == failed:
            store.fail_brief(one, f"The voice is missing: {HOSTILE}", world.now)
        else:
            store.put_sound(one, sound_of(script, folder, f"brief-{one}"), world.now)
    for name in store.old_sounds(world.now - timedelta(days=30)):
        (folder / name).unlink()
    waiting = put("One that waits")
    articles = tuple(one.id for one in script.articles)
    return Spoken(actions(folder), brief_id, waiting, failed, old, articles)


def briefed(world: World, folder: Path) -> Spoken:
    """The same, with all else a reader can have of them."""
    made, reader = spoken(world, folder), world.reader()
    world.store.briefs.set_heard(world.user, made.heard, 12.0, world.now)
    targets = [Target(Way.MAIL, "ann@example.org")]
    brief_schedules.add(reader, BriefWish(("en", "de"), 10), "06:30", "UTC", ["monday"], targets)
    brief_schedules.podcast_token(reader, "en", make=True)
    world.store.briefs.put_pronunciation(
        world.user, Pronunciation("Annas secret name", "anna", "en")
    )
    return made


def actions(folder: Path) -> BriefActions:
    return BriefActions(folder=folder, usual=BriefWish(("en",), 10), voices=("", "espeak"))
