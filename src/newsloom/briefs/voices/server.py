"""A voice behind any server of the OpenAI speech protocol, read with distrust.

Asked for WAV, which says its own rate. Whatever the answer is called, it is taken only as a whole
WAV of sound; raw samples (`audio/pcm`) are taken at the 24,000 a second that the protocol has.
"""

from __future__ import annotations

import io
import threading
import time
import wave
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.ports import RATES, Speech
from newsloom.kernel.errors import SettingsError, VoiceError
from newsloom.kernel.http import model_servers
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.kernel.settings.briefs import SpeechServerSettings
from newsloom.kernel.text.characters import plain

RAW_RATE = 24_000
# A sentence of 5,000 characters is spoken in six minutes; at 48,000 samples that is 35 MB.
MOST_CHARACTERS = 4_096  # the protocol's own bound
MOST_BYTES = 40_000_000
MOST_SECONDS = 600
_TRIES, _PAUSE, _LONGEST_PAUSE = 3, 1.0, 30.0
_STATUS_WORDS = {
    **model_servers.STATUS_WORDS,
    400: "it rejected the sentence, the model or the voice",
    402: "it requires payment",
    429: "it limits the rate of requests",
}

Call = Callable[[ApiRequest], ApiReply]


@dataclass(slots=True)
class ServerVoice:
    """A Voice. Sentences go to the server of the settings and nowhere else.

    Its time is counted from its first sentence on, so that a server that is slow with each of many
    comes to an end too.
    """

    language: str
    name: str
    settings: SpeechServerSettings
    call: Call | None
    _ends: float = field(default=0.0, init=False)
    _closed: threading.Event = field(default_factory=threading.Event, init=False)

    def __post_init__(self) -> None:
        """Raises SettingsError when the settings do not say enough."""
        if not (self.settings.url and self.settings.model):
            raise SettingsError(
                "brief.voice: server:NAME needs speech_server.url and speech_server.model."
            )

    @property
    def voice_id(self) -> str:
        return f"server:{self.name}/{self.settings.model}/{self._host}/{self.language}"

    @property
    def words_per_minute(self) -> float:
        return 0.0

    @property
    def at_once(self) -> int:
        return self.settings.concurrency

    @property
    def _host(self) -> str:
        return urlsplit(self.settings.url).netloc.rpartition("@")[2]

    def speak(self, text: str) -> Speech:
        """Raises VoiceError."""
        reply = self._answered(" ".join(plain(text).split())[:MOST_CHARACTERS])
        if reply.failure is not None or reply.status != 200:
            raise self._refused(model_servers.refusal(reply, _STATUS_WORDS))
        try:
            return parse_speech(reply.body, reply.header("content-type"))
        except ValueError as error:
            raise self._refused(str(error)) from error

    def close(self) -> None:
        self._closed.set()

    def _answered(self, text: str) -> ApiReply:
        if self.call is None:
            raise VoiceError("The speech server is not available here.")
        self._ends = self._ends or time.monotonic() + self.settings.brief_seconds
        reply = self.call(self._request(text))
        for attempt in range(1, _TRIES):
            if not model_servers.is_busy(reply):
                break
            pause = _asked_pause(reply) or _PAUSE * attempt
            if pause >= self._left() or self._closed.wait(pause):
                break
            reply = self.call(self._request(text))
        return reply

    def _left(self) -> float:
        return self._ends - time.monotonic()

    def _request(self, text: str) -> ApiRequest:
        left = self._left()
        if self._closed.is_set():
            raise self._refused("nobody waits for it any more")
        if left <= 0:
            raise self._refused(f"it is too slow: {self.settings.brief_seconds:.3g} seconds passed")
        body = {
            "model": self.settings.model,
            "input": text.encode("utf-8", "replace").decode(),
            "voice": self.name,
            "response_format": "wav",
        }
        return model_servers.request(
            self.settings.url.rstrip("/") + "/audio/speech",
            self.settings.key,
            body,
            timeout_seconds=min(self.settings.timeout_seconds, left),
            max_bytes=MOST_BYTES,
            accept="audio/wav, audio/pcm",
        )

    def _refused(self, words: str) -> VoiceError:
        return VoiceError(f"The speech server {self._host}: {words}.")


def parse_speech(body: bytes, content_type: str) -> Speech:
    """The sound of an answer. Pure. Raises ValueError with words."""
    kind = content_type.partition(";")[0].strip().lower()
    if body[:4] == b"RIFF":
        speech = _wav(body)
    elif kind in {"audio/pcm", "audio/l16"} and body and len(body) % 2 == 0:
        speech = Speech(np.frombuffer(body, "<i2").astype(np.int16), RAW_RATE)
    else:
        raise ValueError(
            f"what came is no WAV but {plain(kind)[:60] or 'something without a name'}"
        )
    if len(speech.samples) > MOST_SECONDS * speech.rate:
        raise ValueError("its audio is longer than ten minutes")
    if np.abs(speech.samples.astype(np.int32)).max(initial=0) < 16:
        raise ValueError("its audio is silent")
    return speech


def _wav(body: bytes) -> Speech:
    """Raises ValueError. Some servers that write while they speak say a length of 0 or of 4 GB:
    then what came is all of it."""
    try:
        with wave.open(io.BytesIO(body)) as sound:
            rate, channels, width = sound.getframerate(), sound.getnchannels(), sound.getsampwidth()
            told = sound.getnframes()
            frames = sound.readframes(MOST_BYTES // max(channels * width, 1))
    except (wave.Error, EOFError, RuntimeError) as error:
        raise ValueError(f"its WAV cannot be read ({plain(str(error))[:60]})") from None
    if not (RATES[0] <= rate <= RATES[1] and channels in {1, 2} and width == 2):
        raise ValueError(f"its WAV has {rate} samples a second, {channels} channels, {width} bytes")
    size = channels * width
    if told == 0:
        frames = body[body.index(b"data") + 8 :]
    elif len(frames) < told * size < MOST_BYTES:
        raise ValueError("its WAV is cut off")
    frames = frames[: len(frames) // size * size]
    samples: NDArray[np.int16] = np.frombuffer(frames, "<i2").astype(np.int16)
    if channels == 2:
        samples = samples.reshape(-1, 2).astype(np.int32).mean(axis=1).astype(np.int16)
    return Speech(samples, rate)


def _asked_pause(reply: ApiReply) -> float:
    """Seconds that the server asks to wait; 0: it does not say."""
    said = reply.header("retry-after")
    return min(float(said), _LONGEST_PAUSE) if said.isascii() and said.isdecimal() else 0.0
