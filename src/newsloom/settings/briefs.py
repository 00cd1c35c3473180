"""The spoken brief: its voices, its translator, its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class BriefSettings:
    """Briefs that are spoken."""

    folder: Path = doc(
        "Where the sound of briefs is kept, and of their sentences while they are made.",
        Path(platformdirs.user_data_dir("newsloom")) / "briefs",
    )
    minutes: int = doc("Minutes of a brief where no length is asked for.", 10, least=1)
    language: str = doc("Its language where none is asked for, such as en.", "en")
    days_kept: int = doc("Days after which the sound of a brief is removed.", 30, least=1)
    voice: str = doc(
        "What speaks: espeak; espeak:NAME; piper:FILE, an installed voice; or server:NAME, a voice "
        "of `speech_server`. Where it fails, espeak speaks, and the brief says so.",
        "espeak",
    )
    voices: str = doc(
        "Other voices for some languages, with spaces between, such as "
        "ko=piper:/voices/ko.onnx de=server:alloy.",
        "",
    )
    opus: bool = doc("Whether briefs are also kept as Opus, beside MP3.", True)
    script_minutes: float = doc(
        "How long a brief waits for sentences by the language model, where one is used, before it "
        "is spoken with the articles' own; 0: it is not asked.",
        10.0,
        least=0,
    )
    translator: str = doc(
        "What translates a brief into a second language: language-model, argos (installed packages "
        "of Argos Translate), server (`translation_server`); empty: each language has the articles "
        "written in it.",
        "",
    )


@dataclass(frozen=True, slots=True)
class SpeechServerSettings:
    """A server of voices that answers the OpenAI speech protocol (POST /v1/audio/speech)."""

    url: str = doc("Address of the server up to /v1; empty: none.", "")
    model: str = doc("The model's name on that server.", "tts-1")
    key: str = doc("The key sent to it, if it wants one.", "")
    timeout_seconds: float = doc("Whole deadline of one sentence.", 60.0, least=1)


@dataclass(frozen=True, slots=True)
class TranslationServerSettings:
    """A chat server that translates, where it is another one than `language_model`."""

    url: str = doc("Address of the server up to /v1; empty: none.", "")
    model: str = doc("The model's name on that server.", "")
    key: str = doc("The key sent to it, if it wants one.", "")
    timeout_seconds: float = doc("Whole deadline of one question.", 60.0, least=1)
