"""The weighted terms of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping


def weighted_terms() -> Callable[[str, str, str], Mapping[str, float]]:
    """A function of a title, a text and a language: terms by weight."""
    return lambda title, text, _language: dict.fromkeys(
        re.findall(r"[^\W\d_]{4,}", f"{title} {text[:1500]}".lower()), 1.0
    )
