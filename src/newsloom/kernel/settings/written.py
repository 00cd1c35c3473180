"""Values as text: as `newsloom settings` prints them, and read again from the environment.

What is printed is TOML, so it may stand in newsloom.toml or in a variable, and means the same.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any


def written(value: Any) -> str:
    """A value of a setting as TOML."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(written(one) for one in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, Path)):
        # JSON's escapes are TOML's too, which wants one more.
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def parse(kind: Any, default: Any, text: str) -> Any:
    """Text from the environment as the file would have given it: TOML, or plain words.

    Plain are texts without quotes, and lists with commas and no brackets. Text that is of no such
    form is given back as it is, for the check of types to refuse.
    """
    if isinstance(default, tuple):
        return _list(text, numbers=bool(default))
    if kind is bool:
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    if kind in {int, float}:
        return _number(text)
    return _toml(text, str) if text.startswith(('"', "'")) else text


def _list(text: str, *, numbers: bool) -> Any:
    stripped = text.strip()
    quoted = any(mark in stripped for mark in "\"'")
    found = _toml(f"[{stripped}]" if quoted and stripped[:1] != "[" else stripped, list)
    if isinstance(found, list):
        return found
    parts = [part.strip() for part in stripped.split(",") if part.strip()]
    if any(part.startswith("[") and not _IPV6.fullmatch(part) for part in parts):
        return text  # half a list, which must not become an odd name
    return [_number(part) for part in parts] if numbers else parts


# A host that is an IPv6 address, with or without a port: no list, though in brackets.
_IPV6 = re.compile(r"\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\](:\d+)?")


def _toml(text: str, kind: type) -> Any:
    """The value of that kind that the text writes; the text itself when it writes none."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text
    return value if isinstance(value, kind) else text


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
