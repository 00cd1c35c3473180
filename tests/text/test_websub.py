"""WebSub as values: what is asked, what an answer means, whether what comes is of the hub."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds import websub
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import DueFeed, Push
from newsloom.feeds.values.published import ParsedFeed, PollHints
from newsloom.feeds.websub import Call
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TOKEN = "t" * 43
PUSH = Push(
    FeedId(1),
    TOKEN,
    "s" * 43,
    "https://reader.example",
    "https://hub.example/",
    "https://a.example/feed",
    asked_at=NOW,
    tries=1,
)
LINKS = '<https://one.example/>; rel="hub", <https://a.example/self>; rel="self"'


@pytest.mark.parametrize(
    ("headers", "hub", "topic"),
    [
        ([("link", LINKS)], "https://one.example/", "https://a.example/self"),
        ([], "https://doc.example/", "https://a.example/doc"),
        ([("link", "</hub>; rel=hub")], "https://a.example/hub", "https://a.example/doc"),
        ([("link", "</s>; rel=self")], "https://doc.example/", "https://a.example/doc"),
        (
            [
                ("link", "<http://one.example/>; rel=hub"),
                ("link", "<https://two.example/>; rel=hub"),
            ],
            "https://two.example/",
            "https://a.example/doc",
        ),
        (
            [("link", "<mailto:hub@a.example>; rel=hub")],
            "https://doc.example/",
            "https://a.example/doc",
        ),
        ([("link", f"{LINKS}; anchor=x")], "https://one.example/", "https://a.example/doc"),
        ([("links", LINKS)], "https://doc.example/", "https://a.example/doc"),
    ],
)
def test_headers_go_before_the_document(
    headers: list[tuple[str, str]], hub: str, topic: str
) -> None:
    hints = PollHints(ttl=HOUR, hub="https://doc.example/", topic="https://a.example/doc")
    found = websub.discovered(headers, "https://a.example/feed", hints)
    assert found == PollHints(ttl=HOUR, hub=hub, topic=topic)


def test_the_form_is_as_the_recommendation_says() -> None:
    form = parse_qs(websub.request_body(PUSH, 10 * DAY).decode("ascii"), strict_parsing=True)
    assert form == {
        "hub.mode": ["subscribe"],
        "hub.topic": ["https://a.example/feed"],
        "hub.callback": [f"https://reader.example/push/{TOKEN}"],
        "hub.lease_seconds": ["864000"],
        "hub.secret": ["s" * 43],
    }
    ending = replace(PUSH, state=PushState.ENDING, topic="https://a.example/?q=ü&x=\ud800")
    form = parse_qs(websub.request_body(ending, DAY).decode("ascii"), strict_parsing=True)
    assert set(form) == {"hub.mode", "hub.topic", "hub.callback"}
    assert form["hub.mode"] == ["unsubscribe"]


@pytest.mark.parametrize(
    ("hub", "requests"),
    [
        ("https://hub.example/", ("https://hub.example/",)),
        ("http://hub.example/", ("https://hub.example/", "http://hub.example/")),
        ("HTTP://hub.example", ("https://hub.example", "HTTP://hub.example")),
        ("http://hub.example:8080/", ("http://hub.example:8080/",)),
        ("http://[2001:db8::1]/x", ("https://[2001:db8::1]/x", "http://[2001:db8::1]/x")),
    ],
)
def test_hubs_are_asked_by_https_where_that_can_be(hub: str, requests: tuple[str, ...]) -> None:
    assert websub.addresses(hub) == requests


def reply(status: int = 0, *headers: tuple[str, str], failure: Failure | None = None) -> Reply:
    return Reply(
        Request("https://hub.example/"), NOW, 0.1, status, headers=headers, failure=failure
    )


@pytest.mark.parametrize(
    ("answer", "state", "after", "failing", "awaits"),
    [
        (reply(202), PushState.ASKED, HOUR, False, True),
        (reply(204), PushState.ASKED, HOUR, False, True),
        (reply(200), PushState.ASKED, HOUR, False, True),
        (reply(400), PushState.DENIED, 3 * DAY, False, False),
        (reply(404), PushState.DENIED, 3 * DAY, False, False),
        (reply(403, ("retry-after", str(5 * 86_400))), PushState.DENIED, 5 * DAY, False, False),
        (reply(429), PushState.WANTED, HOUR, True, True),
        (reply(429, ("retry-after", "36000")), PushState.WANTED, 10 * HOUR, True, True),
        (reply(408), PushState.WANTED, HOUR, True, True),
        (reply(500), PushState.WANTED, HOUR, True, True),
        (reply(503, ("retry-after", "60")), PushState.WANTED, HOUR, True, True),
        (reply(302), PushState.WANTED, HOUR, True, True),
        (reply(failure=Failure.TIMEOUT), PushState.WANTED, HOUR, True, True),
        (reply(failure=Failure.BLOCKED), PushState.WANTED, HOUR, False, True),
        (reply(404, failure=Failure.TOO_LARGE), PushState.WANTED, HOUR, True, True),
    ],
)
def test_what_an_answer_means(
    answer: Reply, state: PushState, after: timedelta, failing: bool, awaits: bool
) -> None:
    found = websub.answered(PUSH, answer, NOW)
    assert (found.state, found.next_at - NOW) == (state, after)
    assert (found.failing, found.awaits, found.over) == (failing, awaits, False)
    assert found.problem == "" or found.problem.startswith("hub.example ")


def test_tries_lie_further_and_further_apart() -> None:
    def waits(status: int) -> list[timedelta]:
        tried = [replace(PUSH, tries=tries) for tries in range(1, 6)]
        return [websub.answered(one, reply(status), NOW).next_at - NOW for one in tried]

    assert waits(503) == waits(202) == [HOUR, 4 * HOUR, DAY, DAY, DAY]
    assert waits(400) == [3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 30 * DAY]


@pytest.mark.parametrize("status", [202, 400, 500])
def test_a_hub_that_tells_goes_on_telling_until_its_lease_is_over(status: int) -> None:
    telling = replace(PUSH, state=PushState.ACTIVE)
    assert websub.answered(telling, reply(status), NOW).state is PushState.ACTIVE


@pytest.mark.parametrize(
    ("status", "tries", "over"),
    [(202, 1, False), (202, 3, True), (400, 1, True), (500, 2, False), (500, 3, True)],
)
def test_when_a_farewell_is_over(status: int, tries: int, over: bool) -> None:
    ending = replace(PUSH, state=PushState.ENDING, tries=tries)
    answer = websub.answered(ending, reply(status), NOW)
    assert (answer.state, answer.over) == (PushState.ENDING, over)


CALL = {
    "hub.mode": "subscribe",
    "hub.topic": PUSH.topic,
    "hub.challenge": "abc",
    "hub.lease_seconds": "864000",
}
ASKED = replace(PUSH, state=PushState.ASKED)
ACTIVE = replace(PUSH, state=PushState.ACTIVE, asked_at=None)
ENDING = replace(PUSH, state=PushState.ENDING)
DENIED = replace(PUSH, state=PushState.DENIED, asked_at=None)
END = {"hub.mode": "unsubscribe"}
NO = {"hub.mode": "denied", "hub.reason": "full"}


@pytest.mark.parametrize(
    ("push", "said", "what"),
    [
        (ASKED, {}, Call.CONFIRMS),
        (PUSH, {}, Call.CONFIRMS),  # it was slow to answer, and calls back all the same
        (replace(ACTIVE, asked_at=NOW), {}, Call.CONFIRMS),
        (ACTIVE, {}, Call.REPEATS),
        (replace(PUSH, asked_at=None), {}, Call.STRANGE),
        (DENIED, {}, Call.STRANGE),
        (ENDING, {}, Call.STRANGE),
        (ENDING, END, Call.ENDS),
        (replace(ENDING, asked_at=None), END, Call.STRANGE),
        (ASKED, END, Call.STRANGE),
        (ACTIVE, END, Call.STRANGE),
        (None, {}, Call.STRANGE),
        (ASKED, {"hub.topic": "https://a.example/feed/"}, Call.STRANGE),
        (ASKED, {"hub.mode": "Subscribe"}, Call.STRANGE),
        (ASKED, {"hub.challenge": ""}, Call.STRANGE),
        (ASKED, {"hub.challenge": "a\nb"}, Call.STRANGE),
        (ASKED, {"hub.challenge": "x" * 1_025}, Call.STRANGE),
        (ASKED, {"hub.challenge": "x" * 1_024}, Call.CONFIRMS),
        (ASKED, {"hub.lease_seconds": "3599"}, Call.SHORT),
        (ASKED, {"hub.lease_seconds": "3600"}, Call.CONFIRMS),
        (ASKED, {"hub.lease_seconds": ""}, Call.STRANGE),
        (ASKED, {"hub.lease_seconds": "٣٦٠٠"}, Call.STRANGE),
        (ASKED, NO, Call.DENIES),
        (ACTIVE, NO, Call.DENIES),
        (ENDING, NO, Call.STRANGE),
        (ASKED, NO | {"hub.topic": "other"}, Call.STRANGE),
    ],
)
def test_which_calls_answer_to_what_was_asked(
    push: Push | None, said: dict[str, str], what: Call
) -> None:
    assert websub.called(push, list((CALL | said).items())).what is what


def test_what_is_said_twice_is_not_heard() -> None:
    assert websub.called(ASKED, [*CALL.items(), ("hub.topic", PUSH.topic)]).what is Call.STRANGE
    assert websub.called(ASKED, [*CALL.items(), ("hub.verify_token", "x")]).what is Call.CONFIRMS


@pytest.mark.parametrize(
    ("lease", "believed"),
    [("864000", 10 * DAY), ("9" * 18, 30 * DAY), (None, DAY)],
)
def test_how_long_a_lease_is_believed(lease: str | None, believed: timedelta) -> None:
    query = [(name, value) for name, value in CALL.items() if name != "hub.lease_seconds"]
    query += [] if lease is None else [("hub.lease_seconds", lease)]
    call = websub.called(ASKED, query)
    assert call.lease == believed
    assert 0.6 * believed < websub.renewal(call.lease) < 0.7 * believed


def signature(body: bytes, method: str = "sha256", secret: str = "secret") -> str:
    return f"{method}={hmac.new(secret.encode(), body, getattr(hashlib, method)).hexdigest()}"


# RFC 2202 (case 2) and RFC 4231 (case 2).
KNOWN = {
    "sha1": "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    "sha256": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "sha384": "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
    "8e2240ca5e69e2c78b3239ecfab21649",
    "sha512": "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
    "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
}


@pytest.mark.parametrize("method", KNOWN)
def test_signatures_are_the_known_ones(method: str) -> None:
    body = b"what do ya want for nothing?"
    for written in (f"{method}={KNOWN[method]}", f" {method.upper()}={KNOWN[method].upper()} "):
        assert websub.signed(written, body, "Jefe")
        assert not websub.signed(written, body + b"!", "Jefe")
        assert not websub.signed(written, body, "jefe")
        assert not websub.signed(written[:-2], body, "Jefe")


@given(st.binary(max_size=200), st.text(max_size=100))
def test_nothing_else_is_a_signature(body: bytes, said: str) -> None:
    assert not websub.signed(said, body, "secret")
    assert not websub.signed(signature(body, secret="secret "), body, "secret")
    assert not websub.signed(signature(body, secret=""), body, "")
    assert websub.signed(signature(body), body, "secret")


OURS = DueFeed(
    FeedId(1), "http://a.example/rss", "lease", validated_url="https://a.example/rss.xml",
    title="Harbour News", site_url="https://a.example/",
)  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "site", "title", "foreign"),
    [
        ("https://a.example/feed", "", "", False),
        ("http://a.example/feed", "", "", False),
        ("https://a.example/rss", "", "", False),
        ("https://a.example/rss.xml", "", "", False),
        ("https://b.example/feed", "https://a.example/", "Harbour News", True),
        ("https://a.example/other", "https://a.example/", "Harbour News", True),
        ("", "https://a.example/", "Another", False),
        ("", "https://www.a.example/news", "Another", False),
        ("", "https://b.example/", "Harbour News", False),
        ("", "https://b.example/", "Another", True),
        ("", "", "Another", False),
    ],
)
def test_which_documents_are_of_another_feed(
    topic: str, site: str, title: str, foreign: bool
) -> None:
    feed = ParsedFeed("rss 2.0", title, site, hints=PollHints(topic=topic))
    assert websub.foreign(PUSH, OURS, feed) is foreign


@pytest.mark.parametrize(
    ("push", "words"),
    [
        (replace(ACTIVE, until=NOW + 12 * DAY), "pushed by hub.example until 3 Dec"),
        (ASKED, "polled; subscribing to hub.example"),
        (replace(PUSH, tries=0), "polled; will subscribe to hub.example"),
        (
            replace(DENIED, problem="hub.example answered 403", next_at=NOW + 3 * DAY),
            "polled; hub.example does not push: hub.example answered 403; retry 24 Nov",
        ),
        (ENDING, "unsubscribing from hub.example"),
        (replace(ACTIVE, until=NOW), "polled; will subscribe to hub.example"),
    ],
)
def test_how_it_stands_in_words(push: Push, words: str) -> None:
    assert websub.describe(push, NOW) == words


@pytest.mark.parametrize(
    ("base", "plain", "good"),
    [
        ("https://reader.example", False, True),
        ("https://reader.example/below/", False, True),
        ("http://reader.example", False, False),
        ("http://reader.example", True, True),
        ("https://me:pass@reader.example", False, False),
        ("https://reader.example/?a=b", False, False),
        ("https://", False, False),
        ("ftp://reader.example", True, False),
    ],
)
def test_which_addresses_hubs_can_be_given(base: str, plain: bool, good: bool) -> None:
    assert (websub.unusable(base, plain=plain) == "") is good


@pytest.mark.parametrize(
    ("hub", "topic", "good"),
    [
        ("https://hub.example/", "https://a.example/feed", True),
        ("https://hub.example/", "https://a.example/@me?a=@b", True),
        ("https://hub.example/", "https://me:pass@a.example/feed", False),
        ("https://hub.example/", "", False),
        ("mailto:hub@hub.example", "https://a.example/feed", False),
        ("javascript:alert(1)", "https://a.example/feed", False),
        ("", "https://a.example/feed", False),
    ],
)
def test_which_hubs_are_asked(hub: str, topic: str, good: bool) -> None:
    assert (websub.unaskable(hub, topic) == "") is good


def test_a_hub_that_moved_is_followed_but_never_to_plain_http() -> None:
    def to(target: str, status: int = 307) -> str:
        return websub.redirected("https://hub.example/a", reply(status, ("location", target)))

    assert to("/b") == "https://hub.example/b"
    assert to("https://two.example/", 308) == "https://two.example/"
    assert to("http://hub.example/b") == ""
    shouted = reply(307, ("location", "HTTP://hub.example/b"))
    assert websub.redirected("HTTPS://hub.example/a", shouted) == ""
    assert to("file:///etc/passwd") == ""
    assert to("/b", 303) == to("/b", 202) == ""


@pytest.mark.parametrize("token", ["", "short", "a/b" * 10, "a" * 101, "é" * 30, "a" * 30 + "\n"])
def test_what_cannot_be_a_token_is_not_looked_for(token: str) -> None:
    assert not websub.plausible(token)
    assert websub.plausible(TOKEN)
