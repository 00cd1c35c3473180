"""A sentence encoder behind any server of the OpenAI embeddings protocol, read with distrust.

A reply is refused as a whole when any vector of it is missing, given twice, of another length, or
holds what is no finite number: a vector that is stored is compared for years.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from newsloom.kernel.errors import ModelError, SettingsError
from newsloom.kernel.http import model_servers
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.kernel.settings import EmbeddingServerSettings
from newsloom.kernel.text.response_headers import retry_after
from newsloom.ranking.encoder_text import PREPARATION
from newsloom.ranking.encoders.onnx_encoder import MAX_CHARACTERS
from newsloom.ranking.encoders.onnx_folder import unit_rows
from newsloom.ranking.encoders.sentence_folder import prompt_of
from newsloom.ranking.ports import Vectors

# One number as JSON takes at most some 25 signs; what servers put around them is little.
BYTES_PER_NUMBER = 32
BYTES_AROUND = 64 * 1024

# A pause that a server asks for longer than this is for the next pass.
LONGEST_WAIT = 20.0
_STATUS_WORDS = {**model_servers.STATUS_WORDS, 413: "the texts are too long"}

Call = Callable[[ApiRequest], ApiReply]


@dataclass(slots=True, eq=False)
class ServerEncoder:
    """An Embedder. Texts go to the server of the settings and nowhere else."""

    call: Call
    settings: EmbeddingServerSettings
    now: Callable[[], datetime]
    prompt: str = ""
    sleep: Callable[[float], None] = time.sleep
    model_id: str = field(init=False)
    dimensions: int = field(init=False)

    def __post_init__(self) -> None:
        """Raises SettingsError when the settings do not say enough."""
        chosen = self.settings
        if not (chosen.url and chosen.model and chosen.dimensions):
            raise SettingsError(
                'models.embedder = "server" needs embedding_server.url, .model and .dimensions.'
            )
        self.dimensions = chosen.dimensions
        self.prompt = self.prompt or prompt_of(chosen.model)
        host = urlsplit(chosen.url).netloc.rpartition("@")[2]
        before = f" after {self.prompt!r}" if self.prompt else ""
        self.model_id = f"{chosen.model} at {host}, {self.dimensions}{before}/{PREPARATION}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit-length rows, one per text, in the order given. Raises ModelError."""
        rows = np.empty((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), self.settings.batch):
            some = texts[start : start + self.settings.batch]
            rows[start : start + len(some)] = self._some(some)
        return rows

    def _some(self, texts: Sequence[str]) -> Vectors:
        reply = self._answered(texts)
        if reply.status == 413 and len(texts) > 1:
            half = len(texts) // 2
            return np.concatenate([self._some(texts[:half]), self._some(texts[half:])])
        if reply.status != 200 or reply.failure is not None:
            raise self._refused(model_servers.refusal(reply, _STATUS_WORDS))
        try:
            return unit_rows(vectors_of(reply.body, len(texts), self.dimensions), self.model_id)
        except ValueError as error:
            raise self._refused(str(error)) from error

    def _answered(self, texts: Sequence[str]) -> ApiReply:
        request = self._request(texts)
        for attempt in range(self.settings.retries + 1):
            reply = self.call(request)
            last = attempt == self.settings.retries
            if last or not model_servers.is_busy(reply):
                break
            asked = retry_after(reply.headers, self.now())
            wait = max(asked.total_seconds(), 0.0) if asked is not None else 0.5 * 2.0**attempt
            if wait > LONGEST_WAIT:
                break
            self.sleep(wait)
        return reply

    def _request(self, texts: Sequence[str]) -> ApiRequest:
        # A text of nothing but spaces is an error to some servers.
        given = [self.prompt + (text[:MAX_CHARACTERS].strip() or "-") for text in texts]
        clean = [one.encode("utf-8", "replace").decode() for one in given]
        body = {"model": self.settings.model, "input": clean, "encoding_format": "float"}
        return model_servers.request(
            self.settings.url.rstrip("/") + "/embeddings",
            self.settings.key,
            body,
            timeout_seconds=self.settings.timeout_seconds,
            max_bytes=len(texts) * self.dimensions * BYTES_PER_NUMBER + BYTES_AROUND,
        )

    def _refused(self, words: str) -> ModelError:
        host = urlsplit(self.settings.url).netloc.rpartition("@")[2]
        return ModelError(f"The embedding server {host}: {words}.")


def vectors_of(body: bytes, texts: int, dimensions: int) -> np.ndarray:
    """The vectors of a reply in the order asked. Pure. Raises ValueError with words."""
    try:
        said = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError("the response is not JSON") from None
    data = said.get("data") if isinstance(said, dict) else None
    if not isinstance(data, list) or len(data) != texts:
        came = len(data) if isinstance(data, list) else "no"
        raise ValueError(f"{came} vectors for {texts} texts")
    rows = np.empty((texts, dimensions), np.float32)
    seen: set[int] = set()
    for one in data:
        index = one.get("index") if isinstance(one, dict) else None
        if type(index) is not int or not 0 <= index < texts or index in seen:
            raise ValueError("a vector has an unknown or duplicate index")
        seen.add(index)
        rows[index] = _row(one.get("embedding"), dimensions)
    return rows


def _row(numbers: Any, dimensions: int) -> np.ndarray:
    if not isinstance(numbers, list) or len(numbers) != dimensions:
        came = f"{len(numbers)} numbers" if isinstance(numbers, list) else "no numbers"
        raise ValueError(f"a vector has {came}, and embedding_server.dimensions is {dimensions}")
    if not all(type(one) in {int, float} for one in numbers):
        raise ValueError("a vector contains a value that is not a number")
    try:
        row = np.array(numbers, np.float64)
    except (OverflowError, ValueError):
        raise ValueError("a vector contains a value that is not a number") from None
    if not (np.abs(row) < 1e30).all():
        raise ValueError("a vector contains a value that is not finite")
    if not row.any():
        raise ValueError("a vector is all zeros")
    return row


def _no_number(name: str) -> float:
    raise ValueError(name)
