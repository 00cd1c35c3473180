"""JSON to Python values, mended where it is nearly JSON, cut after its last whole article.

Takes what people and templates write: line breaks in strings, comments, commas too many or
missing, backslashes that escape nothing, text behind the end.
"""

from __future__ import annotations

import json
import re
from typing import Any

from newsloom.feeds.values.published import Damage
from newsloom.kernel.errors import ParseError

# Tokens of a document to be mended: two seconds' work. 15 MB of JSON Feed have a tenth of them.
_MOST_TOKENS = 2_000_000
_DEEPEST = 256
_TOKEN = re.compile(
    r'"(?:[^"\\]++|\\.)*+("?)'  # a string, whole or not
    r"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    r"|[{}\[\],:]"
    r'|[^\s{}\[\],:"/]++|/',
    re.DOTALL,
)
_NO_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_CLOSES = {"{": "}", "[": "]"}
_CLOSED = frozenset(_CLOSES.values())
_BEFORE_A_VALUE = frozenset("{[,:")


def read_json(text: str) -> tuple[Any, str, Damage]:
    """The value, what was wrong in words, and what may be missing. Raises ParseError."""
    try:
        return json.loads(text), "", Damage.NONE
    except RecursionError:
        raise ParseError("The document is refused: its JSON is nested too deeply.") from None
    except ValueError as error:
        problem = str(error)
    mended, cut = _mended(text)
    try:
        tree = json.loads(mended, strict=False)
    except (ValueError, RecursionError):
        raise ParseError(f"The document is JSON that is broken or cut off: {problem}.") from None
    return tree, f"not well-formed JSON: {problem}", Damage.CUT if cut else Damage.MENDED


def _mended(text: str) -> tuple[str, bool]:
    """The JSON in a text, and whether it ends too early: then up to its last whole object."""
    writer = _Writer()
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count > _MOST_TOKENS:
            raise ParseError("The document is refused: broken JSON, and too large to repair.")
        word = match[0]
        if word.startswith(("//", "/*")):
            continue
        if word[0] == '"' and not match[1]:
            break  # a string that never ends
        if word in _CLOSED:
            writer.close(word)
        elif word in ",:":
            writer.separate(word)
        else:
            writer.begin(word)
        if writer.parts and not writer.opened:
            return "".join(writer.parts), False
    return "".join(writer.parts[: writer.whole]) + writer.ending, True


class _Writer:
    """JSON while it is written again, with the commas and brackets that belong there."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.opened: list[str] = []
        self.whole = 0  # how many parts the last whole object of a list of the document ends after
        self.ending = ""  # what closes the document there

    def close(self, bracket: str) -> None:
        if self.parts and self.parts[-1] == ",":
            self.parts.pop()
        if not self.opened or _CLOSES[self.opened[-1]] != bracket:
            return  # it closes nothing that is open
        self.parts.append(bracket)
        self.opened.pop()
        if bracket == "}" and self.opened == ["{", "["]:
            self.whole, self.ending = len(self.parts), "]}"

    def separate(self, sign: str) -> None:
        if sign == ":" or self._after_a_value():
            self.parts.append(sign)

    def begin(self, word: str) -> None:
        """A value, or a name."""
        if self._after_a_value():
            self.parts.append(",")
        if word in _CLOSES:
            self.opened.append(word)
            if len(self.opened) > _DEEPEST:
                raise ParseError("The document is refused: its JSON is nested too deeply.")
        elif word[0] == '"':
            word = _NO_ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", word)
            word = word.replace(r"\\'", "'")
        self.parts.append(word)

    def _after_a_value(self) -> bool:
        return bool(self.parts) and self.parts[-1] not in _BEFORE_A_VALUE
