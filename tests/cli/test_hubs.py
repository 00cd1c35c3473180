"""What the commands say of hubs."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> str:
    """A feed that names a hub."""
    hub = "<atom:link rel='hub' href='https://hub.example/'/><item>"
    document = rss("Harbour", ("1", "https://a.example/1", "The tide table is redrawn"))
    document = document.replace("<item>", hub, 1)
    document = document.replace("<rss ", "<rss xmlns:atom='http://www.w3.org/2005/Atom' ")
    newsloom("add", publisher.puts("/feed", document))
    return "1"


def said(newsloom: Newsloom) -> list[tuple[bool, str]]:
    """What doctor says of hubs; something else is always ill here."""
    findings = json.loads(newsloom("doctor", "--json", status=1))
    return [(one["well"], one["how"]) for one in findings if one["what"] == "hubs"]


def test_doctor_tells_what_hubs_could_do(newsloom: Newsloom, followed: str) -> None:
    assert said(newsloom) == [(True, "1 followed feed names a hub: docs/run/websub.md")]


@pytest.mark.parametrize(
    ("url", "well", "words"),
    [
        ("https://reader.example/below", True, "0 of 0 push updates"),
        ("http://reader.example", False, "not https"),
        ("https://192.168.1.4", False, "local network"),
        ("https://nas.home.arpa", False, "local network"),
    ],
)
def test_doctor_says_whether_hubs_can_reach_us(
    newsloom: Newsloom,
    followed: str,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    well: bool,
    words: str,
) -> None:
    monkeypatch.setenv("NEWSLOOM_PUSH_URL", url)
    first, *others = said(newsloom)
    assert first[0] is well
    assert words in first[1]
    if well:
        ((_, forwarded),) = others
        assert f"{url}/push/ must be forwarded to http://127.0.0.1:8765/push/" in forwarded


def test_one_feed_tells_how_it_stands_with_its_hub(
    newsloom: Newsloom, followed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hub() -> str:
        return json.loads(newsloom("api", "GET", f"/feeds/{followed}"))["hub"]

    assert hub() == ""
    monkeypatch.setenv("NEWSLOOM_PUSH_URL", "https://reader.example")
    # hub.example has no address: it is asked in vain.
    newsloom("run")
    assert hub().startswith("polled; will subscribe to hub.example")
    told = json.loads(newsloom("feeds", "--health", "--json"))
    assert [one["hub"].partition(":")[0] for one in told] == [
        "polled; will subscribe to hub.example"
    ]
