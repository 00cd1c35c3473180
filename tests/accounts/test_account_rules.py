"""Names, passwords, tokens, lifetimes and the throttle, decided purely."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.accounts import lifetimes, names, passwords, throttle, tokens
from newsloom.kernel.errors import UserError

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@given(st.binary(min_size=20, max_size=20))
def test_a_token_has_no_sign_that_a_client_mangles(random: bytes) -> None:
    made = tokens.token(random)
    assert len(made) == 32
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_an_app_password_has_at_least_128_bits_and_a_session_more() -> None:
    assert tokens.APP_PASSWORD_BYTES * 8 >= 128
    assert tokens.SESSION_BYTES * 8 >= 256
    assert tokens.APP_PASSWORD_BYTES % 5 == tokens.SESSION_BYTES % 5 == 0


def test_a_fever_key_is_what_its_clients_send() -> None:
    key = hashlib.md5(b"anna:secret").hexdigest()
    assert tokens.fever_key("anna", "secret") == key
    assert tokens.fever_digest("anna", "secret") == hashlib.sha256(key.encode()).hexdigest()


def test_a_digest_of_what_no_token_is_raises_nothing() -> None:
    assert len(tokens.digest("\ud800 é")) == 64


@pytest.mark.parametrize(
    ("given", "kept"), [(" Anna ", "anna"), ("ＡＮＮＡ", "anna"), ("a@b.example", "a@b.example")]
)
def test_a_name_is_folded(given: str, kept: str) -> None:
    assert names.checked(given) == kept == names.folded(given)


@pytest.mark.parametrize("name", ["", " ", "a:b", "a b", "_a", "-a", "a" * 65, "a\nb", "a/b", "\0"])
def test_a_name_that_cannot_be(name: str) -> None:
    with pytest.raises(UserError, match="A name has"):
        names.checked(name)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short", "at least 12"),
        ("x" * 513, "at most 512"),
        ("abababababab", "This password is too common"),
        ("Password1234", "This password is too common"),
        ("annaliseannalise", "This password is too common"),
    ],
)
def test_a_password_that_is_not_taken(password: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        passwords.checked(password, "annalise")


@pytest.mark.parametrize("password", ["four words and more", "ünïcödé pässwörd", "x" * 8 + "1234é"])
def test_a_password_that_is_taken_is_however_it_was_typed(password: str) -> None:
    import unicodedata

    apart = unicodedata.normalize("NFD", password)
    assert passwords.checked(password, "anna") == passwords.checked(apart, "anna")


def test_ten_thousand_guesses_of_a_name_take_a_month() -> None:
    """Each as soon as it may be made."""
    now, failures = NOW, None
    for _guess in range(10_000):
        now += throttle.wait(failures, throttle.NAME, now)
        failures = throttle.counted(failures, throttle.NAME, now)
    assert timedelta(days=30) < now - NOW < timedelta(days=40)


def test_the_first_failures_cost_nothing_and_then_each_doubles() -> None:
    pace = throttle.NAME
    waits = [throttle.delay(count, pace) for count in range(16)]
    assert waits[:5] == [timedelta()] * 5
    assert waits[5:9] == [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND]
    assert waits[-1] == pace.longest == throttle.delay(10**9, pace)


def test_failures_are_forgotten_after_a_day() -> None:
    old = throttle.Failures(50, NOW - timedelta(days=1))
    assert throttle.wait(old, throttle.NAME, NOW) == timedelta()
    assert throttle.counted(old, throttle.NAME, NOW) == throttle.Failures(1, NOW)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("::ffff:203.0.113.9", "203.0.113.0/24"),
        ("2001:db8:1:2ff:3::4", "2001:db8:1:200::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("testclient", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_network_is_what_one_person_has(address: str, network: str) -> None:
    assert throttle.network_of(address) == network


def test_no_key_of_the_throttle_holds_what_was_typed() -> None:
    for known in (False, True):
        keys = [one.key for one in throttle.counts("my password", "::1", known_there=known)]
        assert not any("my password" in key for key in keys)


def test_who_signed_in_from_there_before_is_not_kept_out_by_strangers() -> None:
    strange = throttle.counts("anna", "203.0.113.9", known_there=False)
    known = throttle.counts("anna", "203.0.113.9", known_there=True)
    assert strange[0].key != known[0].key
    assert strange[1] == known[1]


def test_a_session_ends_when_it_is_not_used_and_in_any_case() -> None:
    end = NOW + timedelta(days=180)
    assert lifetimes.alive(NOW, end, NOW + timedelta(days=30))
    assert not lifetimes.alive(NOW, end, NOW + timedelta(days=31))
    assert not lifetimes.alive(end, end, end)
