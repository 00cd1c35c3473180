"""How a setting is declared: its meaning and its default, where it stands."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def doc(text: str, default: Any, *, least: float | None = None) -> Any:
    """A field with what `newsloom settings` says of it; `least` is the least number it may be."""
    return field(default=default, metadata={"doc": text, "least": least})
