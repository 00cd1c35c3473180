"""Who can reach a host, whether the pages are served there, and where they are opened."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from newsloom.kernel.errors import UserError
from newsloom.web.reach import admit, only_this_machine, resolved, where_to_open

HERE = ("127.0.0.1", "127.9.9.9", "localhost", "::1", "::ffff:127.0.0.1")
OTHERS_TOO = (
    "0.0.0.0",
    "::",
    "",
    "192.168.1.20",
    "10.0.0.5",
    "fe80::1",
    "::ffff:10.0.0.5",
    "8.8.8.8",
)


@pytest.mark.parametrize("host", HERE)
def test_loopback_is_served_without_a_word(host: str) -> None:
    assert only_this_machine(resolved(host))
    admit(host, without_login=False)


@pytest.mark.parametrize("host", OTHERS_TOO)
def test_what_others_reach_is_served_only_where_that_is_wanted(host: str) -> None:
    with pytest.raises(UserError, match="--without-login") as refused:
        admit(host, without_login=False)
    assert host in str(refused.value)
    admit(host, without_login=True)


@pytest.mark.parametrize("host", ["nowhere.invalid", "127.0.0.1:80", "a b", "x" * 300])
def test_what_is_no_host_is_said(host: str) -> None:
    with pytest.raises(UserError, match="is not an address of this machine"):
        admit(host, without_login=False)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("localhost", "http://127.0.0.1:80/"),
        ("192.168.1.20", "http://192.168.1.20:80/"),
        ("::1", "http://[::1]:80/"),
    ],
)
def test_an_address_is_shown_as_a_browser_takes_it(host: str, url: str) -> None:
    assert where_to_open(resolved(host), 80) == url


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_all_addresses_are_shown_as_one_that_can_be_opened(everywhere: str) -> None:
    """On a machine without a network its own is all there is."""
    shown = where_to_open(ip_address(everywhere), 80).removeprefix("http://").removesuffix(":80/")
    assert not ip_address(shown.strip("[]")).is_unspecified
