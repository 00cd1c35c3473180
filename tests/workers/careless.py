"""A task that has not loaded what it needs."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


def answer(_asked: Any, body: bytes) -> bytes:
    failures = []
    for needs in (lambda: importlib.import_module("colorsys"), Path(body.decode()).read_bytes):
        try:
            needs()
        except (OSError, ImportError) as error:
            failures.append(type(error).__name__)
    return " ".join(failures).encode()
