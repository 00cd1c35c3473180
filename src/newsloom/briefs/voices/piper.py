"""A voice of Piper: a neural network in an ONNX file that the user installed, by the extra piper.

Piper makes phonemes by an eSpeak NG of its own, in this process. `[[...]]` in a text would be
phonemes to it, so such brackets are taken out.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.ports import Speech
from newsloom.briefs.voices.known import known
from newsloom.briefs.voices.piper_config import PiperConfig, load
from newsloom.kernel.errors import VoiceError
from newsloom.kernel.extras import require
from newsloom.kernel.text.characters import plain

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
