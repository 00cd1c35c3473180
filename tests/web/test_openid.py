"""Signing in at an OpenID Connect provider: a real one as `serve` is wired, and one that lies."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest

from cli.serving import served
from newsloom.accounts.openid import Client, account_name
from newsloom.accounts.service import people
from newsloom.accounts.service.openid import OpenId
from newsloom.accounts.values import Role
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.values import ApiReply, ApiRequest
from web.peopled import ANNA, BOB, SAME, Browser, Counting, Peopled
from web.provider import MARY, TOM, Lying, at_the_provider, lying_provider, real_provider
from web.world import World

SECRET = "a secret: with signs/of its own"
REFUSED = "Sign-in with the provider failed"


def test_with_a_real_provider_as_serve_is_wired(tmp_path: Path) -> None:
    """The first whom it signs in owns what is there; others get accounts of their own."""
    with (
        real_provider() as issuer,
        served(
            tmp_path / "n.db",
            NEWSLOOM_OPENID_ISSUER=issuer,
            NEWSLOOM_OPENID_SECRET=SECRET,
            NEWSLOOM_OPENID_CALLED="Home",
            NEWSLOOM_OPENID_MAKES_USERS="true",
            NEWSLOOM_OPENID_PASSWORDS="false",
        ) as url,
    ):
        for (subject, _name), name in ((MARY, "mary-ann"), (TOM, "tom")):
            with httpx.Client(base_url=url, headers=SAME, timeout=60) as browser:
                assert browser.get("/feeds").headers["location"] == "/sign-in?to=%2Ffeeds"
                form = browser.get("/sign-in?to=%2Ffeeds").text
                assert "Sign in with Home" in form
                assert "password" not in form
                there = browser.get("/sign-in/openid?to=%2Ffeeds").headers["location"]
                assert parse_qs(urlsplit(there).query)["code_challenge_method"] == ["S256"]
                back = at_the_provider(there, subject)
                answer = browser.get(back)
                assert answer.status_code == 303, answer.text
                assert answer.headers["location"] == "/feeds"
                assert f"<bdi>{name}</bdi>" in browser.get("/account").text
                assert browser.get("/admin").status_code == (200 if name == "mary-ann" else 403)
                again = browser.get(back)
                assert again.status_code != 303, "the cookie of an attempt opens once"
                refused = browser.post("/sign-in", data={"name": name, "password": "x" * 20})
                assert refused.status_code == 400
        with httpx.Client(base_url=url, headers=SAME, timeout=60) as stranger:
            other = stranger.get("/sign-in/openid").headers["location"]
            stolen = at_the_provider(other, MARY[0])
        with httpx.Client(base_url=url, headers=SAME, timeout=60) as victim:
            assert victim.get(stolen).status_code == 403, "somebody else's answer opens nothing"
            assert victim.get("/feeds").status_code == 303


class EachTime:
    """The real client of services, opened for each call."""

    async def call(self, request: ApiRequest) -> ApiReply:
        async with HttpApi(version="1") as api:
            return await api.call(request)


@pytest.fixture
def lying() -> Iterator[Lying]:
    with lying_provider() as made:
        yield made


def peopled_by(world: World, lying: Lying, *, make_users: bool = True, **more: Any) -> Peopled:
    lying.now = world.now.timestamp()
    client = Client(lying.issuer, "newsloom", SECRET)
    openid = OpenId(
        client, EachTime(), lambda: world.now, Counting(), "Home", make_users=make_users
    )
    return Peopled(world, openid=openid, always=True, **more)


def there_and_back(browser: Browser, lying: Lying, begin: str = "/sign-in/openid") -> Any:
    """The whole way, as a browser goes it; the answer to what the provider sent back."""
    sent = browser.get(begin, **SAME)
    assert sent.status_code == 303, sent.text
    query = parse_qs(urlsplit(sent.headers["location"]).query)
    lying.nonce = query["nonce"][0]
    return browser.get(f"/sign-in/openid/back?code=c&state={query['state'][0]}")


def test_what_the_provider_is_asked(world: World, lying: Lying) -> None:
    """The secret as HTTP's Basic scheme, form-encoded before (RFC 6749, 2.3.1), and PKCE."""
    browser = peopled_by(world, lying, url="https://reader.example/news/").browser()
    assert there_and_back(browser, lying).headers["location"] == "/"
    (form, sent) = next((form, sent) for path, form, sent in lying.asked if path == "/token")
    name, _, secret = base64.b64decode(sent.removeprefix("Basic ")).decode().partition(":")
    assert (name, secret) == ("newsloom", quote(SECRET, safe=""))
    assert form["redirect_uri"] == ["https://reader.example/news/sign-in/openid/back"]
    assert len(form["code_verifier"][0]) >= 43
    assert [path for path, _form, _sent in lying.asked] == [
        "/.well-known/openid-configuration", "/token", "/keys",
    ]  # fmt: skip
    there_and_back(peopled_by(world, lying).browser(), lying)


def _unsigned(token: str) -> str:
    def part(value: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{token.split('.')[1]}."


def _by_the_public_key(lying: Lying) -> Callable[[str], str]:
    """Signed with HS256 by what everybody can read: the oldest trick against such checks."""
    from joserfc import jws
    from joserfc.jwk import OctKey

    def minted(token: str) -> str:
        body = base64.urlsafe_b64decode(token.split(".")[1] + "==")
        key = OctKey.import_key(lying.key.as_pem(private=False).replace(b"-----", b"=====")[:64])
        return jws.serialize_compact({"alg": "HS256", "kid": "one"}, body, key, ["HS256"])

    return minted


def _another_key(lying: Lying) -> None:
    from joserfc.jwk import RSAKey

    lying.shown = [RSAKey.generate_key(2048, {"kid": "one"})]


# What a provider, or who stands in its place, may say; and what the page says of it.
LIES: dict[str, tuple[Callable[[Lying], object], str]] = {
    "of another issuer": (lambda p: p.claims.update(iss="https://evil.example"), "audience"),
    "for another client": (lambda p: p.claims.update(aud="other"), "another audience"),
    "for nobody": (lambda p: p.claims.update(aud=None), "another audience"),
    "for several, of none": (lambda p: p.claims.update(aud=["newsloom", "b"]), "another audience"),
    "for several, of another": (
        lambda p: p.claims.update(aud=["newsloom", "b"], azp="b"), "another audience"),
    "of another party": (lambda p: p.claims.update(azp="b"), "another audience"),
    "another attempt's": (lambda p: p.claims.update(nonce="x"), "another attempt"),
    "without a nonce": (lambda p: p.claims.update(nonce=None), "another attempt"),
    "over": (lambda p: p.claims.update(exp=int(p.now) - 61), "has expired"),
    "of the future": (
        lambda p: p.claims.update(iat=int(p.now) + 90), "its token is not valid yet"),
    "for ever": (lambda p: p.claims.update(exp=None), "no expiry time"),
    "until true": (lambda p: p.claims.update(exp=True), "no expiry time"),
    "until infinity": (lambda p: p.claims.update(exp=1e400), "signature|no expiry time"),
    "of nobody": (lambda p: p.claims.update(sub=None), "does not name the user"),
    "of an empty subject": (lambda p: p.claims.update(sub=""), "does not name the user"),
    "of a number": (lambda p: p.claims.update(sub=17), "does not name the user"),
    "of a long subject": (lambda p: p.claims.update(sub="x" * 256), "does not name the user"),
    "of no ASCII subject": (lambda p: p.claims.update(sub="ä"), "does not name the user"),
    "not signed": (lambda p: setattr(p, "token", _unsigned), "signature"),
    "signed by the public key": (
        lambda p: setattr(p, "token", _by_the_public_key(p)), "signature"),
    "signed by another key": (_another_key, "signature"),
    "of an unknown key": (lambda p: p.header.update(kid="two"), "signature"),
    "cut": (lambda p: setattr(p, "token", lambda token: token[:-9]), "signature"),
    "no token": (lambda p: setattr(p, "token", lambda _token: None), "it sent no token"),
    "a list for a token": (lambda p: setattr(p, "token", lambda _token: [1]), "it sent no token"),
    "empty": (lambda p: setattr(p, "token", lambda _token: ""), "signature"),
    "refuses the code": (
        lambda p: p.raw.update({"/token": (400, b'{"error": "invalid_grant"}')}), "invalid_grant"),
    "refuses with signs": (
        lambda p: p.raw.update({"/token": (400, b'{"error": "<b>\\u202e</b>"}')}), "&lt;b&gt;"),
    "sends on": (lambda p: p.raw.update({"/token": (302, b"")}), "status 302"),
    "sends a page": (lambda p: p.raw.update({"/token": (200, b"<html>")}), "status 200"),
    "nests deep": (lambda p: p.raw.update({"/token": (200, b"[" * 90_000)}), "status 200"),
    "sends megabytes": (lambda p: p.raw.update({"/keys": (200, b" " * 900_000)}), "not respond"),
    "no keys": (lambda p: p.raw.update({"/keys": (200, b'{"keys": []}')}), "keys|signature"),
    "keys of nothing": (lambda p: p.raw.update({"/keys": (200, b'{"keys": [7]}')}), "keys"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_a_lie_opens_nothing(world: World, lying: Lying, name: str) -> None:
    tell, words = LIES[name]
    peopled = peopled_by(world, lying)
    tell(lying)
    browser = peopled.browser()
    answer = there_and_back(browser, lying)
    assert answer.status_code == 403, answer.text
    assert REFUSED in answer.text
    assert any(one in answer.text for one in words.split("|")), answer.text
    assert "\u202e" not in answer.text
    assert world.store.accounts.accounts() == ()
    assert not browser.cookies


DOCUMENTS = {
    "of another issuer": {"issuer": "https://evil.example"},
    "of a list": {"token_endpoint": ["https://a.example"]},
    "without https": {"token_endpoint": "http://evil.example/token"},
    "to a file": {"jwks_uri": "file:///etc/passwd"},
    "to nowhere": {"authorization_endpoint": "https://"},
    "broken": {"userinfo_endpoint": "https://[::1"},
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_configuration_that_is_not_taken(world: World, lying: Lying, name: str) -> None:
    peopled = peopled_by(world, lying)
    lying.document = DOCUMENTS[name]
    answer = peopled.browser().get("/sign-in/openid")
    assert answer.status_code == 403
    assert REFUSED in answer.text


def test_a_provider_that_is_down_is_said_and_passwords_go_on(world: World, lying: Lying) -> None:
    peopled = peopled_by(world, lying)
    peopled.add(ANNA)
    lying.raw["/.well-known/openid-configuration"] = (503, b"")
    assert "returned status 503" in peopled.browser().get("/sign-in/openid").text
    assert peopled.browser(ANNA).get("/").status_code == 200


def test_keys_that_changed_are_looked_for_and_not_by_every_guess(
    world: World, lying: Lying
) -> None:
    from joserfc.jwk import RSAKey

    peopled = peopled_by(world, lying)
    assert there_and_back(peopled.browser(), lying).status_code == 303
    lying.key = RSAKey.generate_key(2048, {"kid": "new"})
    assert there_and_back(peopled.browser(), lying).status_code == 403
    world.now += timedelta(minutes=1)
    lying.now = world.now.timestamp()
    assert there_and_back(peopled.browser(), lying).status_code == 303


def test_an_answer_belongs_to_the_browser_and_the_moment_that_began_it(
    world: World, lying: Lying
) -> None:
    peopled = peopled_by(world, lying)
    browser = peopled.browser()
    begun = browser.get("/sign-in/openid")
    state = parse_qs(urlsplit(begun.headers["location"]).query)["state"][0]
    back = f"/sign-in/openid/back?code=c&state={state}"
    assert peopled.browser().get(back).status_code == 403
    assert browser.get(back + "x").status_code == 403
    browser = peopled.browser()
    sent = browser.get("/sign-in/openid").headers["location"]
    back = "/sign-in/openid/back?code=c&state=" + parse_qs(urlsplit(sent).query)["state"][0]
    assert "another provider" in browser.get(back + "&iss=https://evil.example").text
    for error, words in (("access_denied", "access was denied"), ("a<b>", "it says a&lt;b&gt;")):
        browser = peopled.browser()
        sent = browser.get("/sign-in/openid").headers["location"]
        back = "/sign-in/openid/back?state=" + parse_qs(urlsplit(sent).query)["state"][0]
        assert words in browser.get(f"{back}&error={error}").text
    browser = peopled.browser()
    sent = browser.get("/sign-in/openid").headers["location"]
    world.now += timedelta(minutes=11)
    back = "/sign-in/openid/back?code=c&state=" + parse_qs(urlsplit(sent).query)["state"][0]
    assert "ten minutes" in browser.get(back).text
    for cookie in ("", "x", "e30", "bnVsbA", "W10", "%ff", "a" * 3_000):
        browser = peopled.browser()
        browser.cookies.set("newsloom-openid", cookie)
        assert browser.get("/sign-in/openid/back?code=c&state=s").status_code == 403


def test_a_name_opens_nothing(world: World, lying: Lying) -> None:
    """Whoever calls themselves anna at the provider is not Anna here, until she says so."""
    peopled = peopled_by(world, lying)
    peopled.add(ANNA)
    lying.claims["preferred_username"] = "anna"
    answer = there_and_back(peopled.browser(), lying)
    assert answer.status_code == 403
    assert "is taken" in answer.text
    anna = peopled.browser(ANNA)
    assert there_and_back(anna, lying, "/sign-in/openid?connect=true").status_code == 303
    assert "Disconnect anna" in anna.get("/account").text
    assert there_and_back(peopled.browser(), lying).headers["location"] == "/"
    peopled.add(BOB)
    bob = peopled.browser(BOB)
    refused = there_and_back(bob, lying, "/sign-in/openid?connect=true")
    assert refused.status_code == 400
    assert "it is connected to another account" in refused.text
    gone = {"issuer": lying.issuer, "subject": "17"}
    assert bob.post("/account/openid/disconnect", gone).status_code == 404
    assert anna.post("/account/openid/disconnect", gone).status_code == 303
    assert there_and_back(peopled.browser(), lying).status_code == 403


def test_only_a_page_of_ours_connects(world: World, lying: Lying) -> None:
    peopled = peopled_by(world, lying)
    peopled.add(ANNA)
    anna = peopled.browser(ANNA)
    for site in ("cross-site", "same-site", ""):
        headers = {"sec-fetch-site": site} if site else {}
        assert anna.get("/sign-in/openid?connect=true", **headers).status_code == 400


def test_who_is_not_known_needs_an_invitation(world: World, lying: Lying) -> None:
    peopled = peopled_by(world, lying, make_users=False)
    anna = peopled.add(ANNA)
    assert "it is not connected to an account" in there_and_back(peopled.browser(), lying).text
    token, _over = people.invite(peopled.desk, Role.READER, anna)
    page = peopled.browser().get(f"/invited/{token}").text
    assert f"/sign-in/openid?invited={token}" in page
    browser = peopled.browser()
    assert there_and_back(browser, lying, f"/sign-in/openid?invited={token}").status_code == 303
    assert "<bdi>ida</bdi>" in browser.get("/account").text
    lying.claims["sub"] = "18"
    second = there_and_back(peopled.browser(), lying, f"/sign-in/openid?invited={token}")
    assert second.status_code == 403
    assert people.OVER in second.text
    ways = [
        (one.name, one.way.value, one.outcome.value) for one in world.store.accounts.sign_ins(9)
    ]
    assert ("ida", "OpenID Connect", "signed in") in ways
    assert ("", "OpenID Connect", "refused") in ways


def test_an_account_without_a_password_sets_one_or_leaves_after_a_recent_sign_in(
    world: World, lying: Lying
) -> None:
    peopled = peopled_by(world, lying)
    peopled.add(ANNA)
    browser = peopled.browser()
    assert there_and_back(browser, lying).status_code == 303
    mine = {"issuer": lying.issuer, "subject": "17"}
    refused = browser.post("/account/openid/disconnect", mine)
    assert "Set a password first" in refused.text
    world.now += timedelta(minutes=11)
    lying.now = world.now.timestamp()
    new = {"new": "ida's long password"}
    assert "Sign in again first" in browser.post("/account/password", new).text
    assert "Sign in again first" in browser.post("/account/remove").text
    assert there_and_back(browser, lying).status_code == 303
    assert browser.post("/account/password", new).status_code == 303
    assert browser.post("/account/openid/disconnect", mine).status_code == 303
    assert peopled.browser(("ida", new["new"])).get("/").status_code == 200


def test_guesses_at_the_way_back_are_slowed(world: World, lying: Lying) -> None:
    peopled = peopled_by(world, lying)
    lying.raw["/token"] = (400, b"{}")
    said = [there_and_back(peopled.browser(), lying).status_code for _time in range(22)]
    assert said[:20] == [403] * 20
    assert 429 in said
    assert sum(path == "/token" for path, _form, _sent in lying.asked) < 22


@pytest.mark.parametrize(
    ("called", "name"),
    [("Mary Ann", "mary-ann"), ("ida@id.example", "ida@id.example"), ("  Ida ", "ida"),
     ("Ånna/Б", "ånna-б"), ("-x-", "x"), ("", None), ("!!!", None), ("x" * 90, None)],
)  # fmt: skip
def test_what_an_account_is_called(called: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(UserError, match="A name has"):
            account_name(called)
    else:
        assert account_name(called) == name


def test_a_name_that_the_token_lacks_is_asked_for(world: World, lying: Lying) -> None:
    peopled = peopled_by(world, lying)
    lying.claims["preferred_username"] = None
    browser = peopled.browser()
    assert there_and_back(browser, lying).status_code == 303
    assert "<bdi>from-userinfo</bdi>" in browser.get("/account").text


def test_nothing_is_there_without_a_provider(world: World) -> None:
    browser = Peopled(world).browser()
    for path in ("/sign-in/openid", "/sign-in/openid/back?code=c&state=s"):
        assert browser.get(path).status_code == 404
