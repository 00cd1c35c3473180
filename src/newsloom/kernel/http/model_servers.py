"""Servers of models that speak the OpenAI protocols: how one is called, and what answers mean.

Opens no connection. Chat is in llm/chat.py, vectors in ranking/encoders, speech in briefs/voices.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure
from newsloom.kernel.text.characters import plain

# After these another try may do.
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
AGAIN_AFTER = frozenset({Failure.CONNECT, Failure.TIMEOUT, Failure.PROTOCOL})
STATUS_WORDS = {
    401: "the API key is wrong",
    403: "it rejected the API key",
    404: "the model or the address does not exist",
}
REDIRECTS = "it redirects, which is not allowed"


def request(
    address: str,
    key: str,
    body: Mapping[str, Any],
    *,
    timeout_seconds: float,
    max_bytes: int,
    accept: str = "application/json",
) -> ApiRequest:
    """A call of an address; an empty key is not sent."""
    headers = [("Content-Type", "application/json"), ("Accept", accept)]
    if key:
        headers.append(("Authorization", f"Bearer {key}"))
    return ApiRequest(
        "POST",
        address,
        tuple(headers),
        json.dumps(body).encode(),
        timeout_seconds=timeout_seconds,
        max_bytes=max_bytes,
    )


def is_busy(reply: ApiReply) -> bool:
    """Whether another try may do."""
    return reply.failure in AGAIN_AFTER or reply.status in AGAIN


def refusal(reply: ApiReply, status_words: Mapping[int, str]) -> str:
    """Why there is no answer, in words."""
    if reply.failure is not None:
        return plain(reply.problem or reply.failure.value)
    if 300 <= reply.status < 400:
        return REDIRECTS
    said = status_words.get(reply.status, "")
    return f"it returned status {reply.status}{said and ': '}{said}"
