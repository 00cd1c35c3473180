"""Frozen values as plain ones and back, by the types of their fields. Knows no field by name.

What comes back is checked against those types, since who sends it may have been taken over.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

# Shorter ones are as quick within the JSON.
_LONG = 200

Reads = Callable[[Any, Sequence[str]], Any]


def packed(value: Any, texts: list[str]) -> Any:
    """As JSON can say it; a long text is its number in `texts`, to which it is added."""
    match value:
        case str():
            if len(value) < _LONG:
                return value
            texts.append(value)
            return len(texts) - 1
        case None | int() | float():
            return value
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case tuple() | frozenset():
            return [packed(one, texts) for one in value]
    kind: Any = type(value)
    return [packed(getattr(value, name), texts) for name in _names(kind)]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


@cache
def reads(kind: Any) -> Reads:
    """What makes such a value of what `packed` made of one. It raises TypeError, ValueError or
    IndexError for anything else."""
    if isinstance(kind, NewType):
        return reads(kind.__supertype__)
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        return _record(kind, tuple(reads(hints[name]) for name in _names(kind)))
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        (one,) = (reads(part) for part in inner if part is not NoneType)
        return lambda value, texts: None if value is None else one(value, texts)
    if origin is tuple and inner[-1] is not Ellipsis:
        return _row(tuple(map(reads, inner)))
    if origin in {tuple, frozenset}:
        return _many(origin, reads(inner[0]))
    raise TypeError(f"no way to send {kind}")


def _record(kind: Callable[..., Any], parts: tuple[Reads, ...]) -> Reads:
    row = _row(parts)
    return lambda value, texts: kind(*row(value, texts))


def _row(parts: tuple[Reads, ...]) -> Reads:
    def read(value: Any, texts: Sequence[str]) -> Any:
        return tuple([part(one, texts) for part, one in zip(parts, _list(value), strict=True)])

    return read


def _many(kind: Callable[[list[Any]], Any], one: Reads) -> Reads:
    return lambda value, texts: kind([one(part, texts) for part in _list(value)])


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _text(value: Any, texts: Sequence[str]) -> str:
    if value.__class__ is str:
        return str(value)
    return texts[_number(value, texts)]


def _number(value: Any, _texts: Sequence[str]) -> int:
    if value.__class__ is not int:
        raise TypeError("no number")
    return int(value)


def _truth(value: Any, _texts: Sequence[str]) -> bool:
    if value.__class__ is not bool:
        raise TypeError("neither true nor false")
    return bool(value)


def _moment(value: Any, _texts: Sequence[str]) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment


def _span(value: Any, _texts: Sequence[str]) -> timedelta:
    return timedelta(seconds=value)


_SIMPLE: dict[Any, Reads] = {
    str: _text,
    int: _number,
    bool: _truth,
    datetime: _moment,
    timedelta: _span,
}
