"""Packages of Argos Translate, read as files: what they translate, and what they hold.

A package is a folder with `metadata.json`, `sentencepiece.model`, and `model/` of CTranslate2
(https://github.com/argosopentech/argos-translate, package.py). Older ones have `bpe.model` in place
of SentencePiece's, which needs Moses' tokenizer too: those are passed over.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_METADATA = 100_000  # bytes
MOST_MODEL = 4_000_000_000  # of all files of a package; those of Argos have 50 to 300 MB
_LANGUAGE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True, slots=True)
class Package:
    """One pair of languages."""

    folder: Path
    source: str
    target: str
    prefix: str = ""  # the token that names the target, where a model has several

    @property
    def model(self) -> Path:
        return self.folder / "model"

    @property
    def pieces(self) -> Path:
        return self.folder / "sentencepiece.model"


def home() -> Path:
    """Where Argos Translate keeps what was installed, as its settings have it."""
    if named := os.environ.get("ARGOS_PACKAGES_DIR"):
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "argos-translate" / "packages"


def packages(folder: Path) -> tuple[Package, ...]:
    """Those that can be used, by name; what is none is passed over."""
    try:
        found = sorted(one for one in folder.iterdir() if one.is_dir())
    except OSError:
        return ()
    return tuple(made for one in found if (made := _package(one)) is not None)


def _package(folder: Path) -> Package | None:
    path = folder / "metadata.json"
    try:
        if path.stat().st_size > MOST_METADATA:
            return None
        said = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(said, Mapping) or said.get("type", "translate") != "translate":
        return None
    source, target, prefix = (
        said.get(one, "") for one in ("from_code", "to_code", "target_prefix")
    )
    if not all(isinstance(one, str) for one in (source, target, prefix)):
        return None
    if not (_LANGUAGE.fullmatch(source) and _LANGUAGE.fullmatch(target)) or len(prefix) > 40:
        return None
    made = Package(folder, source, target, prefix)
    if not (made.pieces.is_file() and made.model.is_dir()):
        return None
    size = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
    return made if size <= MOST_MODEL else None


def way(known: tuple[Package, ...], source: str, target: str) -> tuple[Package, ...]:
    """The packages from one language to another, one after the other; (): there is no way.

    At most two: most of Argos' go from English or to it.
    """
    direct = next((one for one in known if (one.source, one.target) == (source, target)), None)
    if direct is not None:
        return (direct,)
    for first in known:
        if first.source != source:
            continue
        for second in known:
            if (second.source, second.target) == (first.target, target):
                return (first, second)
    return ()
