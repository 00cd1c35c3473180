"""`newsloom ttrss` as a person types it, where no database answers."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

Newsloom = Callable[..., str]


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An address that nobody listens at, with a password in it."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))  # taken, and not listened at
        port = one.getsockname()[1]
        monkeypatch.setenv("NEWSLOOM_TTRSS_DATABASE", f"postgresql://n:hushhush@127.0.0.1:{port}/x")
        yield str(port)


@pytest.mark.parametrize("command", ["sync", "check", "restore-titles"])
def test_without_a_database_it_says_which_setting(newsloom: Newsloom, command: str) -> None:
    assert "Tiny Tiny RSS is not configured" in newsloom("ttrss", command, status=2)


@pytest.mark.parametrize(
    "address", ["nonsense://x", "postgresql://h:port/x", "host=1 nothing=here"]
)
def test_an_address_that_is_none_is_told(
    newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("NEWSLOOM_TTRSS_DATABASE", address)
    printed = newsloom("ttrss", "check", status=2 if "port" not in address else 1)
    assert address not in printed


def test_a_database_that_is_not_there(newsloom: Newsloom, nowhere: str) -> None:
    for command in (("sync",), ("sync", "--dry-run"), ("check",), ("restore-titles",)):
        printed = newsloom("ttrss", *command, status=1)
        assert "does not respond" in printed
        assert "hushhush" not in printed
    report = json.loads(newsloom("ttrss", "sync", "--json", status=1))
    assert report["accounts"] == []
    assert "does not respond" in report["problem"]


def test_the_role_is_printed_with_what_the_settings_need(
    newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = newsloom("ttrss", "role")
    assert "GRANT UPDATE (score) ON ttrss_user_entries TO newsloom;" in plain
    assert "UPDATE (title)" not in plain
    monkeypatch.setenv("NEWSLOOM_TTRSS_MARK_TITLES", "true")
    monkeypatch.setenv("NEWSLOOM_TTRSS_SENSITIVITY_TABLE", "true")
    full = newsloom("ttrss", "role")
    assert "GRANT UPDATE (title) ON ttrss_entries TO newsloom;" in full
    assert "CREATE TABLE IF NOT EXISTS time_sensitivity" in full
