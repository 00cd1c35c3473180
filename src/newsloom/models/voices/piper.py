"""A voice of Piper: a neural network in an ONNX file that the user installed, by the extra piper.

Piper makes phonemes by an eSpeak NG of its own, in this process.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from newsloom.errors import VoiceError
from newsloom.extras import require
from newsloom.ports import Speech
from newsloom.text.characters import plain

MOST_CHARACTERS = 2_000


@dataclass(slots=True)
class PiperVoice:
    """A Voice; loaded when it first speaks. Beside FILE.onnx stands FILE.onnx.json."""

    language: str
    file: str
    _loaded: Any = field(default=None, init=False)
    _digest: str = field(default="", init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        """Raises VoiceError where a file or the extra is missing."""
        for path in (self._path, self._config):
            if not path.is_file():
                raise VoiceError(f"There is no Piper voice at {path}.")
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
        return 0.0

    @property
    def _path(self) -> Path:
        return Path(self.file).expanduser()

    @property
    def _config(self) -> Path:
        return self._path.with_name(self._path.name + ".json")

    def speak(self, text: str) -> Speech:
        """Raises VoiceError."""
        clean = " ".join(plain(text).split())[:MOST_CHARACTERS]
        with self._lock:
            try:
                chunks = list(self._voice().synthesize(clean))
            except Exception as error:  # onnxruntime and Piper raise of many kinds
                words = f"{type(error).__name__}: {plain(str(error))[:200]}"
                raise VoiceError(f"The Piper voice {self._path.name}: {words}") from error
        if not chunks:
            raise VoiceError(f"The Piper voice {self._path.name} says nothing of {clean[:60]!r}.")
        samples = np.concatenate([chunk.audio_int16_array for chunk in chunks])
        return Speech(samples.astype(np.int16), int(chunks[0].sample_rate))

    def close(self) -> None:
        """Let the weights go."""
        with self._lock:
            self._loaded = None

    def _voice(self) -> Any:
        if self._loaded is None:
            from piper import PiperVoice as Model

            self._loaded = Model.load(self._path, self._config)
        return self._loaded
