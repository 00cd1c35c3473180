"""A script of a brief, and its sound made by the voice of the settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import soundfile

from newsloom.briefs.service.speaking import (
    speaking,
)
from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, BriefSound, LineTime
from newsloom.kernel.settings import Settings

NOW = datetime(2026, 11, 2, 6, tzinfo=UTC)
ENGLISH = (
    "Good morning.",
    "The central bank raised interest rates by a quarter of a point on Tuesday.",
    "She said there was no choice.",
    "Shares fell.",
    "The river rose overnight, and three hundred people left their homes.",
    "That was the news.",
)
GERMAN = (
    "Guten Morgen.",
    "Die Zentralbank hat am Dienstag die Zinsen angehoben.",
    "Der Fluss stieg über Nacht.",
)
KOREAN = ("좋은 아침입니다.", "중앙은행은 화요일에 금리를 올렸다.", "강물이 밤사이 불어났다.")


def script(*lines: str, language: str = "en", title: str = "Morning brief") -> BriefScript:
    """A chapter for each three sentences."""
    chapters = tuple(
        BriefChapter(f"Part {at}", tuple(map(BriefLine, lines[at : at + 3])))
        for at in range(0, len(lines), 3)
    )
    return BriefScript(language, title, NOW, NOW, "Europe/Berlin", 10, chapters, ())


def settings(
    folder: Path, voice: str = "espeak", url: str = "", concurrency: int = 1, **server: float
) -> Settings:
    base = Settings()
    of_server = {"url": url, "concurrency": concurrency, "timeout_seconds": 2.0, **server}
    return replace(
        base,
        brief=replace(base.brief, folder=folder, voice=voice),
        speech_server=replace(base.speech_server, **of_server),
    )


def spoken(folder: Path, said: BriefScript, **more: str | float) -> BriefSound:
    speaker = speaking(settings(folder, **more))
    try:
        return speaker.speak(said, ())
    finally:
        speaker.close()


def heard(path: Path) -> tuple[np.ndarray, int]:
    samples, rate = soundfile.read(path, dtype="float32")
    return samples, rate


def check_times(samples: np.ndarray, rate: int, times: tuple[LineTime, ...]) -> None:
    """Each sentence begins and ends with its energy, within 50 ms, and nothing is between."""
    frame = rate // 200
    energy = np.abs(samples[: len(samples) // frame * frame]).reshape(-1, frame).max(axis=1)
    loud = np.flatnonzero(energy > 0.01) * frame / rate
    before = -1.0
    for one in times:
        inside = loud[(loud > (before + one.begin) / 2) & (loud < one.end + 0.2)]
        assert abs(inside[0] - one.begin) < 0.05, one
        assert abs(inside[-1] + frame / rate - one.end) < 0.05, one
        before = one.end
    assert loud[-1] < times[-1].end + 0.05
