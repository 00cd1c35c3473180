"""People, organisations, places and dates in a text, by a model shipped with it or by spaCy.

Compares nothing. Kinds of the shipped model come from articles/entities/model.py, dates from rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

KINDS = ("person", "organisation", "place", "date")

# Words of an article's text that are looked at, behind its title: names of an event stand in the
# lead. In 30 words layer 5 finds a third to two thirds fewer pairs, in 120 no more of dated news.
LEAD_WORDS = 60
_LEAD_CHARACTERS = 1_000  # in scripts without spaces, and in words that are none


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """Something named: `kind` is one of KINDS."""

    kind: str
    name: str  # normal: no case, no title, no possessive

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where something is named: tokens of a sentence by place, the last excluded."""

    start: int
    end: int
    kind: str


class Recognizer(Protocol):
    """Finds the entities of texts, a batch at a time. Safe to use from several threads."""

    @property
    def model_id(self) -> str:
        """Names the weights and how texts are prepared."""

    def recognise(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text, each once, in order of appearance."""

    def tag(self, document: Sequence[Sequence[str]]) -> list[tuple[Span, ...]]:
        """The names in each sentence of a document that is cut into tokens already."""


def entity_text(title: str, text: str) -> str:
    """What of an article is looked at: its title, and the first words of its text."""
    return f"{title}\n{' '.join(text[:_LEAD_CHARACTERS].split()[:LEAD_WORDS])}"


def once(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Each once, and a person's last name as the whole name that the same text gives."""
    found = list(dict.fromkeys(one for one in entities if one.name))
    whole: dict[str, Entity] = {}
    for one in found:
        first, _, last = one.name.rpartition(" ")
        if first and one.kind == "person":
            whole.setdefault(last, one)
    # A last name alone is often taken for a place or a firm.
    return tuple(dict.fromkeys(whole.get(one.name, one) for one in found))


def recognizer(name: str = "crf") -> Recognizer:
    """The shipped model for "crf", else the spaCy model of that name, or in that folder.

    Raises ModelError when it cannot be had.
    """
    # Both read files of some size, which most commands never need.
    if name == "crf":
        from newsloom.articles.entities.model import shipped

        return shipped()
    from newsloom.articles.entities.spacy import load

    return load(name)
