"""Translation by models that the user has installed for Argos Translate (CTranslate2), offline."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from newsloom.errors import TranslationError
from newsloom.extras import require


@dataclass(slots=True)
class ArgosTranslator:
    """A ports.Translator. Models are loaded when they are first used; nothing is downloaded."""

    _known: dict[tuple[str, str], Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def translator_id(self) -> str:
        return "Argos Translate"

    def languages(self) -> frozenset[tuple[str, str]]:
        """From and to, of the models that are installed. Raises TranslationError."""
        found = set()
        for one in self._installed():
            for other in one.translations_from:
                found.add((str(one.code), str(other.to_lang.code)))
        return frozenset(found)

    def translate(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        """One for each, in order. Raises TranslationError."""
        with self._lock:
            model = self._model(source, target)
            try:
                return [str(model.translate(one)) for one in sentences]
            except Exception as error:  # a library of many engines; whatever it is, it is told
                raise TranslationError(f"Argos Translate failed: {error}") from error

    def _model(self, source: str, target: str) -> Any:
        if (source, target) not in self._known:
            by_code = {str(one.code): one for one in self._installed()}
            first, second = by_code.get(source), by_code.get(target)
            model = first.get_translation(second) if first and second else None
            if model is None:
                raise TranslationError(
                    f"Argos Translate has no model from {source!r} to {target!r}; "
                    f"argospm install translate-{source}_{target} installs one."
                )
            self._known[source, target] = model
        return self._known[source, target]

    def _installed(self) -> list[Any]:
        require("argos", "Translation by Argos", TranslationError)
        from argostranslate import translate

        return list(translate.get_installed_languages())
