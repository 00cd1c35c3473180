"""Templates whose values are escaped at a third of the cost; what they write is the same.

Jinja escapes each value by `markupsafe.escape`, which wraps it in an object that only the join at
the end unwraps. A list has three thousand values. It calls each function by `Context.call`, which
first looks whether the function wants the context: of ours none does.
"""

from __future__ import annotations

import operator
import re
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from markupsafe import Markup, escape

try:
    from markupsafe._speedups import _escape_inner as _escaped
except ImportError:  # no wheel for this machine

    def _escaped(text: str, /) -> str:
        return str(escape(text))


def written(value: Any) -> str:
    """A value as a template writes it: markup as it is, of all else its text, escaped."""
    kind = type(value)
    if kind is str:
        return _escaped(value)
    if kind is int:
        return str(value)
    if hasattr(value, "__html__"):
        return str(value.__html__()) if kind is not Markup else value
    return _escaped(str(value))


# What calls are compiled to: without a frame of Python's between.
called: Any = operator.call


class Escaping(CodeGenerator):
    """Compiles what is put out in an escaped template to `written`, and calls to plain calls; all
    else as Jinja does."""

    def visit_Call(  # noqa: N802 - Jinja's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        if forward_caller:  # the call of a macro with a body
            super().visit_Call(node, frame, forward_caller)
            return
        self.write("environment.called(")
        self.visit(node.node, frame)
        self.signature(node, frame)
        self.write(")")

    def _output_child_pre(self, node: Any, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("(environment.written)(")


# Templates write an address of ours from its first stroke, as `href="/feeds"`, or by an expression
# that gives one. With no path set nothing is changed, and nothing costs anything; with one, no
# template can forget it. tests/web/test_under_path.py holds every page to that.

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
