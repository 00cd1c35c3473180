"""Embedding servers of the OpenAI form, on loopback: honest, busy, broken and hostile ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

import loopback
from newsloom.kernel.errors import ModelError, SettingsError
from newsloom.kernel.http.blocking import BlockingApi
from newsloom.kernel.settings import EmbeddingServerSettings
from newsloom.ranking.encoders.embedding_server import ServerEncoder

Answer = tuple[int, dict[str, str], bytes]
NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Server:
    """Answers by `answer`; `asked` is what came."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.answer: Callable[[Any], Answer] = honest
        self.url = ""


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def reply(vectors: list[Any], **more: Any) -> Answer:
    data = [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
    return 200, {}, json.dumps({"data": data, "model": "m", **more}).encode()


def honest(body: Any) -> Answer:
    return reply([vector(text) for text in body["input"]])


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append((self.path, dict(self.headers.items()), body))
            status, headers, content = server.answer(body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with loopback.answering(Handler) as port:
        server.url = f"http://127.0.0.1:{port}/v1"
        yield server


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def encoder(server: Server) -> Iterator[ServerEncoder]:
    call = BlockingApi(version="0", max_ratio=200)
    settings = EmbeddingServerSettings(
        url=server.url, model="m", key="secret", dimensions=3, batch=4, timeout_seconds=5.0
    )
    yield ServerEncoder(call, settings, lambda: NOW, sleep=lambda _seconds: None)
    call.close()


def test_texts_go_in_batches_and_come_back_in_order(server: Server, encoder: ServerEncoder) -> None:
    texts = [f"text{'x' * place}" for place in range(10)]
    found = encoder.embed(texts)
    expected = np.array([vector(text) for text in texts])
    np.testing.assert_allclose(
        found, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6
    )
    assert [len(body["input"]) for _path, _headers, body in server.asked] == [4, 4, 2]
    path, headers, body = server.asked[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer secret"
    assert body["model"] == "m"
    assert encoder.embed([]).shape == (0, 3)


def test_vectors_in_another_order_find_their_texts(server: Server, encoder: ServerEncoder) -> None:
    def turned(body: Any) -> Answer:
        said = json.loads(honest(body)[2])
        return 200, {}, json.dumps({"data": said["data"][::-1]}).encode()

    expected = encoder.embed(["a", "bbb"])
    server.answer = turned
    np.testing.assert_array_equal(encoder.embed(["a", "bbb"]), expected)


def data(*entries: Any) -> bytes:
    return json.dumps({"data": list(entries)}).encode()


GOOD = {"index": 0, "embedding": [1, 2, 3]}
HOSTILE = {
    "no JSON": b"<html>",
    "a list": b"[]",
    "deep": b"[" * 100_000,
    "no data": b"{}",
    "too few": data(),
    "too many": data(GOOD, {"index": 1, "embedding": [1, 2, 3]}),
    "of no text": data({"index": 7, "embedding": [1, 2, 3]}),
    "negative": data({"index": -1, "embedding": [1, 2, 3]}),
    "true as number": data({"index": False, "embedding": [1, 2, 3]}),
    "without index": data({"embedding": [1, 2, 3]}),
    "short": data({"index": 0, "embedding": [1, 2]}),
    "long": data({"index": 0, "embedding": [1, 2, 3, 4]}),
    "text": data({"index": 0, "embedding": ["1", 2, 3]}),
    "packed": data({"index": 0, "embedding": "AAAA"}),
    "nested": data({"index": 0, "embedding": [[1], 2, 3]}),
    "null": data({"index": 0, "embedding": None}),
    "true": data({"index": 0, "embedding": [True, 2, 3]}),
    "NaN": b'{"data": [{"index": 0, "embedding": [NaN, 1, 2]}]}',
    "infinite": b'{"data": [{"index": 0, "embedding": [1e999, 1, 2]}]}',
    "large": b'{"data": [{"index": 0, "embedding": [1e39, 1, 2]}]}',
    "an integer without end": b'{"data": [{"index": 0, "embedding": [1'
    + b"0" * 400
    + b", 1, 2]}]}",
    "zeros": data({"index": 0, "embedding": [0, 0, 0]}),
    "endless": b" " * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_is_refused_as_a_whole(
    server: Server, encoder: ServerEncoder, name: str
) -> None:
    server.answer = lambda _body: (200, {}, HOSTILE[name])
    with pytest.raises(ModelError, match="The embedding server 127") as caught:
        encoder.embed(["a text"])
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_vector_that_comes_twice_is_refused(server: Server, encoder: ServerEncoder) -> None:
    server.answer = lambda _body: (200, {}, data(GOOD, GOOD))
    with pytest.raises(ModelError, match="duplicate"):
        encoder.embed(["a", "b"])


def test_a_busy_server_is_asked_again(server: Server, encoder: ServerEncoder) -> None:
    busy: list[Answer] = [(503, {}, b""), (429, {"Retry-After": "1"}, b"")]
    server.answer = lambda body: busy.pop(0) if busy else honest(body)
    assert encoder.embed(["a"]).shape == (1, 3)
    assert len(server.asked) == 3


def test_one_that_stays_busy_or_asks_for_hours_is_left(
    server: Server, encoder: ServerEncoder
) -> None:
    server.answer = lambda _body: (503, {}, b"")
    with pytest.raises(ModelError, match="returned status 503"):
        encoder.embed(["a"])
    assert len(server.asked) == 3
    server.answer = lambda _body: (429, {"Retry-After": "3600"}, b"")
    with pytest.raises(ModelError, match="returned status 429"):
        encoder.embed(["a"])
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "the API key is wrong"),
        (404, "the model or the address does not exist"),
        (302, "not allowed"),
    ],
)
def test_a_refusal_is_said_and_not_repeated(
    server: Server, encoder: ServerEncoder, status: int, words: str
) -> None:
    server.answer = lambda _body: (status, {"Location": "http://127.0.0.1:9/"}, b"")
    with pytest.raises(ModelError, match=words):
        encoder.embed(["a"])
    assert len(server.asked) == 1


def test_texts_that_are_too_long_together_go_apart(server: Server, encoder: ServerEncoder) -> None:
    server.answer = lambda body: (413, {}, b"") if len(body["input"]) > 1 else honest(body)
    assert encoder.embed(["a", "b", "c"]).shape == (3, 3)


def test_one_that_is_away(encoder: ServerEncoder) -> None:
    away = replace(encoder.settings, url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelError, match=r"The embedding server 127\.0\.0\.1:9"):
        ServerEncoder(encoder.call, away, lambda: NOW).embed(["a"])


def test_empty_and_broken_texts_are_sent_as_text(server: Server, encoder: ServerEncoder) -> None:
    encoder.embed(["", "  ", "\ud800"])
    assert server.asked[0][2]["input"] == ["-", "-", "?"]


def test_a_prompt_is_of_the_models_name(encoder: ServerEncoder, server: Server) -> None:
    settings = replace(encoder.settings, model="intfloat/multilingual-e5-small")
    other = ServerEncoder(encoder.call, settings, lambda: NOW)
    other.embed(["a"])
    assert server.asked[-1][2]["input"] == ["query: a"]
    assert other.model_id != encoder.model_id


def test_settings_that_say_too_little(encoder: ServerEncoder) -> None:
    for missing in ({"url": ""}, {"model": ""}, {"dimensions": 0}):
        with pytest.raises(SettingsError, match=r"embedding_server\.url"):
            ServerEncoder(encoder.call, replace(encoder.settings, **missing), lambda: NOW)
