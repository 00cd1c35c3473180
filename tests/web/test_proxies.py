"""What a reverse proxy says is believed from the addresses of the settings, and from no other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from newsloom.kernel.errors import UserError
from newsloom.web.proxies import Forwarded, came_through_a_proxy, is_loopback, networks

TRUSTED = networks(("10.0.0.0/8", "::1"))


def told(peer: str, **headers: str) -> dict[str, Any]:
    """What the application sees of a request from that peer."""
    seen: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    scope = {
        "type": "http",
        "scheme": "http",
        "client": (peer, 4711),
        "headers": [
            (b"host", b"127.0.0.1:8765"),
            *((name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()),
        ],
    }
    asyncio.run(Forwarded(app, TRUSTED)(scope, None, None))  # type: ignore[arg-type]
    return seen[0]


def host(scope: dict[str, Any]) -> list[bytes]:
    return [value for name, value in scope["headers"] if name == b"host"]


def test_a_trusted_proxy_tells_client_scheme_and_host() -> None:
    scope = told(
        "10.1.2.3",
        x_forwarded_for="203.0.113.9",
        x_forwarded_proto="https",
        x_forwarded_host="reader.example",
    )
    assert scope["client"][0] == "203.0.113.9"
    assert scope["scheme"] == "https"
    assert host(scope) == [b"reader.example"]


def test_nobody_else_is_believed() -> None:
    scope = told(
        "192.0.2.1",
        x_forwarded_for="127.0.0.1",
        x_forwarded_proto="https",
        x_forwarded_host="localhost",
    )
    assert scope["client"] == ("192.0.2.1", 4711)
    assert scope["scheme"] == "http"
    assert host(scope) == [b"127.0.0.1:8765"]


@pytest.mark.parametrize(
    ("hops", "client"),
    [
        # The client wrote the first itself: only what our own proxies add is believed.
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"),
        ("203.0.113.9, nonsense", "10.1.2.3"),
        ("10.9.9.9", "10.1.2.3"),
        ("", "10.1.2.3"),
    ],
)
def test_the_nearest_address_that_is_no_proxy_of_ours_is_the_client(hops: str, client: str) -> None:
    assert told("10.1.2.3", x_forwarded_for=hops)["client"][0] == client


def test_a_scheme_of_its_own_is_none() -> None:
    assert told("10.1.2.3", x_forwarded_proto="javascript")["scheme"] == "http"


def test_what_came_through_a_proxy_is_known_to_have() -> None:
    assert came_through_a_proxy(told("10.1.2.3"))  # which says nothing of it
    assert came_through_a_proxy(told("192.0.2.1", x_forwarded_for="1.2.3.4"))
    assert came_through_a_proxy(told("192.0.2.1", via="1.1 cache"))
    assert not came_through_a_proxy(told("192.0.2.1"))


def test_this_machine_is_told_by_who_connected() -> None:
    assert is_loopback({"client": ("127.0.0.1", 1)})
    assert is_loopback({"client": ("::1", 1)})
    assert not is_loopback({"client": ("192.0.2.1", 1)})
    assert not is_loopback({"client": None})


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(UserError, match=r"web\.proxies"):
        networks(("proxy.example",))
