"""What the pages of briefs need from outside: their sound, and what makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from newsloom.app.reader import Reader
from newsloom.briefs.values import BriefId, BriefWish
from newsloom.briefs.voices.installing import PiperFile
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import UserId

ELSEWHERE = "This process cannot create briefs. Start Newsloom with `newsloom serve`."


def _nothing(_reader: Reader, _wish: BriefWish, _zone: str) -> tuple[BriefId, ...]:
    raise UserError(ELSEWHERE)


def _not_here(_name: str) -> str:
    raise UserError(ELSEWHERE)


def _silent(_user: UserId, _text: str, _language: str) -> bytes:
    raise UserError(ELSEWHERE)


@dataclass(frozen=True, slots=True)
class BriefActions:
    """`make` composes and keeps briefs and has their sound made soon: their ids, none where there
    is nothing new; it may take seconds. `hear` speaks one sentence: a WAV file. `piper_voices` are
    those that are known or installed; `install` installs one by its name, which may take minutes:
    what to say then."""

    folder: Path = Path("briefs")  # where sound is kept
    make: Callable[[Reader, BriefWish, str], tuple[BriefId, ...]] = _nothing
    hear: Callable[[UserId, str, str], bytes] = _silent
    usual: BriefWish = field(default_factory=BriefWish)  # where nothing is chosen
    voices: tuple[str, ...] = ()  # that a reader may choose: those that the settings name
    piper_voices: Callable[[], tuple[PiperFile, ...]] = tuple
    install: Callable[[str], str] = _not_here
    days_kept: int = 30

    def offered_voices(self) -> tuple[str, ...]:
        """Those of the settings, and those that are installed."""
        return (*self.voices, *(f"piper:{one.name}" for one in self.piper_voices() if one.file))
