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

AUTO, ESPEAK = "auto", "espeak"
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


def _piper(rest: str, language: str, settings: Settings, _call: Call | None) -> Voice:
    from newsloom.briefs.voices.installing import path_of
    from newsloom.briefs.voices.piper import PiperVoice

    return PiperVoice(language, path_of(settings, rest))


def _server(rest: str, language: str, settings: Settings, call: Call | None) -> Voice:
    from newsloom.briefs.voices.server import ServerVoice

    return ServerVoice(language, rest, settings.speech_server, call)


VOICES = (
    Kind(ESPEAK, "eSpeak NG, always available", _espeak, rest=False),
    Kind("piper", "a voice of Piper: piper:NAME or piper:FILE.onnx", _piper, rest=True),
    Kind("server", "a voice of speech_server: server:NAME", _server, rest=True),
)


def voice(
    settings: Settings, language: str, wanted: str = "", *, call: Call | None = None
) -> Voice:
    """The voice of that name, or of the settings for that language. Falls back to no other.

    Raises SettingsError for a name that cannot be one, VoiceError where what it needs is missing.
    """
    kind, rest = _parsed(chosen(settings, language, wanted))
    return kind.make(rest, language, settings, call)


def chosen(settings: Settings, language: str, wanted: str = "") -> str:
    """The name of the voice that speaks a language: `wanted`, or that of the settings; for auto,
    an installed Piper voice of the language, else eSpeak. Raises SettingsError."""
    name = wanted or by_language(settings.brief.voices).get(language, settings.brief.voice)
    if name != AUTO:
        return name
    from newsloom.briefs.voices.installing import of_language

    found = of_language(settings, language)
    return f"piper:{found}" if found else ESPEAK


def check(settings: Settings) -> None:
    """Raises SettingsError for names in the settings that cannot be those of voices."""
    if settings.brief.voice != AUTO:
        _parsed(settings.brief.voice)
    by_language(settings.brief.voices)


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
        if name != AUTO:
            _parsed(name)
        found[language] = name
    return found


def _parsed(name: str) -> tuple[Kind, str]:
    first, _, rest = name.partition(":")
    for kind in VOICES:
        if kind.name == first and (rest or not kind.rest):
            return kind, rest
    raise SettingsError(
        f"{name!r} is not a voice. Use auto, espeak, espeak:NAME, piper:NAME, piper:FILE.onnx or "
        f"server:NAME."
    )
