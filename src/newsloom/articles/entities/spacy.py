"""A spaCy model as the finder of names: an installed package, or a folder. Trains none."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from newsloom.articles.entities.finder import Entity, Span, once
from newsloom.articles.entities.names import normal_name
from newsloom.articles.entities.tokens import MAX_CHARACTERS
from newsloom.kernel.errors import ModelError
from newsloom.kernel.extras import require
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.dates import dates

# The names of OntoNotes, which spaCy's own models use, and those of CoNLL and WikiNER. Products,
# works, laws, languages and numbers are no part of what an event is compared by.
_KIND = {
    "PERSON": "person",
    "PER": "person",
    "ORG": "organisation",
    "NORP": "organisation",  # nationalities, parties, religions
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
}
_DATES = frozenset(("DATE", "TIME"))


@lru_cache(maxsize=2)
def load(name: str) -> SpacyRecognizer:
    """Raises ModelError, with what to do about it."""
    require("spacy", f"models.entities is {name}, which", ModelError)
    import spacy

    try:
        pipeline = spacy.load(name)
    except (OSError, ValueError, ImportError) as error:
        words = " ".join(str(error).split())
        raise ModelError(
            f"spaCy cannot load the model {name} of models.entities: {words:.200} "
            f"Install it (python -m spacy download {name}), name its folder, or set "
            "models.entities to crf."
        ) from error
    if not {"ner", "entity_ruler"} & set(pipeline.pipe_names):
        raise ModelError(f"The spaCy model {name} of models.entities finds no names.")
    return SpacyRecognizer(pipeline)


class SpacyRecognizer:
    """Any spaCy pipeline that sets `doc.ents`. One text at a time: pipelines keep state."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self._lock = threading.Lock()
        meta = pipeline.meta
        self.model_id = f"spacy:{meta.get('lang')}_{meta.get('name')}-{meta.get('version')}/kinds@1"

    def recognise(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text; dates in the words of kernel/text/dates.py, others are
        dropped.
        """
        cut = [plain(text[:MAX_CHARACTERS]) for text in texts]
        with self._lock:
            return [self._entities(doc) for doc in self._pipeline.pipe(cut)]

    def tag(self, document: Sequence[Sequence[str]]) -> list[tuple[Span, ...]]:
        from spacy.tokens import Doc

        with self._lock:
            docs = [
                Doc(self._pipeline.vocab, words=[plain(word) or "?" for word in words])
                for words in document
            ]
            return [
                tuple(
                    Span(span.start, span.end, kind)
                    for span in doc.ents
                    if (kind := "date" if span.label_ in _DATES else _KIND.get(span.label_))
                )
                for doc in self._pipeline.pipe(docs)
            ]

    def _entities(self, doc: Any) -> tuple[Entity, ...]:
        found: list[Entity] = []
        for span in doc.ents:
            if span.label_ in _DATES:
                found += [Entity("date", date.name) for date in dates(span.text)]
            elif kind := _KIND.get(span.label_):
                found.append(Entity(kind, normal_name(kind, span.text)))
        return once(found)
