"""Translation by packages of Argos Translate that the user has installed, offline.

By CTranslate2 and SentencePiece, which are what Argos Translate itself translates with; why not by
its own library: docs/work/decisions/delivery.md.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import TranslationError
from newsloom.kernel.extras import require

# Packages of Argos Translate, read as files: what they translate, and what they hold. A package
# is a folder with `metadata.json`, `sentencepiece.model`, and `model/` of CTranslate2
# (https://github.com/argosopentech/argos-translate, package.py). Older ones have `bpe.model` in
# place of SentencePiece's, which needs Moses' tokenizer too: those are passed over.

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


# As Argos Translate has them (its settings and translate.py).
BEAM, LENGTH_PENALTY = 4, 0.2
BATCH_TOKENS = 1_024
MOST_CHARACTERS = 2_000  # of a sentence
MOST_TOKENS = 400  # of an answer: what goes on and on is no translation


@dataclass(slots=True)
class ArgosTranslator:
    """A ports.Translator. Models are loaded when they are first used; nothing is downloaded."""

    folder: Path = field(default_factory=home)
    _loaded: dict[Path, tuple[Any, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def translator_id(self) -> str:
        return "Argos Translate"

    def languages(self) -> frozenset[tuple[str, str]]:
        """From and to, of the packages that are installed; also by way of a third language."""
        known = packages(self.folder)
        names = {one.source for one in known} | {one.target for one in known}
        return frozenset(
            (source, target)
            for source in names
            for target in names
            if source != target and way(known, source, target)
        )

    def translate(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        """One for each, in order. Raises TranslationError."""
        require("argos", "Translation by Argos", TranslationError)
        chain = way(packages(self.folder), source, target)
        if not chain:
            raise TranslationError(
                f"There is no Argos Translate package from {source!r} to {target!r} in "
                f"{self.folder}: unpack its .argosmodel file there (docs/use/briefs.md)."
            )
        found = [one[:MOST_CHARACTERS] for one in sentences]
        with self._lock:
            for package in chain:
                try:
                    found = self._by(package, found)
                except Exception as error:  # CTranslate2 and SentencePiece raise of many kinds
                    raise TranslationError(
                        f"The package {package.folder.name} of Argos Translate failed: "
                        f"{type(error).__name__}: {str(error)[:200]}"
                    ) from error
        return found

    def _by(self, package: Package, sentences: list[str]) -> list[str]:
        model, pieces = self._model(package)
        tokens = [pieces.encode(one, out_type=str) for one in sentences]
        answers = model.translate_batch(
            tokens,
            target_prefix=[[package.prefix]] * len(tokens) if package.prefix else None,
            beam_size=BEAM,
            length_penalty=LENGTH_PENALTY,
            max_batch_size=BATCH_TOKENS,
            batch_type="tokens",
            max_decoding_length=MOST_TOKENS,
            replace_unknowns=True,
        )
        return [_text(pieces, one.hypotheses[0], package.prefix) for one in answers]

    def _model(self, package: Package) -> tuple[Any, Any]:
        if package.folder not in self._loaded:
            import ctranslate2
            import sentencepiece

            pieces = sentencepiece.SentencePieceProcessor(model_file=str(package.pieces))
            model = ctranslate2.Translator(str(package.model), device="cpu")
            self._loaded[package.folder] = (model, pieces)
        return self._loaded[package.folder]


def _text(pieces: Any, tokens: Sequence[str], prefix: str) -> str:
    """Of the tokens of an answer; what SentencePiece does not know stays as it is."""
    said = list(tokens[1:] if prefix and tokens[:1] == [prefix] else tokens)
    return str(pieces.decode_pieces(said)).replace("\u2581", " ").strip()
