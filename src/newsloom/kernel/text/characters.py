"""Characters that no reader sees and that some publisher sends. Decides nothing about words."""

from __future__ import annotations

import re

# Controls, and what Unicode says is never a character. White space stays.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# Also what has no width or turns the direction of the words around it: soft hyphens, zero-width
# spaces and joiners of words, overrides and isolates, tags. Joiners of letters and of emoji stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)


def without_controls(text: str) -> str:
    """For markup that is shown: whatever could break a page or a database is gone."""
    return _CONTROLS.sub("", text)


def plain(text: str) -> str:
    """For words that are compared, searched and listed."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)
