"""Strict reading of what a language model answers. Pure, and never raises.

Nothing is repaired: what stands around an answer, or in it unasked, is where an injection speaks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from newsloom.llm.purpose import Unusable

# Characters that a token may stand for at most, with room to spare: the bound of an answer's length
# follows from the tokens that it may have.
CHARACTERS_PER_TOKEN = 20


def json_object(
    answer: str, schema: Mapping[str, Any], *, depth: int = 1
) -> dict[str, Any] | Unusable:
    """An answer that is exactly one object with the fields the schema requires and no others.

    `depth` is how deep objects and lists may nest. The types of the fields are the caller's to
    check: a server may say that it enforces a schema, and not do so. Strings are without NUL and
    lone surrogates, which no database takes.
    """
    text = answer.strip()
    if text.startswith("```"):
        return Unusable("its answer is in a code block")
    if not (text.startswith("{") and text.endswith("}")):
        return Unusable("its answer is not one JSON object" if text else "its answer is empty")
    if _depth(text) > depth:
        return Unusable("its answer is nested")
    try:
        # Grammars of servers let line ends pass within strings, which JSON has only escaped.
        said = json.loads(text, strict=False, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        words = str(error) if isinstance(error, _OddError) else "its answer is broken JSON"
        return Unusable(words)
    wanted = set(schema["required"])
    if missing := sorted(wanted - said.keys()):
        return Unusable(f"its answer has no {missing[0]}")
    if said.keys() - wanted:
        return Unusable("its answer has unexpected fields")
    return {name: _storable(value) for name, value in said.items()}


def longest(answer_tokens: int) -> int:
    """Characters that an answer of so many tokens has at most."""
    return answer_tokens * CHARACTERS_PER_TOKEN


def too_long(answer: str, answer_tokens: int) -> Unusable | None:
    """Why an answer is not even looked at, if it is longer than its tokens can have made it."""
    most = longest(answer_tokens)
    if len(answer) <= most:
        return None
    return Unusable(f"its answer is longer than {most:,} characters")


class _OddError(ValueError):
    """Words for a person."""


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _OddError("its answer has duplicate fields")
    return found


NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # which no database takes


def _storable(value: Any) -> Any:
    """The same without characters that no database takes; as deep as `_depth` allowed."""
    if isinstance(value, str):
        return NO_TEXT.sub("", value)
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {NO_TEXT.sub("", name): _storable(one) for name, one in value.items()}
    return value


def _no_constant(name: str) -> None:
    raise _OddError(f"its answer contains {name}")


def _depth(text: str) -> int:
    """How deep objects and lists nest, outside strings; no recursion."""
    deepest = depth = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*+"', "", text):
        depth += (sign in "{[") - (sign in "}]")
        deepest = max(deepest, depth)
    return deepest
