"""What the file says of itself: title, date, chapters and a cover, as ID3v2.3 for MP3.

Version 2.3 and not 2.4: chapters are of 2.3, and every player reads it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

MAKER = "Newsloom"
MOST_CHAPTERS = 200  # a table of contents has 255


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the sound, in seconds."""

    title: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class About:
    """What tags say."""

    title: str
    language: str  # ISO 639-1
    date: datetime
    seconds: float
    chapters: tuple[Chapter, ...]
    cover: bytes = b""  # JPEG


# ISO 639-2, as ID3 wants it, of languages whose voices there are most of; others are "und".
_LONG = {
    "ar": "ara", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa",
    "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "it": "ita", "ja": "jpn",
    "ko": "kor", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus",
    "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie", "zh": "zho",
}  # fmt: skip


def id3(about: About) -> bytes:
    """The tag that goes before the frames."""
    frames = _frames()
    tag = frames.ID3()
    text = frames.Encoding.UTF16
    day = about.date
    for kind, said in (
        (frames.TIT2, about.title),
        (frames.TPE1, MAKER),
        (frames.TALB, MAKER),
        (frames.TCON, "News"),
        (frames.TLAN, _LONG.get(about.language, "und")),
        (frames.TLEN, str(round(about.seconds * 1000))),
        (frames.TYER, f"{day:%Y}"),
        (frames.TDAT, f"{day:%d%m}"),
        (frames.TIME, f"{day:%H%M}"),
        (frames.TSSE, "LAME"),
    ):
        tag.add(kind(encoding=text, text=[_clean(said)]))
    for number, chapter in enumerate(about.chapters[:MOST_CHAPTERS]):
        tag.add(_chapter(number, chapter))
    if about.chapters:
        names = [f"ch{number}" for number in range(len(about.chapters[:MOST_CHAPTERS]))]
        ordered = frames.CTOCFlags.TOP_LEVEL | frames.CTOCFlags.ORDERED
        tag.add(frames.CTOC(element_id="toc", flags=ordered, child_element_ids=names))
    if about.cover:
        tag.add(
            frames.APIC(encoding=text, mime="image/jpeg", type=3, desc="Cover", data=about.cover)
        )
    out = io.BytesIO()
    tag.save(out, v2_version=3, padding=lambda _info: 0)
    return out.getvalue()


def _frames() -> Any:
    """Mutagen's, which have no types."""
    from mutagen import id3

    return id3


def _chapter(number: int, chapter: Chapter) -> object:
    frames = _frames()
    title = frames.TIT2(encoding=frames.Encoding.UTF16, text=[_clean(chapter.title)])
    nowhere = 0xFFFFFFFF  # offsets in bytes, which times stand in for
    return frames.CHAP(
        element_id=f"ch{number}",
        start_time=round(chapter.begin * 1000),
        end_time=round(chapter.end * 1000),
        start_offset=nowhere,
        end_offset=nowhere,
        sub_frames=[title],
    )


def _clean(words: str) -> str:
    """No line ends, nothing that UTF-16 has no place for; a NUL would begin another value."""
    shown = "".join(one if one.isprintable() else " " for one in words)
    return " ".join(shown.split())[:500]


def comments(about: About) -> Sequence[tuple[str, str]]:
    """The same for Ogg, by the names that libsndfile has for them."""
    return (
        ("title", _clean(about.title)),
        ("artist", MAKER),
        ("album", MAKER),
        ("date", f"{about.date:%Y-%m-%d}"),
        ("genre", "News"),
    )


_PAPER, _INK = (24, 38, 58), (236, 232, 222)
_BARS = 23


@lru_cache(maxsize=4)
def cover(size: int = 512) -> bytes:
    """JPEG, square."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (size, size), _PAPER)
    draw = ImageDraw.Draw(picture)
    step = size * 0.76 / _BARS
    for bar in range(_BARS):
        place = (bar + 0.5) / _BARS
        swell = math.sin(math.pi * place) ** 1.5
        height = size * (0.04 + 0.42 * swell * abs(math.sin(2.6 * bar + 0.8)))
        left = size * 0.12 + bar * step
        box = (left, (size - height) / 2, left + 0.55 * step, (size + height) / 2)
        draw.rounded_rectangle(box, radius=step * 0.27, fill=_INK)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85, optimize=True)
    return out.getvalue()
