"""Translation by packages of Argos Translate that the user has installed, offline.

By CTranslate2 and SentencePiece, which are what Argos Translate itself translates with; why not by
its own library: docs/work/decisions/delivery.md.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from newsloom.briefs.argos import Package, home, packages, way
from newsloom.kernel.errors import TranslationError
from newsloom.kernel.extras import require

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
