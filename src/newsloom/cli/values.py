"""What a person gave for an option or argument, as the type its function takes.

Typer checks values by Pydantic, whose import takes longer than a list of articles; it does so still
for every type that is not one of these or a StrEnum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

import typer

# Each with what a person is told to give.
KINDS: dict[Any, tuple[Callable[[str], Any], str]] = {
    str: (str, "text"),
    int: (int, "a whole number"),
    float: (float, "a number"),
    Path: (Path, "a path"),
    bool: ({"true": True, "false": False}.__getitem__, "true or false"),
}


# What help calls a value; Typer's own are Python's, such as <list[int]>.
SHOWN: dict[Any, str] = {str: "<text>", int: "<number>", float: "<number>", Path: "<file>"}


@dataclass(frozen=True, slots=True)
class Plain:
    """Stands where Typer puts its adapter of Pydantic."""

    kind: Any
    many: bool
    least: float | None
    most: float | None

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """None for what was not given. Raises BadParameter."""
        if value is None:
            return () if self.many else None
        if self.many:
            return [self._one(one, param, ctx) for one in value]
        return self._one(value, param, ctx)

    def _one(self, value: Any, param: Any, ctx: Any) -> Any:
        make, words = _making(self.kind)
        try:
            found = value if isinstance(value, self.kind) else make(value)
        except (ValueError, KeyError):
            raise typer.BadParameter(f"{value!r} is not {words}.", ctx, param) from None
        if self.least is not None and not found >= self.least:
            raise typer.BadParameter(f"{value} is less than {self.least}.", ctx, param)
        if self.most is not None and not found <= self.most:
            raise typer.BadParameter(f"{value} is more than {self.most}.", ctx, param)
        return found


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _making(kind: Any) -> tuple[Callable[[str], Any], str]:
    """What makes a value of a text, and the words for what a person is to give."""
    return (kind, f"one of {', '.join(kind)}") if _is_choice(kind) else KINDS[kind]


def _shown(words: str, _ctx: Any) -> str:
    return words


def with_plain_values(params: list[Any]) -> list[Any]:
    """The parameters of a command, those of plain kinds to be checked here.

    `_runtime_param` is where Typer keeps what it would make at the first value. A Typer without it
    goes its own way, and takes its time.
    """
    for param in params:
        descriptor: Any = getattr(param, "type_descriptor", None)
        annotation = getattr(descriptor, "annotation", None)
        many = get_origin(annotation) is list
        kind = get_args(annotation)[0] if many else annotation
        if kind in KINDS or _is_choice(kind):
            limits = descriptor.parameter_info
            param._runtime_param = Plain(kind, many, limits.min, limits.max)  # noqa: SLF001
        if kind in SHOWN:
            param.display_type = partial(_shown, SHOWN[kind])
    return params
