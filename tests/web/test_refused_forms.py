"""A form that is refused is shown again, with the error and with what was typed into it."""

from __future__ import annotations

from typing import Any

from lxml import html

from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.web.refilled import refilled
from web.conftest import Visitor
from web.peopled import Peopled
from web.world import World

TYPED = 'typed & "kept" <b>'
LONG = "long " * 150

# Address of a form, and what is sent to it that cannot be.
REFUSED = {
    "/feeds": {"url": TYPED, "category": "News"},
    "/feeds/1/floor": {"minutes": "5"},
    "/categories": {"name": LONG},
    "/categories/rename": {"old": "Science", "new": LONG},
    "/digest/schedules": {"kind": "weekly", "day": "friday", "mail": TYPED, "webhook": "w"},
    "/briefs/schedules": {"minutes": "20", "days": "friday", "time": "08:15", "zone": TYPED},
    "/briefs/pronunciations": {"written": TYPED, "spoken": LONG, "language": "de"},
    "/notifications/stories": {"mail": TYPED, "webhook": "w"},
    "/notifications/rules": {"mail": TYPED, "webhook": "w"},
    "/sharing": {"kind": "wallabag", "called": TYPED},
}


def form_of(page: str, path: str, names: set[str]) -> Any:
    forms = html.document_fromstring(page).forms
    return next(one for one in forms if one.action == path and names <= set(one.fields.keys()))


def test_forms_are_shown_again_as_they_were_sent(visitor: Visitor) -> None:
    wrong = {}
    for path, sent in REFUSED.items():
        answer = visitor.post(path, sent)
        document = html.document_fromstring(answer.text)
        alerts = [one.text_content() for one in document.xpath("//*[@role='alert']")]
        fields = form_of(answer.text, path, set(sent)).fields
        shown = {name: fields[name] for name in sent}
        shown = {
            name: "".join(one) if not isinstance(one, str) else one for name, one in shown.items()
        }
        if answer.status_code != 400 or not any(alerts) or shown != sent:
            wrong[path] = (answer.status_code, alerts, shown)
    assert wrong == {}


def test_a_rule_with_a_value_that_its_condition_cannot_have(visitor: Visitor) -> None:
    sent = {"name": "Deals", "kind": "domain", "value": "shop.example/deals", "act": "mute"}
    answer = visitor.post("/rules/edit", {**sent, "do": "save"})
    document = html.document_fromstring(answer.text)
    (alert,) = document.xpath("//*[@role='alert']")
    assert answer.status_code == 400
    assert "make the condition path=shop.example/deals" in alert.text_content()
    assert document.xpath("//input[@name='value']/@value")[0] == "shop.example/deals"


def test_the_first_account_is_asked_for_again(world: World) -> None:
    visitor = Peopled(world).browser()
    answer = visitor.post("/account/first", {"name": "anna", "password": "short"})
    assert answer.status_code == 400
    form = form_of(answer.text, "/account/first", {"name", "password"})
    assert (form.fields["name"], form.fields["password"]) == ("anna", None)
    assert form.inputs["password"].get("minlength") == "12"
    assert "Use at least 12 characters" in answer.text


def test_only_the_form_that_was_sent_is_filled_and_never_a_password() -> None:
    page = """<!doctype html>
    <form method="post" action="/a"><input type="hidden" name="id" value="1"><input name="t"></form>
    <form method="post" action="/a"><input type="hidden" name="id" value="2"><input name="t">
    <input type="password" name="p"><textarea name="w"></textarea>
    <input type="checkbox" name="c" value="1" checked><input type="checkbox" name="c" value="2">
    <select name="s"><option selected>x</option><option value="y">Y</option></select></form>
    <form method="get" action="/a"><input name="t"></form>"""
    sent = [("id", "2"), ("t", "typed"), ("p", "secret"), ("c", "2"), ("w", "<x>"), ("s", "y")]
    first, second, third = html.document_fromstring(refilled(page, "/a", sent)).forms
    assert first.fields["t"] is third.fields["t"] is None
    assert dict(second.form_values()) == {"id": "2", "t": "typed", "c": "2", "w": "<x>", "s": "y"}
    assert "secret" not in refilled(page, "/a", sent)


def test_a_stored_rule_that_is_not_applied_says_so(world: World, visitor: Visitor) -> None:
    """As a version that accepted a path in a domain stored it."""
    rule = Rule(
        "Deals",
        RuleMatch.ALL,
        (RuleCondition("domain", "shop.example/deals"),),
        (RuleAction("mute"),),
    )
    before = world.store.rules.rules(world.user).version
    world.store.rules.put_rules(world.user, [rule], before, world.now, world.now)
    page = visitor.get("/rules").text
    assert "This rule is not applied." in page
    assert "path=shop.example/deals" in page
