"""Signing in and out: sessions, the throttle, cookies, proxies, invitations, roles."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest

from newsloom.accounts import lifetimes
from newsloom.accounts.service import signing_in
from newsloom.accounts.service.account_service import Hasher
from newsloom.kernel.errors import MustWait, SignInRefused
from newsloom.web.auth import PLAIN_COOKIE, SECURE_COOKIE, ours
from newsloom.web.proxies import Proxies
from web.peopled import ANNA, BOB, Browser, Peopled
from web.world import World


@pytest.fixture
def peopled(world: World) -> Peopled:
    """Anna, an administrator, reads the furnished world; Bob reads nothing yet."""
    made = Peopled(world)
    made.add(ANNA)
    made.add(BOB)
    return made


def where(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_nobody_signs_in_while_there_is_no_account(world: World) -> None:
    alone = Peopled(world).browser()
    assert alone.get("/").status_code == 200
    assert "Create an account" in alone.get("/account").text
    assert alone.get("/admin").status_code == 200
    assert alone.get("/healthz").json() == {"ok": True, "unread": 80}


def test_without_an_account_the_store_is_asked_every_two_seconds_at_most(world: World) -> None:
    """Whoever reads alone pays nothing for accounts they do not have."""
    peopled = Peopled(world)
    numbers = []
    store = peopled.world.store.accounts
    before = store.any_account
    store.any_account = lambda: numbers.append(1) or before()  # type: ignore[method-assign]
    try:
        alone = peopled.browser()
        for _time in range(10):
            assert alone.get("/api/v1/articles?limit=1").status_code == 200
        assert len(numbers) == 1
        world.now += timedelta(seconds=2)
        alone.get("/help")
        assert len(numbers) == 2
    finally:
        del store.any_account


def test_the_first_account_made_on_the_page_switches_sign_in_on_for_all(world: World) -> None:
    peopled = Peopled(world)
    first, other = peopled.browser(), peopled.browser()
    answer = first.post("/account/first", {"name": "Anna", "password": ANNA[1]})
    assert where(answer) == "/admin", "where others are invited"
    assert "Pilots" in first.get("/").text or first.get("/healthz").json() == {"ok": True}
    assert len(first.get("/api/v1/articles").json()["items"]) > 1
    assert where(other.get("/")) == "/sign-in"
    again = other.post("/account/first", {"name": "eve", "password": "eve's long password"})
    assert again.status_code == 401
    assert [one.name for one in world.store.accounts.accounts()] == ["anna"]


def test_where_others_reach_the_pages_the_first_account_is_made_on_the_server(
    world: World,
) -> None:
    """Or whoever comes first locks the owner out."""
    peopled = Peopled(world, first_here=False)
    alone = peopled.browser()
    assert "newsloom user add" in alone.get("/account").text
    answer = alone.post("/account/first", {"name": "eve", "password": "eve's long password"})
    assert answer.status_code == 400
    assert world.store.accounts.accounts() == ()


def test_removing_the_last_account_does_not_open_what_others_reach(world: World) -> None:
    peopled = Peopled(world, always=True)
    assert where(peopled.browser().get("/")) == "/sign-in"


def test_one_signs_in_and_lands_where_one_wanted_to_go(peopled: Peopled) -> None:
    browser = peopled.browser()
    text = where(browser.get("/feeds?did=edited"))
    assert text == "/sign-in?to=%2Ffeeds%3Fdid%3Dedited"
    form = browser.get(text).text
    assert 'name="to" value="/feeds?did=edited"' in form
    assert where(browser.sign_in(*ANNA, to="/feeds?did=edited")) == "/feeds?did=edited"
    assert browser.get("/feeds").status_code == 200
    assert where(browser.get("/sign-in")) == "/"


@pytest.mark.parametrize(
    "to",
    ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/\t/evil.example",
     "/\n/evil", "javascript:alert(1)", "", "/%0d\u0130"],
)  # fmt: skip
def test_one_never_lands_elsewhere(peopled: Peopled, to: str) -> None:
    assert ours(to) == "/"
    assert where(peopled.browser().sign_in(*ANNA, to=to)) == "/"


@pytest.mark.parametrize(
    ("name", "password"),
    [("anna", BOB[1]), ("nobody", ANNA[1]), ("", ""), ("anna", "x" * 5_000), ("\0", "\ud83d")],
)
def test_what_is_wrong_is_not_said(peopled: Peopled, name: str, password: str) -> None:
    browser = peopled.browser()
    answer = browser.sign_in(name, password.encode("utf-8", "replace").decode())
    assert answer.status_code == 403
    assert "Wrong name or password" in answer.text
    assert not browser.cookies
    (found, *_rest) = peopled.world.store.accounts.sign_ins(9)
    assert found.name in {"", "anna"}


def test_a_name_that_nobody_has_takes_as_long(peopled: Peopled) -> None:
    """As many passwords are hashed for it; nothing else here takes time that can be measured."""
    counted: list[str] = []

    class Heard(Hasher):
        def matches(self, kept: str, password: str) -> bool:
            counted.append(kept)
            return super().matches(kept, password)

    hasher = Heard(memory_kib=64)
    object.__setattr__(peopled.desk, "hasher", hasher)
    for name in ("anna", "nobody"):
        peopled.browser().sign_in(name, "wrong password")
    assert len(counted) == 2
    assert counted[1] == ""
    assert hasher.of_nobody.split("$")[1:4] == counted[0].split("$")[1:4]


def test_a_hash_of_other_parameters_is_made_anew(peopled: Peopled) -> None:
    before = peopled.world.store.accounts.account_named("anna").password_hash
    stronger = Hasher(memory_kib=128)
    object.__setattr__(peopled.desk, "hasher", stronger)
    peopled.browser(ANNA)
    after = peopled.world.store.accounts.account_named("anna").password_hash
    assert stronger.outdated(before)
    assert not stronger.outdated(after)
    peopled.browser(ANNA)


def test_the_parameters_are_owasps() -> None:
    assert "$argon2id$v=19$m=19456,t=2,p=1$" in Hasher().hash("password")


def test_a_thousand_guesses_are_slowed(peopled: Peopled) -> None:
    """From as many addresses as one likes: after the free ones, nearly all are refused unlooked."""
    looked: list[str] = []

    class Heard(Hasher):
        def matches(self, kept: str, password: str) -> bool:
            looked.append(password)
            return super().matches(kept, password)

    object.__setattr__(peopled.desk, "hasher", Heard(memory_kib=64))
    waited = 0
    for guess in range(1_000):
        origin = signing_in.Origin(f"203.{guess // 250}.{guess % 250}.9")
        peopled.world.now += timedelta(seconds=1)
        try:
            signing_in.sign_in(peopled.desk, "anna", f"guess {guess}", origin)
        except MustWait:
            waited += 1
        except SignInRefused:
            pass
    assert len(looked) + waited == 1_000
    assert len(looked) < 20  # in 1,000 seconds
    page = peopled.browser(None, address="203.9.9.9")
    refused = page.sign_in(*ANNA)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 300
    assert "Too many attempts" in refused.text


def test_who_signed_in_from_home_before_still_does_while_strangers_guess(
    peopled: Peopled,
) -> None:
    home = peopled.browser(ANNA, address="192.0.2.44")
    for number in range(12):
        stranger = peopled.browser(None, address=f"203.0.{number}.1")
        stranger.sign_in("anna", "a guess of mine")
    assert peopled.browser(None, address="203.0.99.1").sign_in(*ANNA).status_code == 429
    home.post("/sign-out")
    assert home.sign_in(*ANNA).status_code == 303


def test_one_network_guessing_at_many_names_is_slowed(peopled: Peopled) -> None:
    answers = [
        peopled.browser(None, address="203.0.113.5").sign_in(f"name{number}", "a guess")
        for number in range(25)
    ]
    assert [one.status_code for one in answers] == [403] * 20 + [429] * 5


# Sessions


def test_the_cookie_says_little_and_is_kept_from_scripts(peopled: Peopled) -> None:
    browser = peopled.browser()
    (given,) = browser.sign_in(*ANNA).headers.get_list("set-cookie")
    assert given.startswith(f"{PLAIN_COOKIE}=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(given.split("; "))
    token = given.split("=", 1)[1].split(";")[0]
    assert len(token) == 64
    with peopled.world.store.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT digest FROM sessions").scalar_one()
    assert token not in kept


def test_over_https_the_cookie_is_of_this_host_alone(peopled: Peopled) -> None:
    browser = Browser(peopled.app, home="https://reader.example")
    (given,) = browser.sign_in(*ANNA).headers.get_list("set-cookie")
    assert given.startswith(f"{SECURE_COOKIE}=")
    assert {"Secure", "HttpOnly", "Path=/"} <= set(given.split("; "))
    assert "domain" not in given.lower()
    assert browser.get("/feeds").status_code == 200
    token = browser.cookies[SECURE_COOKIE]
    planted = Browser(peopled.app, home="https://reader.example")
    planted.cookies.set(PLAIN_COOKIE, token, domain="reader.example")
    assert where(planted.get("/")) == "/sign-in"


def test_behind_a_proxy_the_page_that_posts_tells_that_it_is_https(world: World) -> None:
    peopled = Peopled(world, url="https://reader.example/")
    peopled.add(ANNA)
    browser = Browser(peopled.app, home="http://reader.example")
    answer = browser.sign_in(*ANNA)
    assert answer.headers["set-cookie"].startswith(f"{SECURE_COOKIE}=")


def test_a_session_cannot_be_fixed(peopled: Peopled) -> None:
    """Whatever token a browser comes with, another is made, and the one it had ends."""
    attacker = peopled.browser(BOB)
    known = attacker.cookies[PLAIN_COOKIE]
    victim = peopled.browser()
    victim.cookies = attacker.cookies
    assert victim.sign_in(*ANNA).status_code == 303
    assert victim.cookies[PLAIN_COOKIE] != known
    thief = peopled.browser()
    thief.cookies.set(PLAIN_COOKIE, known, domain="localhost.local")
    assert where(thief.get("/")) == "/sign-in"
    made_up = peopled.browser()
    made_up.cookies.set(PLAIN_COOKIE, "a" * 64, domain="localhost.local")
    assert made_up.sign_in(*ANNA).status_code == 303
    assert "a" * 64 not in dict(made_up.cookies).values()


def test_a_stolen_session_is_worth_nothing_after_signing_out(peopled: Peopled) -> None:
    browser = peopled.browser(ANNA)
    thief = peopled.browser()
    thief.cookies.update(browser.cookies)
    assert thief.get("/feeds").status_code == 200
    answer = browser.post("/sign-out")
    assert where(answer) == "/sign-in"
    assert answer.headers["clear-site-data"] == '"cache", "storage"'
    assert not browser.cookies
    assert where(thief.get("/feeds")) == "/sign-in?to=%2Ffeeds"


@pytest.mark.parametrize("steps", [1, 7])
def test_a_session_expires(peopled: Peopled, steps: int) -> None:
    """After a month without a use; after half a year in any case."""
    browser = peopled.browser(ANNA)
    longest = lifetimes.SESSION_LONGEST if steps > 1 else lifetimes.SESSION_IDLE
    for _use in range(steps - 1):
        peopled.world.now += (longest - timedelta(hours=1)) / (steps - 1)
        assert browser.get("/help").status_code == 200
    peopled.world.now += timedelta(hours=2) if steps > 1 else longest + timedelta(hours=1)
    assert where(browser.get("/help")) == "/sign-in?to=%2Fhelp"


def test_sessions_are_listed_and_ended(peopled: Peopled) -> None:
    here, phone, bob = peopled.browser(ANNA), peopled.browser(ANNA), peopled.browser(BOB)
    page = here.get("/account").text
    assert "Sessions" in page
    assert page.count("this browser") == 1
    (number,) = re.findall(r"/account/sessions/(\d+)/end", page)
    assert bob.post(f"/account/sessions/{number}/end").status_code == 404
    assert phone.get("/help").status_code == 200
    assert where(here.post(f"/account/sessions/{number}/end")).startswith("/account")
    assert where(phone.get("/help")).startswith("/sign-in")
    third = peopled.browser(ANNA)
    here.post("/account/sessions/end")
    assert where(third.get("/help")).startswith("/sign-in")
    assert here.get("/help").status_code == 200


def test_a_new_password_ends_every_session_but_the_one_that_set_it(peopled: Peopled) -> None:
    here, phone = peopled.browser(ANNA), peopled.browser(ANNA)
    old = here.cookies[PLAIN_COOKIE]
    wrong = here.post("/account/password", {"old": "wrong", "new": "another long password"})
    assert wrong.status_code == 400
    assert "That is not your current password" in wrong.text
    weak = here.post("/account/password", {"old": ANNA[1], "new": "short"})
    assert "at least 12" in weak.text
    assert phone.get("/help").status_code == 200
    done = here.post("/account/password", {"old": ANNA[1], "new": "another long password"})
    assert where(done) == "/account?did=password"
    assert here.cookies[PLAIN_COOKIE] != old
    assert "Password changed" in here.get("/account?did=password").text
    assert where(phone.get("/help")).startswith("/sign-in")
    assert peopled.browser().sign_in(*ANNA).status_code == 403
    assert peopled.browser().sign_in("anna", "another long password").status_code == 303


def test_guessing_at_the_password_of_an_open_session_is_slowed_too(peopled: Peopled) -> None:
    here = peopled.browser(ANNA)
    codes = [
        here.post("/account/password", {"old": f"no{n}", "new": "another long password"})
        for n in range(8)
    ]
    assert [one.status_code for one in codes][-1] == 429


# Cross-site requests


@pytest.mark.parametrize(
    "path",
    [
        "/sign-in",
        "/sign-out",
        "/account/password",
        "/account/first",
        "/account/app-passwords",
        "/admin/invitations",
        "/invited/x",
    ],
)
@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}, {"origin": "null"}, {}],
)
def test_no_other_site_signs_anybody_in_or_changes_an_account(
    peopled: Peopled, path: str, headers: dict[str, str]
) -> None:
    browser = peopled.browser(ANNA)
    data = {"name": BOB[0], "password": BOB[1], "old": ANNA[1], "new": "another long password"}
    answer = browser.ask("POST", path, data=data, headers=headers)
    assert answer.status_code == 403
    assert browser.get("/feeds").status_code == 200
    assert peopled.world.store.accounts.app_passwords(peopled.world.user) == ()


# Programs, parts of pages, files


def test_programs_and_parts_of_pages_are_told_to_sign_in(peopled: Peopled) -> None:
    browser = peopled.browser()
    answer = browser.get("/api/v1/articles")
    assert (answer.status_code, answer.json()["detail"]) == (401, "Sign in first.")
    part = browser.post("/pulse", **{"hx-request": "true"})
    assert (part.status_code, part.headers["hx-redirect"]) == (401, "/sign-in")
    assert browser.post("/marks").status_code == 401
    assert browser.get("/icons/1").status_code == 303


def test_a_form_sent_after_the_session_ended_can_be_sent_again(peopled: Peopled) -> None:
    out = peopled.browser().post("/interests", {"text": "urban cycling"})
    assert out.status_code == 401
    assert "text/html" in out.headers["content-type"]
    assert "reload this page" in out.text
    assert 'href="/sign-in" target="_blank"' in out.text


def test_what_is_open_is_open_and_tells_nothing_of_anybody(peopled: Peopled) -> None:
    browser = peopled.browser()
    assert browser.get("/healthz").json() == {"ok": True}
    style = re.search(r"/static/newsloom.css[^\"]*", browser.get("/sign-in").text)
    assert style is not None
    assert browser.get(style[0]).status_code == 200
    for path in ("/digest/leave/nothing", "/digest/feed/nothing", "/push/nothing", "/invited/no"):
        assert browser.get(path).status_code == 404, path


def test_what_is_sent_may_not_be_given_to_another(peopled: Peopled) -> None:
    answer = peopled.browser(ANNA).get("/")
    assert "cookie" in answer.headers["vary"].lower()
    assert answer.headers["cache-control"].startswith("private")
    style = re.search(r"/static/newsloom.css[^\"]*", answer.text)
    assert style is not None
    assert "cookie" not in peopled.browser().get(style[0]).headers.get("vary", "").lower()


# Proxies


PROXIES = Proxies(trusted=(ip_network("172.16.0.0/12"),), user_header="Remote-User")


def test_a_trusted_proxy_says_who_it_is(world: World) -> None:
    peopled = Peopled(world, proxies=PROXIES, always=True)
    peopled.add(ANNA)
    proxy, stranger = peopled.browser(address="172.17.0.2"), peopled.browser(address="172.32.0.2")
    assert proxy.get("/feeds", **{"remote-user": "Anna"}).status_code == 200
    assert "your proxy signs you in" in proxy.get("/account", **{"remote-user": "anna"}).text
    assert where(stranger.get("/feeds", **{"remote-user": "anna"})).startswith("/sign-in")
    assert where(proxy.get("/feeds", **{"remote-user": "carol"})).startswith("/sign-in")
    assert where(proxy.get("/feeds")).startswith("/sign-in")
    assert [one.name for one in world.store.accounts.accounts()] == ["anna"]


def test_two_names_from_a_proxy_are_refused(world: World) -> None:
    """One of them may be what the visitor sent."""
    peopled = Peopled(world, proxies=PROXIES, always=True)
    peopled.add(ANNA)
    peopled.add(BOB)
    both = [("remote-user", "anna"), ("Remote-User", "bob")]
    for address, status in (("172.17.0.2", 400), ("172.32.0.2", 303)):
        answer = peopled.browser(address=address).ask("GET", "/feeds", headers=both)
        assert (answer.status_code, "more than once" in answer.text) == (status, status == 400)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_from_a_proxy_have_any_letters(world: World, encoding: str) -> None:
    peopled = Peopled(world, proxies=replace(PROXIES, make_users=True), always=True)
    proxy = peopled.browser(address="172.17.0.2")
    headers = [(b"remote-user", "Jürgen".encode(encoding))]
    assert proxy.ask("GET", "/feeds", headers=headers).status_code == 200
    assert [one.name for one in world.store.accounts.accounts()] == ["jürgen"]


def test_a_proxy_makes_users_only_where_that_is_set(world: World) -> None:
    peopled = Peopled(world, proxies=replace(PROXIES, make_users=True), always=True)
    proxy = peopled.browser(address="172.17.0.2")
    assert proxy.get("/feeds", **{"remote-user": "carol"}).status_code == 200
    assert proxy.get("/feeds", **{"remote-user": "not a name"}).status_code == 303
    stranger = peopled.browser(address="10.0.0.1")
    assert stranger.get("/feeds", **{"remote-user": "eve"}).status_code == 303
    assert [(one.name, one.password_hash) for one in world.store.accounts.accounts()] == [
        ("carol", "")
    ]
    assert peopled.browser().sign_in("carol", "").status_code == 403


def test_a_header_is_nobody_where_none_is_set(peopled: Peopled) -> None:
    browser = peopled.browser(address="127.0.0.1")
    for name in ("remote-user", "x-forwarded-user", "x-remote-user"):
        assert where(browser.get("/feeds", **{name: "anna"})).startswith("/sign-in")


@pytest.mark.parametrize(
    ("peer", "forwarded", "seen"),
    [
        ("172.17.0.2", "203.0.113.9", "203.0.113.9"),
        ("172.17.0.2", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("172.17.0.2", "6.6.6.6, 203.0.113.9, 172.18.0.1", "203.0.113.9"),
        ("203.0.113.1", "6.6.6.6", "203.0.113.1"),
        ("172.17.0.2", "", "172.17.0.2"),
    ],
)
def test_an_address_is_believed_of_trusted_proxies_alone(
    world: World, peer: str, forwarded: str, seen: str
) -> None:
    peopled = Peopled(world, proxies=PROXIES)
    peopled.add(ANNA)
    browser = peopled.browser(address=peer)
    data = {"name": "anna", "password": "wrong"}
    browser.post("/sign-in", data, **{"x-forwarded-for": forwarded})
    (found,) = world.store.accounts.sign_ins(9)
    assert found.address == seen
