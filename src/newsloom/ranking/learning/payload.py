"""A stored model's bytes, trusted only when they are the ones kept and say what they should."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from newsloom.kernel.errors import ModelError

Model = TypeVar("Model")

# What taking JSON apart raises when it is not of the shape expected.
_MISSHAPEN = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


def undamaged(payload: bytes, sha256: str) -> bytes:
    """The bytes themselves. Raises ModelError when they are not the ones kept."""
    if hashlib.sha256(payload).hexdigest() != sha256:
        raise ModelError("The stored relevance model is damaged: its bytes do not match its hash.")
    return payload


def taken_apart(payload: bytes, unpack: Callable[[Mapping[str, Any]], Model]) -> Model:
    """What `unpack` makes of the JSON. Raises ModelError for whatever it stumbles over."""
    try:
        return unpack(json.loads(payload))
    except _MISSHAPEN as error:
        raise ModelError(f"The stored relevance model cannot be read: {error!r:.200}.") from error
