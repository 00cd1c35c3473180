"""JSON to Python values, where it is nearly JSON: mended in one pass, cut after its last whole item.

Takes what people and templates write: line breaks in strings, comments, commas too many or missing,
backslashes that escape nothing, text behind the end.
"""

from __future__ import annotations

import json
import re
from typing import Any

from newsloom.errors import ParseError
from newsloom.types import Damage

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
    parts: list[str] = []
    opened: list[str] = []
    whole, closing = 0, ""  # how many parts the last whole object ends after, and what follows
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count > _MOST_TOKENS:
            raise ParseError("The document is refused: broken JSON, and too large to be mended.")
        token = match[0]
        if token.startswith(("//", "/*")):
            continue
        last = parts[-1] if parts else ""
        if token in "}]":
            if last == ",":
                parts.pop()
            if _CLOSES.get(opened[-1] if opened else "") != token:
                continue  # closes nothing that is open
            parts.append(token)
            opened.pop()
            if not opened:
                return "".join(parts), False
            if token == "}" and opened == ["{", "["]:  # of a list of the document itself
                whole, closing = len(parts), "".join(_CLOSES[one] for one in reversed(opened))
            continue
        if token == ",":
            if last not in {"", ",", ":", "{", "["}:
                parts.append(token)
            continue
        if last and token != ":" and last not in {",", ":", "{", "["}:
            parts.append(",")
        if token in "{[":
            opened.append(token)
            if len(opened) > _DEEPEST:
                raise ParseError("The document is refused: its JSON is nested too deeply.")
        elif token[0] == '"':
            if not match[1]:
                break
            token = _NO_ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", token)
            token = token.replace(r"\\'", "'")
        parts.append(token)
    return "".join(parts[:whole]) + closing, True
