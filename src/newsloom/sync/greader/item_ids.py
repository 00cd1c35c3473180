"""Numbers of articles as the Google Reader API writes them, in three forms. Pure.

    tag:google.com,2005:reader/item/000000000000002a    long; zeros in front may be missing
    000000000000002a                                    16 hexadecimal digits
    42                                                  decimal

Our numbers stay below 10^15, so 16 characters are never decimal ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from newsloom.sync.fields import LARGEST, BadRequest

LONG = "tag:google.com,2005:reader/item/"
SHORT_HEX = 16

_HEX = re.compile(r"[0-9a-fA-F]{1,32}")
_DECIMAL = re.compile(r"-?[0-9]{1,40}")


def long_id(article: int) -> str:
    return f"{LONG}{article:016x}"


def item_id(text: str) -> int | None:
    """The number; None for one that no article can have. Raises BadRequest for what is none."""
    text = text.strip()
    if text.startswith(LONG):
        digits, base, form = text.removeprefix(LONG), 16, _HEX
    else:
        digits, form = text, _HEX if len(text) == SHORT_HEX else _DECIMAL
        base = 16 if form is _HEX else 10
    if not form.fullmatch(digits):
        raise BadRequest(f"Not an article id: {text[:80]!r}.")
    found = int(digits, base)
    return found if 0 < found <= LARGEST else None


def item_ids(texts: Iterable[str]) -> list[int]:
    """The numbers of those that can be articles, each once, in order."""
    found = (item_id(one) for one in texts)
    return list(dict.fromkeys(one for one in found if one is not None))
