"""Which kinds of voices there are, by the names in the settings. Loads none before it is used.

To add one: a class that implements ports.Voice, and a row in VOICES.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.kernel.errors import SettingsError

if TYPE_CHECKING:
    from newsloom.briefs.ports import Voice
    from newsloom.kernel.http.values import ApiReply, ApiRequest
    from newsloom.kernel.settings import Settings

Call = Callable[["ApiRequest"], "ApiReply"]  # of a service named in the settings
_LANGUAGE = re.compile(r"[a-z]{2}")


@dataclass(frozen=True, slots=True)
class Kind:
    """Voices of one kind: how their names in the settings begin, a line for people, and how one is
    made of what follows in the name, a language, the settings and what calls services."""

    name: str
    words: str
    make: Callable[[str, str, Settings, Call | None], Voice]
    rest: bool  # whether something must follow in the name


def _espeak(rest: str, language: str, _settings: Settings, _call: Call | None) -> Voice:
    from newsloom.briefs.voices.espeak import EspeakVoice

    return EspeakVoice(language, rest)


def _piper(rest: str, language: str, _settings: Settings, _call: Call | None) -> Voice:
    from newsloom.briefs.voices.piper import PiperVoice

    return PiperVoice(language, rest)


def _server(rest: str, language: str, settings: Settings, call: Call | None) -> Voice:
    from newsloom.briefs.voices.server import ServerVoice

    return ServerVoice(language, rest, settings.speech_server, call)


VOICES = (
    Kind("espeak", "eSpeak NG, always available", _espeak, rest=False),
    Kind("piper", "a voice of Piper: piper:FILE.onnx, with the extra piper", _piper, rest=True),
    Kind("server", "a voice of speech_server: server:NAME", _server, rest=True),
)


def voice(
    settings: Settings, language: str, wanted: str = "", *, call: Call | None = None
) -> Voice:
    """The voice of that name, or of the settings for that language. Falls back to no other.

    Raises SettingsError for a name that cannot be one, VoiceError where what it needs is missing.
    """
    name = wanted or chosen(settings, language)
    kind, rest = _parsed(name)
    return kind.make(rest, language, settings, call)


def chosen(settings: Settings, language: str) -> str:
    """The name that the settings have for a language. Raises SettingsError."""
    return by_language(settings.brief.voices).get(language, settings.brief.voice)


def check(settings: Settings) -> None:
    """Raises SettingsError for names in the settings that cannot be those of voices."""
    _parsed(settings.brief.voice)
    for name in by_language(settings.brief.voices).values():
        _parsed(name)


def by_language(voices: str) -> Mapping[str, str]:
    """`ko=piper:/voices/ko.onnx de=server:alloy` by language. Raises SettingsError."""
    found: dict[str, str] = {}
    for one in voices.split():
        language, equals, name = one.partition("=")
        if not equals or not _LANGUAGE.fullmatch(language):
            raise SettingsError(
                f"brief.voices: {one!r} is not LANGUAGE=VOICE, such as de=server:alloy."
            )
        if language in found:
            raise SettingsError(f"brief.voices: {language} has two voices.")
        _parsed(name)
        found[language] = name
    return found


def _parsed(name: str) -> tuple[Kind, str]:
    first, _, rest = name.partition(":")
    for kind in VOICES:
        if kind.name == first and (rest or not kind.rest):
            return kind, rest
    raise SettingsError(
        f"{name!r} is not a voice. Use espeak, espeak:NAME, piper:FILE.onnx or server:NAME."
    )
