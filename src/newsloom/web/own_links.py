"""Addresses of ours in templates, put under `web.path` as a template is compiled.

Templates write an address of ours from its first stroke, as `href="/feeds"`, or by an expression
that gives one. With no path set nothing is changed, and nothing costs anything; with one, no
template can forget it. tests/web/test_under_path.py holds every page to that.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment
from jinja2.ext import Extension

# The attributes that hold an address.
ATTRIBUTES = (
    "href",
    "src",
    "action",
    "formaction",
    "poster",
    "data-seen",
    "data-list",
    "hx-get",
    "hx-post",
    "hx-delete",
)

_LITERAL = re.compile(rf'(?<![\w-])({"|".join(ATTRIBUTES)})="/(?!/)')
_GIVEN = re.compile(rf'(?<![\w-])({"|".join(ATTRIBUTES)})="{{{{(.*?)}}}}')


class OwnLinks(Extension):
    """Writes the path before every address of ours, where the environment has one."""

    def preprocess(self, source: str, *_named: str | None) -> str:
        path = self.environment.globals.get("root", "")
        if not path:
            return source
        return _GIVEN.sub(r'\1="{{ (\2) | under_path }}', _LITERAL.sub(rf'\1="{path}/', source))


def put_under(templates: Environment, path: str) -> None:
    """Let templates know the path, and put their addresses under it."""

    def under_path(address: Any) -> Any:
        text = str(address)
        own = text.startswith("/") and not text.startswith("//")
        return f"{path}{text}" if own else address

    templates.globals["root"] = path
    templates.filters["under_path"] = under_path
    templates.add_extension(OwnLinks)
