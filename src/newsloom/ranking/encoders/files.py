"""A model's folder: the files its manifest names, read once and checked. Runs nothing.

A manifest is JSON: `{"files": {"NAME": {"sha256": "...", "bytes": 1}, ...}, ...}`; what else it
says (source, licence, tools) is for people.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import ModelError

MANIFEST = "manifest.json"

MEND = "Install Newsloom again (or `git checkout` the file) to get it back."


def read_checked(folder: Path) -> Mapping[str, bytes]:
    """The content of each file by name, exactly as hashed. Raises ModelError with mending words."""
    return {name: _checked(folder / name, expected) for name, expected in _manifest(folder).items()}


def _manifest(folder: Path) -> Mapping[str, str]:
    """File name to SHA-256."""
    path = folder / MANIFEST
    try:
        files: Any = json.loads(_read(path))["files"]
        return {Path(name).name: str(facts["sha256"]) for name, facts in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is damaged ({error}). {MEND}") from error


def _checked(path: Path, expected: str) -> bytes:
    content = _read(path)
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise ModelError(
            f"{path} is not the file Newsloom was made with: its SHA-256 is {found[:12]}..., "
            f"not {expected[:12]}.... {MEND}"
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}. {MEND}") from error
