"""A language model behind any server of the OpenAI chat protocol: one call, read with distrust.

Knows neither store nor budget (llm/service/runner.py does), and no tools: a model that calls one is
not answering. The key goes into the header of a call and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from newsloom.kernel.http import model_servers
from newsloom.kernel.http.ports import ApiCaller
from newsloom.kernel.http.values import ApiReply
from newsloom.kernel.settings import LanguageModelSettings
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.response_headers import retry_after
from newsloom.llm.replies import NO_TEXT
from newsloom.llm.values import OK, UNANSWERED, UNUSABLE, Completion

# The answers asked for are under 1 kB, and what servers put around them is another; whole token
# probabilities, which nobody asked for, would be 60.
MOST_BYTES = 256 * 1024

# Of an answer, kept for whoever looks into what went wrong.
MOST_RAW = 1_000

# Ways to say which form the answer must have. Ollama since 0.5, llama.cpp, vLLM and the large
# hosted services know the first and hold the model to it while it writes; so does llama-cpp-python
# with the second. Some older or smaller ones know only the third; the last works with all, and our
# own reading decides as ever.
FORMS = ("json_schema", "json_object with schema", "json_object", "none")

# What servers say to a form they do not know; llama-cpp-python says 500, and what it is about.
REJECTED = frozenset({400, 422, 501})
_FORM_UNKNOWN = b"response_format"
# What they say of a question that is too long: llama.cpp, llama-cpp-python, vLLM, the hosted ones.
_TOO_LONG = re.compile(
    rb"context[_ ](?:length|size|window)|exceed_context|maximum context|too many tokens",
    re.IGNORECASE,
)
_STATUS_WORDS = {
    **model_servers.STATUS_WORDS,
    400: "it rejected the request",
    402: "it requires payment",
    429: "it limits the rate of requests",
}


class ChatServer:
    """A language model behind a server. Never raises for what a network or a server does.

    `service`: the server and the model, in words without any key. `forms`: how many ways there are
    to say which form the answer must have, the strictest first.
    """

    forms = len(FORMS)

    def __init__(
        self, caller: ApiCaller, settings: LanguageModelSettings, now: Callable[[], datetime]
    ) -> None:
        self._caller = caller
        self._now = now
        self._address = settings.url.rstrip("/") + "/chat/completions"
        self._key = settings.key
        self.model = settings.model
        self.service = service_name(settings)

    async def complete(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        form: int,
        max_tokens: int,
        timeout_seconds: float,
        temperature: float = 0.0,
    ) -> Completion:
        """One call. Temperature 0, so that the same article is rated alike tomorrow."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            "temperature": temperature,
            "max_tokens": max_tokens,
            "stream": False,
        }
        if wanted := _response_format(FORMS[form], schema):
            body["response_format"] = wanted
        call = model_servers.request(
            self._address, self._key, body, timeout_seconds=timeout_seconds, max_bytes=MOST_BYTES
        )
        return parse(await self._caller.call(call), self._now())


def service_name(settings: LanguageModelSettings) -> str:
    """The model and the host it is on: no path, no password."""
    return f"{settings.model} at {urlsplit(settings.url).netloc.rpartition('@')[2]}"


def _response_format(form: str, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if form == "none":
        return None
    if form == "json_object":
        return {"type": form}
    if form == "json_object with schema":
        return {"type": "json_object", "schema": schema}
    return {"type": form, "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def parse(reply: ApiReply, received: datetime) -> Completion:
    """A reply as far as it is a chat completion. Pure, and never raises."""
    raw = plain(reply.body[: 4 * MOST_RAW].decode("utf-8", "replace"))[:MOST_RAW]
    if reply.failure is not None:
        return Completion(
            f"{UNANSWERED}{reply.problem or reply.failure.value}",
            status=reply.status,
            seconds=reply.seconds,
            raw=raw,
            again=reply.failure in model_servers.AGAIN_AFTER,
            free=not reply.sent,
        )
    if reply.status != 200:
        return _no_success(reply, received, raw)
    try:
        said = json.loads(reply.body)
    except (ValueError, RecursionError):
        said = None
    content, words, usable = _content(said)
    name = said.get("model") if isinstance(said, dict) else None
    verdict = OK if not words else f"{UNUSABLE if usable else UNANSWERED}{words}"
    return Completion(
        verdict,
        content,
        reply.status,
        _tokens(said),
        reply.seconds,
        " ".join(plain(name[:200]).split())[:100] if isinstance(name, str) else "",
        raw,
    )


def _no_success(reply: ApiReply, received: datetime, raw: str) -> Completion:
    status = reply.status
    words = _STATUS_WORDS.get(status, "")
    too_long = status == 413 or (status >= 400 and _TOO_LONG.search(reply.body) is not None)
    unknown = status >= 400 and _FORM_UNKNOWN in reply.body
    if 300 <= status < 400:
        words = model_servers.REDIRECTS
    elif too_long:
        words = "the request is too long"
    at_fault = too_long or status in {400, 413, 422}  # the question is: another one may do
    return Completion(
        f"{UNUSABLE if at_fault else UNANSWERED}it returned status {status}{words and ': '}{words}",
        status=status,
        seconds=reply.seconds,
        raw=raw,
        wait=retry_after(reply.headers, received),
        again=status in model_servers.AGAIN and not too_long,
        rejected=(status in REJECTED or unknown) and not too_long,
        too_long=too_long,
        free=True,
    )


def _content(said: Any) -> tuple[str, str, bool]:
    """The answer's words; or why there are none, and whether a model answered at all."""
    choices = said.get("choices") if isinstance(said, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return "", "the response is not a chat completion", False
    if message.get("tool_calls") or message.get("function_call"):
        return "", "it called a tool, but has none", True
    if message.get("refusal"):
        return "", "it refused", True
    ended = choice.get("finish_reason")
    if ended is not None and ended != "stop":
        return "", f"its answer was ended by {plain(str(ended))[:40]}", True
    content = message.get("content")
    if not isinstance(content, str):
        return "", "its answer has no text", True
    if NO_TEXT.search(content):
        return "", "its answer has control characters", True
    return content, "", True


def _tokens(said: Any) -> tuple[int, int] | None:
    """What the server says it used; None when it says nothing that could be."""
    usage = said.get("usage") if isinstance(said, dict) else None
    if not isinstance(usage, dict):
        return None
    sent, written = (_count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    return None if sent is None or written is None else (sent, written)


def _count(said: Any) -> int | None:
    return said if type(said) is int and 0 <= said < 2**31 else None
