"""A form that was refused, shown again with what was typed into it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import html

from newsloom.kernel.text.xml import legal

# Nothing that was typed: a form shows its own values there.
_NOT_TYPED = {"hidden", "password", "file", "submit"}


def refilled(page: str, path: str, sent: Sequence[tuple[str, str]]) -> str:
    """`page` with the fields of the form that was sent to `path` as they were `sent`. Passwords
    stay empty. Of forms with one address, the one whose hidden fields were sent."""
    document: Any = html.document_fromstring(page)
    for form in document.forms:
        action = (form.action or "").partition("#")[0]
        if form.method == "POST" and action.endswith(path) and _is_of(form, sent):
            _fill(form, sent)
    return str(html.tostring(document, encoding="unicode", doctype="<!doctype html>"))


def _is_of(form: html.FormElement, sent: Sequence[tuple[str, str]]) -> bool:
    hidden = form.xpath(".//input[@type='hidden'][@name]")
    return all((one.name, one.get("value", "")) in sent for one in hidden)


def _fill(form: html.FormElement, sent: Sequence[tuple[str, str]]) -> None:
    names = {name for name, _value in sent}
    for field in form.xpath(".//input[@name]|.//textarea[@name]|.//select[@name]"):
        values = [value for name, value in sent if name == field.name]
        if field.tag == "input" and field.get("type", "text") in _NOT_TYPED:
            continue
        if field.tag == "input" and field.get("type") in {"checkbox", "radio"}:
            _set(field, "checked", on=field.get("value", "on") in values)
        elif field.tag == "select" and values:
            for option in field.iter("option"):
                _set(option, "selected", on=option.get("value", option.text or "") in values)
        elif field.name not in names:
            continue
        elif field.tag == "textarea":
            field.text = legal(values[0])
        else:
            field.set("value", legal(values[0]))


def _set(element: html.HtmlElement, attribute: str, *, on: bool) -> None:
    if on:
        element.set(attribute, "")
    else:
        element.attrib.pop(attribute, None)
