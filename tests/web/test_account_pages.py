"""Invitations, roles, app passwords, one's own data, leaving: over HTTP, as people do it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest

from newsloom.accounts import lifetimes
from newsloom.accounts.values import Role
from newsloom.engines.jobs.values import JobStep
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.web.app import ROOMS
from newsloom.web.auth import ADMINS, OPEN
from web.peopled import ANNA, BOB, Peopled
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


# Invitations, roles, administrators


def test_an_invitation_makes_one_account_and_signs_it_in(peopled: Peopled) -> None:
    anna, carol, dave = peopled.browser(ANNA), peopled.browser(), peopled.browser()
    page = anna.post("/admin/invitations", {"role": "reader"}).text
    (link,) = re.findall(r"http://localhost:8765(/invited/\w+)", page)
    assert "Create your account" in carol.get(link).text
    bad = carol.post(link, {"name": "carol", "password": "short"})
    assert bad.status_code == 400
    taken = carol.post(link, {"name": "ANNA", "password": "carol's long password"})
    assert "taken" in taken.text
    made = carol.post(link, {"name": "carol", "password": "carol's long password"})
    assert where(made) == "/"
    assert carol.get("/feeds").status_code == 200
    refused = carol.get("/admin")
    assert (refused.status_code, "<h1>Administrators only</h1>" in refused.text) == (403, True)
    assert dave.get(link).status_code == 404
    again = dave.post(link, {"name": "dave", "password": "dave's long password"})
    assert again.status_code == 404
    assert "/invited/" not in anna.get("/admin").text


def test_an_invitation_ends(peopled: Peopled) -> None:
    anna = peopled.browser(ANNA)
    links = [
        re.findall(r"(/invited/\w+)", anna.post("/admin/invitations").text)[0] for _two in "12"
    ]
    number = re.findall(r"/admin/invitations/(\d+)/withdraw", anna.get("/admin").text)[0]
    anna.post(f"/admin/invitations/{number}/withdraw")
    assert sorted(peopled.browser().get(link).status_code for link in links) == [200, 404]
    peopled.world.now += lifetimes.INVITATION
    assert {peopled.browser().get(link).status_code for link in links} == {404}


def test_what_is_of_all_readers_is_for_administrators(peopled: Peopled) -> None:
    bob, anna = peopled.browser(BOB), peopled.browser(ANNA)
    for start in ADMINS:
        path = f"{start}/publishers" if start.startswith("/api/") else start
        assert bob.get(path).status_code == 403
        assert anna.get(path).status_code == 200
    refused = bob.post("/quality", {"domain": "example.org", "rule": "block"})
    assert refused.status_code == 403
    assert peopled.world.store.quality.domain_rules() == {}
    user = peopled.world.store.accounts.account_named("anna").user
    assert bob.post(f"/admin/users/{user}/role", {"role": "reader"}).status_code == 403


def test_roles_change_and_one_administrator_stays(peopled: Peopled) -> None:
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    store = peopled.world.store.accounts
    mine, other = store.account_named("anna").user, store.account_named("bob").user
    response = anna.post(f"/admin/users/{mine}/role", {"role": "reader"})
    assert response.status_code == 400
    assert "only administrator" in response.text
    assert where(anna.post(f"/admin/users/{other}/role", {"role": "admin"}))
    assert bob.get("/admin").status_code == 200
    assert store.account_named("bob").role is Role.ADMIN
    assert anna.post("/admin/users/999/role", {"role": "admin"}).status_code == 404


def test_an_account_is_removed_by_its_name(peopled: Peopled) -> None:
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    user = peopled.world.store.accounts.account_named("bob").user
    for name in ("anna", "", "bobby"):
        response = anna.post(f"/admin/users/{user}/remove", {"name": name})
        assert response.status_code == 400, name
    assert where(anna.post(f"/admin/users/{user}/remove", {"name": "Bob"}))
    assert where(bob.get("/")) == "/sign-in"
    assert peopled.browser().sign_in(*BOB).status_code == 403


def test_the_audit_is_shown_to_administrators_and_ones_own_to_each(peopled: Peopled) -> None:
    peopled.browser(None, address="203.0.113.66").sign_in("anna", "wrong")
    peopled.browser(None, address="203.0.113.66").sign_in("my-secret-password", "wrong")
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    everything = anna.get("/admin").text
    assert "203.0.113.66" in everything
    assert "unknown name" in everything
    assert "my-secret-password" not in everything
    assert "203.0.113.66" in anna.get("/account").text
    assert "203.0.113.66" not in bob.get("/account").text


# App passwords, export, leaving


def test_an_app_password_is_shown_once(peopled: Peopled) -> None:
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    made = anna.post("/account/app-passwords", {"name": "Sofa tablet"}).text
    (secret,) = re.findall(r'class="secret">(\w{32})<', made)
    page = anna.get("/account").text
    assert secret not in page
    assert "never used" in page
    again = anna.post("/account/app-passwords", {"name": "Sofa tablet"})
    assert again.status_code == 400
    (number,) = re.findall(r"/account/app-passwords/(\d+)/revoke", page)
    assert bob.post(f"/account/app-passwords/{number}/revoke").status_code == 404
    assert where(anna.post(f"/account/app-passwords/{number}/revoke"))
    assert "Sofa tablet" not in anna.get("/account").text


def test_a_new_password_can_end_app_passwords(peopled: Peopled) -> None:
    anna = peopled.browser(ANNA)
    anna.post("/account/app-passwords", {"name": "Sofa tablet"})
    assert "Also revoke my 1 app password" in anna.get("/account").text
    change = {"old": ANNA[1], "new": "another long password"}
    assert anna.post("/account/password", change).status_code == 303
    assert "Sofa tablet" in anna.get("/account").text
    change = {"old": "another long password", "new": ANNA[1], "revoke": "yes"}
    assert anna.post("/account/password", change).status_code == 303
    assert "Sofa tablet" not in anna.get("/account").text


def test_exports_leave_out_passwords_of_feeds(world: World) -> None:
    """Names too: they are half of a password."""
    secret, address = "s%40me:h@lf", "https://s%40me:h@lf@paid.example/feed?of=a@b.example"
    feed = world.feed(address, "")
    reader = world.reader()
    rules.save(reader, Rule("Paid", RuleMatch.ALL, (RuleCondition("feed", str(feed)),),
                            (RuleAction("mute"),)))  # fmt: skip
    browser = Peopled(world).browser()
    exports = {
        path: browser.get(path).content
        for path in ("/feeds/export", "/api/v1/opml", "/account/export", "/rules/export")
    }
    with zipfile.ZipFile(io.BytesIO(exports.pop("/account/export"))) as packed:
        exports |= {name: packed.read(name) for name in packed.namelist()}
    assert [name for name, body in exports.items() if b"h@lf" in body or b"s%40me" in body] == []
    for path in ("/feeds/export", "/api/v1/opml", "/rules/export"):
        assert b"https://paid.example/feed?of=a@b.example" in exports[path], path
    assert "The passwords of 1 feed are left out." in browser.get("/feeds").text
    for path in ("/feeds/export?passwords=yes", "/api/v1/opml?passwords=true"):
        assert secret in browser.get(path).text, path


def test_everything_of_one_person_is_one_file(peopled: Peopled) -> None:
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    answer = anna.get("/account/export")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        feeds = json.loads(packed.read("tables/subscriptions.json"))
        named = json.loads(packed.read("articles.json"))
        assert b"Quiet Ridge" in packed.read("feeds.opml")
        everything = b"".join(packed.read(name) for name in packed.namelist())
    assert len(feeds) > 5
    assert len(named) > 50
    assert b"argon2" not in everything
    assert b"bob" not in everything
    with zipfile.ZipFile(io.BytesIO(bob.get("/account/export").content)) as packed:
        assert json.loads(packed.read("tables/subscriptions.json")) == []
        assert json.loads(packed.read("articles.json")) == []


def test_one_leaves_for_good_with_ones_password(peopled: Peopled) -> None:
    bob = peopled.browser(BOB)
    assert bob.post("/account/remove", {"password": ANNA[1]}).status_code == 400
    assert bob.get("/help").status_code == 200
    assert where(bob.post("/account/remove", {"password": BOB[1]})) == "/"
    assert where(bob.get("/help")).startswith("/sign-in")
    assert [one.name for one in peopled.world.store.accounts.accounts()] == ["anna"]
    anna = peopled.browser(ANNA)
    response = anna.post("/account/remove", {"password": ANNA[1]})
    assert response.status_code == 400
    assert "only administrator" in response.text


def test_every_row_of_what_is_open_leads_somewhere() -> None:
    routes = [route.path for room in ROOMS for route in room.router.routes]
    for path in {*OPEN, *ADMINS} - {"/static/"}:
        assert any(one.startswith(path.rstrip("/")) for one in routes), path


# Background jobs


def test_jobs_are_shown_and_turned_by_administrators(peopled: Peopled) -> None:
    store = peopled.world.reader().store
    now = peopled.world.reader().now()
    number = store.jobs.start_job("judge", now, wish={"model": "m"})
    assert number is not None
    store.jobs.count_job(number, 5_000)
    store.jobs.advance_job(number, JobStep(done=1_200), now)
    store.jobs.tell_job(number, "the encoder <b>is away</b>")
    anna, bob = peopled.browser(ANNA), peopled.browser(BOB)
    page = anna.get("/admin").text
    assert "1,200 of 5,000" in page
    assert "&lt;b&gt;is away" in page
    assert f"/admin/jobs/{number}/resume" not in page
    assert bob.post(f"/admin/jobs/{number}/pause").status_code == 403
    for step, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert where(anna.post(f"/admin/jobs/{number}/{step}")).startswith("/admin")
        found = store.jobs.job(number)
        assert found is not None
        assert found.state == state
    assert "/admin/jobs/" not in anna.get("/admin").text
    assert anna.post(f"/admin/jobs/{number}/begin").status_code == 404
    assert anna.post("/admin/jobs/999/pause").status_code == 404
