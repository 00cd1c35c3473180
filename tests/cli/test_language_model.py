"""What the commands say of a language model, and that no command shows a secret."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from llm.server import Script, Server, answer, serving
from newsloom.kernel.settings import masked
from publisher import Publisher, rss

Newsloom = Callable[..., str]
KEY = "sk-live-0123456789"


@contextmanager
def apart(script: Script) -> Iterator[Server]:
    """The server on a thread of its own: commands run loops of theirs."""
    found: list[Server] = []
    ready, done = threading.Event(), threading.Event()

    async def main() -> None:
        async with serving(script) as server:
            found.append(server)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    ready.wait()
    yield found[0]
    done.set()
    thread.join()


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Names a language model in the settings."""

    def name(url: str) -> None:
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_URL", url)
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_MODEL", "judge")
        monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_KEY", KEY)

    return name


def test_run_asks_and_the_commands_say_so(
    newsloom: Newsloom, publisher: Publisher, named: Callable[[str], None]
) -> None:
    items = [(str(n), f"https://a.test/{n}", f"News number {n}") for n in range(3)]
    newsloom("add", publisher.puts("/feed.xml", rss("A", *items)))
    with apart(lambda request: request.rate(2, "high", "an opinion, for months")) as server:
        named(server.url)
        assert "3 of them rated by the language model" in newsloom("run")
        sample = newsloom("doctor", "--language-model")
        assert "2 of 5, 90% sure: an opinion, for months" in sample
        assert "3 articles rated in the last day" in sample
        assert all(f"authorization: bearer {KEY}" in one.head.lower() for one in server.asked)
    first = json.loads(newsloom("list", "--json"))[0]["id"]
    why = newsloom("why", str(first))
    assert "an opinion, for months" in why
    assert "Rated by the language model judge; the built-in model, which rates" in why


def test_a_server_that_is_gone_is_one_line(
    newsloom: Newsloom,
    publisher: Publisher,
    named: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named("http://127.0.0.1:9/v1")
    monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_TIMEOUT_SECONDS", "1")  # no time to ask again
    items = [(str(n), f"https://a.test/{n}", f"News number {n}") for n in range(3)]
    newsloom("add", publisher.puts("/feed.xml", rss("A", *items)))
    assert "3 unread" in newsloom("run")
    told = json.loads(newsloom("run", "--json"))["language_model"]
    assert "refused the connection" in told
    assert "the built-in model is used" in told
    printed = newsloom("doctor", "--language-model", status=1)
    assert "refused the connection" in printed
    assert KEY not in printed


def test_an_answer_that_is_not_used_says_why(
    newsloom: Newsloom, named: Callable[[str], None]
) -> None:
    with apart(lambda request: request.say(f"```json\n{answer()}\n```")) as server:
        named(server.url)
        assert "its answer is in a code block" in newsloom("doctor", "--language-model", status=1)


def test_no_command_shows_a_secret(
    newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch, named: Callable[[str], None]
) -> None:
    named("http://someone:urlpass@127.0.0.1:9/v1")
    monkeypatch.setenv("NEWSLOOM_TTRSS_DATABASE", "postgresql://a:dbpass/@w@127.0.0.1/tt?x=y")
    monkeypatch.setenv("NEWSLOOM_GREADER_PASSWORD", "readerpass")
    monkeypatch.setenv("NEWSLOOM_FETCH_PROXY", "http://a:proxypass@127.0.0.1:3128/")
    printed = newsloom("settings") + newsloom("settings", "--json")
    for secret in (KEY, "urlpass", "dbpass", "readerpass", "proxypass"):
        assert secret not in printed
    found = json.loads(newsloom("settings", "--json"))
    assert found["language_model.key"] == "(set)"
    assert found["ttrss.database"] == "(set, postgresql://127.0.0.1/tt)"


def test_a_wrong_secret_is_not_repeated(newsloom: Newsloom, tmp_path) -> None:
    (tmp_path / "newsloom.toml").write_text("[language_model]\nkey = [731]\n")
    printed = newsloom("settings", status=2)
    assert "language_model.key must be text" in printed
    assert "731" not in printed


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("language_model.key", "", ""),
        ("greader.password", "x", "(set)"),
        ("web.host", "127.0.0.1", "127.0.0.1"),
        ("web.port", 8765, 8765),
        ("fetch.proxy", "socks5://a:b@c@d:1/", "socks5://a:(set)@d:1/"),
    ],
)
def test_what_is_shown_of_a_value(path: str, value: object, shown: object) -> None:
    assert masked(path, value) == shown
