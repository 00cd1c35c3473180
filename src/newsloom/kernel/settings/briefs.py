"""The spoken brief: its voices, its translator, its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class BriefSettings:
    """Briefs that are spoken."""

    folder: Path = doc(
        "Folder for the sound of briefs.",
        Path(platformdirs.user_data_dir("newsloom")) / "briefs",
    )
    minutes: int = doc("Default length in minutes.", 10, least=1)
    language: str = doc("Default language, such as en.", "en")
    days_kept: int = doc("Days until the sound of a brief is deleted.", 30, least=1)
    voice: str = doc(
        "Voice: auto (a Piper voice of the language if installed, else espeak), espeak, "
        "espeak:NAME, piper:NAME, piper:FILE or server:NAME (see speech_server). If it fails, "
        "espeak speaks.",
        "auto",
    )
    voices_folder: Path = doc(
        "Where `newsloom voices get` installs Piper voices.",
        Path(platformdirs.user_data_dir("newsloom")) / "voices",
    )
    voices: str = doc(
        "Voices of other languages, separated by spaces, such as ko=piper:/voices/ko.onnx "
        "de=server:alloy.",
        "",
    )
    opus: bool = doc("Also store briefs as Opus.", True)
    script_minutes: float = doc(
        "How long a brief waits for the language model; 0: do not ask it.",
        10.0,
        least=0,
    )
    translator: str = doc(
        "Translator for a second language: language-model, argos or server (see "
        "translation_server); empty: use articles in that language.",
        "",
    )


@dataclass(frozen=True, slots=True)
class SpeechServerSettings:
    """A server of voices that answers the OpenAI speech protocol (POST /v1/audio/speech)."""

    url: str = doc("Address up to /v1; empty: none.", "")
    model: str = doc("Model name on the server.", "tts-1")
    key: str = doc("API key, if the server needs one.", "")
    timeout_seconds: float = doc("Deadline of a sentence.", 60.0, least=1)
    brief_seconds: float = doc("Deadline of all sentences of a brief.", 1_800.0, least=1)
    concurrency: int = doc("Largest number of requests to the server at the same time.", 4, least=1)


@dataclass(frozen=True, slots=True)
class TranslationServerSettings:
    """A chat server that translates, where it is another one than `language_model`."""

    url: str = doc("Address up to /v1; empty: none.", "")
    model: str = doc("Model name on the server.", "")
    key: str = doc("API key, if the server needs one.", "")
    timeout_seconds: float = doc("Deadline of a request.", 60.0, least=1)
