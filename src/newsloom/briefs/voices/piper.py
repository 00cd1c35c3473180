"""A voice of Piper: a neural network in an ONNX file that the user installed, by the extra piper.

Piper makes phonemes by an eSpeak NG of its own, in this process. `[[...]]` in a text would be
phonemes to it, so such brackets are taken out.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.ports import RATES, Speech
from newsloom.briefs.voices.known import known
from newsloom.kernel.errors import VoiceError
from newsloom.kernel.extras import require
from newsloom.kernel.text.characters import plain

# The FILE.onnx.json of a Piper voice, read with distrust before Piper reads it. Piper takes most
# of it as it stands: a pace of 1e9 fills the memory, and some kinds of phonemes make it download
# models into the folder it was started in. Only what needs neither is let through.

MOST_CONFIG_BYTES = 2_000_000  # the largest of Piper's own voices has 30 kB
MOST_SYMBOLS, MOST_SPEAKERS = 10_000, 100_000
# The others of Piper 1.8 (pinyin, hebrew, japanese, thai) need further packages or downloads.
PHONEMES = frozenset({"espeak", "text"})
# What Piper's training and its own command offer, and more: how long, how much noise.
_BOUNDS = {"length_scale": (0.2, 5.0), "noise_scale": (0.0, 5.0), "noise_w": (0.0, 5.0)}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9+_-]{0,40}")


@dataclass(frozen=True, slots=True)
class PiperConfig:
    """What is used of it here."""

    rate: int  # samples a second
    language: str  # ISO 639-1; "": it does not say


def load(path: Path) -> PiperConfig:
    """Raises VoiceError, in words, for what Piper should not be given."""
    try:
        if path.stat().st_size > MOST_CONFIG_BYTES:
            raise _refused(path, f"it is larger than {MOST_CONFIG_BYTES:,} bytes")
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise _refused(path, "it is no JSON") from error
    if why := reason_against(found):
        raise _refused(path, why)
    language = found.get("language")
    code = language.get("code") if isinstance(language, Mapping) else ""
    family = re.match(r"[a-z]{2,3}(?![a-z])", code) if isinstance(code, str) else None
    return PiperConfig(found["audio"]["sample_rate"], family[0] if family else "")


def reason_against(found: Any) -> str:
    """Why it is not taken; "" where nothing is found. Pure."""
    if not isinstance(found, Mapping):
        return "it is no object"
    rate = _part(found, "audio").get("sample_rate")
    if not _whole(rate, *RATES):
        return f"it names {plain(str(rate))[:20]} samples a second"
    if not _whole(found.get("num_symbols"), 1, MOST_SYMBOLS):
        return "its num_symbols is no such number"
    if not _whole(found.get("num_speakers"), 1, MOST_SPEAKERS):
        return "its num_speakers is no such number"
    if not _whole(found.get("default_speaker_id", 0), 0, found["num_speakers"] - 1):
        return "it has no speaker of its default_speaker_id"
    return _against_phonemes(found) or _against_pace(found)


def _against_phonemes(found: Mapping[str, Any]) -> str:
    kind = found.get("phoneme_type", "espeak")
    if kind not in PHONEMES:
        return f"its phonemes ({plain(str(kind))[:20]}) are not supported"
    name = _part(found, "espeak").get("voice")
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        return "it names no voice of eSpeak"
    ids = found.get("phoneme_id_map")
    if not (isinstance(ids, Mapping) and 0 < len(ids) <= MOST_SYMBOLS):
        return "it has no phoneme_id_map"
    most = found["num_symbols"] - 1
    for some in ids.values():
        if not (isinstance(some, list) and len(some) <= 16):
            return "its phoneme_id_map has other things than lists"
        if not all(_whole(one, 0, most) for one in some):
            return "its phoneme_id_map has numbers that its num_symbols has not"
    return "" if found.get("vowel_clusters") in (None, [], {}) else _against_clusters(found)


def _against_clusters(found: Mapping[str, Any]) -> str:
    clusters = found["vowel_clusters"]
    right = isinstance(clusters, list) and all(
        isinstance(one, list) and all(isinstance(each, str) for each in one) for one in clusters
    )
    return "" if right else "its vowel_clusters are no lists of signs"


def _against_pace(found: Mapping[str, Any]) -> str:
    given = _part(found, "inference")
    for name, (least, most) in _BOUNDS.items():
        value = given.get(name, 1.0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and math.isfinite(value) and least <= value <= most):
            return f"its {name} is not within {least:g} and {most:g}"
    return ""


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = found.get(name)
    return part if isinstance(part, Mapping) else {}


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _refused(path: Path, why: str) -> VoiceError:
    return VoiceError(f"The Piper voice {path.name.removesuffix('.json')} is not used: {why}.")


MOST_CHARACTERS = 2_000
# Of a text that is spoken at once. The network's memory grows with it: 100 characters take 245 MB,
# 400 take 570 and 2,000 take 3 GB.
MOST_PIECE = 300
MOST_BYTES = 1_000_000_000  # the largest of Piper's own voices has 120 MB
MOST_SECONDS = 600  # of one sentence
_PHONEMES = re.compile(r"\[(?=\[)|\](?=\])")


@dataclass(slots=True)
class PiperVoice:
    """A Voice; loaded when it first speaks. Beside FILE.onnx stands FILE.onnx.json."""

    language: str
    file: str
    _loaded: Any = field(default=None, init=False)
    _read: PiperConfig | None = field(default=None, init=False)
    _digest: str = field(default="", init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        """Raises VoiceError where a file or the extra is missing, or is not what it should be."""
        for path in (self._path, self._config):
            if not path.is_file():
                raise VoiceError(f"There is no Piper voice at {path}.")
        if self._path.stat().st_size > MOST_BYTES:
            raise VoiceError(f"The Piper voice {self._path.name} is larger than 1 GB.")
        self._read = load(self._config)
        if self._read.language not in ("", self.language):
            raise VoiceError(
                f"The Piper voice {self._path.name} speaks {self._read.language}, "
                f"not {self.language}."
            )
        require("piper", "A Piper voice", VoiceError)

    @property
    def voice_id(self) -> str:
        """By the weights: another file under the same name is another voice."""
        if not self._digest:
            found = hashlib.sha256(self._config.read_bytes())
            with self._path.open("rb") as weights:
                while some := weights.read(1 << 20):
                    found.update(some)
            self._digest = found.hexdigest()[:16]
        return f"piper:{self._path.stem}/{self._digest}"

    @property
    def at_once(self) -> int:
        return 1

    @property
    def words_per_minute(self) -> float:
        """Of a voice that was measured; 0: it was not."""
        row = known(self._path.stem)
        return row.words_per_minute if row else 0.0

    @property
    def _path(self) -> Path:
        return Path(self.file).expanduser()

    @property
    def _config(self) -> Path:
        return self._path.with_name(self._path.name + ".json")

    def speak(self, text: str) -> Speech:
        """Raises VoiceError."""
        clean = _PHONEMES.sub("", " ".join(plain(text).split())[:MOST_CHARACTERS])
        with self._lock:
            try:
                samples, rate = self._spoken(clean)
            except VoiceError:
                raise
            except Exception as error:  # onnxruntime and Piper raise of many kinds
                words = f"{type(error).__name__}: {plain(str(error))[:200]}"
                raise VoiceError(f"The Piper voice {self._path.name}: {words}") from error
        if not samples.any():
            raise VoiceError(f"The Piper voice {self._path.name} says nothing of {clean[:60]!r}.")
        return Speech(samples, rate)

    def _spoken(self, text: str) -> tuple[NDArray[np.int16], int]:
        """All of it and its rate; no samples where there is nothing to say."""
        found: list[NDArray[np.int16]] = []
        rate, length = 0, 0
        pieces = wrap(text, MOST_PIECE, break_on_hyphens=False)
        for chunk in (one for piece in pieces for one in self._voice().synthesize(piece)):
            sound = np.atleast_1d(chunk.audio_float_array)
            if sound.ndim != 1 or not np.isfinite(sound).all():
                raise VoiceError(f"The Piper voice {self._path.name} makes what is no sound.")
            rate, length = int(chunk.sample_rate), length + len(sound)
            if length > MOST_SECONDS * rate:
                raise VoiceError(f"The Piper voice {self._path.name} does not come to an end.")
            found.append(np.atleast_1d(chunk.audio_int16_array).astype(np.int16))
        return (np.concatenate(found) if found else np.zeros(0, np.int16)), rate

    def close(self) -> None:
        """Let the weights go."""
        with self._lock:
            self._loaded = None

    def _voice(self) -> Any:
        if self._loaded is None:
            os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as in ranking/encoders/onnx_encoder.py
            import onnxruntime
            from piper import PiperVoice as Model
            from piper.config import PiperConfig as Config

            options = onnxruntime.SessionOptions()
            # Threads that spin while they wait take 69 to 75 instead of 55 CPU seconds for ten
            # minutes of speech, and are no faster.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            session = onnxruntime.InferenceSession(
                str(self._path), options, providers=["CPUExecutionProvider"]
            )
            self._loaded = Model(session, Config.from_dict(json.loads(self._config.read_bytes())))
        return self._loaded
