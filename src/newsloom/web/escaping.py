"""Templates whose values are escaped at a third of the cost; what they write is the same.

Jinja escapes each value by `markupsafe.escape`, which wraps it in an object that only the join at
the end unwraps. A list has three thousand values. It calls each function by `Context.call`, which
first looks whether the function wants the context: of ours none does.
"""

from __future__ import annotations

import operator
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
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
