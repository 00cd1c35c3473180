"""The shipped finder of names: a linear-chain CRF over articles/entities/features.py, dates by
rules.

The only file of this room that reads files, those of the package.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import accumulate

import pycrfsuite

from newsloom.articles.entities.document import free, sure, throughout
from newsloom.articles.entities.features import Features
from newsloom.articles.entities.finder import Entity, Span, once
from newsloom.articles.entities.names import normal_name
from newsloom.articles.entities.tokens import MAX_CHARACTERS, MAX_LETTERS, MAX_TOKENS, sentences
from newsloom.articles.entities.words import parse_lexicon
from newsloom.kernel.errors import ModelError
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.dates import dates
from newsloom.kernel.text.language import detect

WEIGHTS, WORDS, MANIFEST = "entities.crf.xz", "words.tsv.xz", "manifest.json"
# Products, works, events and nationalities are told apart from the rest, and then dropped.
KIND = {"PER": "person", "ORG": "organisation", "LOC": "place"}

# Raise it with any change of what is done with the labels.
RULES = "rules@2"

_MEND = "Reinstall Newsloom, or restore the file with `git checkout`."


class CrfRecognizer:
    """Labels tokens by the weights it is given. Each thread has a tagger of its own."""

    def __init__(self, model_id: str, weights: bytes, features: Features) -> None:
        self.model_id = model_id
        self._weights = weights
        self._features = features
        self._own = threading.local()

    def recognise(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        return [self._recognised(plain(text[:MAX_CHARACTERS])) for text in texts]

    def tag(self, document: Sequence[Sequence[str]]) -> list[tuple[Span, ...]]:
        clean = [[plain(word)[:MAX_LETTERS] or "?" for word in words] for words in document]
        parts = [
            (number, start, words[start : start + MAX_TOKENS])
            for number, words in enumerate(clean)
            for start in range(0, len(words), MAX_TOKENS)
        ]
        found: list[list[Span]] = [[] for _ in document]
        for (number, start, words), spans in zip(
            parts, self._names([words for _, _, words in parts]), strict=True
        ):
            named = [*spans, *free(_dated(words), spans)]
            found[number] += (Span(one.start + start, one.end + start, one.kind) for one in named)
        return [tuple(sorted(spans)) for spans in found]

    def _recognised(self, text: str) -> tuple[Entity, ...]:
        cut = sentences(text)
        words = [[token.text for token in tokens] for tokens in cut]
        tagged = self._names(words)
        # Headlines in capitals are taken for other languages.
        if (tongue := detect(text.lower() if text.isupper() else text, "en")) != "en":
            tagged = sure(words, tagged, tongue)
        named = [
            Span(tokens[span.start].start, tokens[span.end - 1].end, span.kind)
            for tokens, spans in zip(cut, tagged, strict=True)
            for span in spans
        ]
        placed = [
            (span.start, Entity(span.kind, normal_name(span.kind, text[span.start : span.end])))
            for span in named
        ]
        taken = bytearray(len(text))
        for span in named:
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
        placed += (
            (date.start, Entity("date", date.name))
            for date in dates(text)
            if not any(taken[date.start : date.end])
        )
        return once(entity for _, entity in sorted(placed))

    def _names(self, document: Sequence[Sequence[str]]) -> list[list[Span]]:
        tagger = self._tagger()
        found = [
            list(_spans(tagger.tag(rows))) if rows else []
            for rows in self._features.document(document)
        ]
        return throughout(document, found)

    def _tagger(self) -> pycrfsuite.Tagger:
        if not hasattr(self._own, "tagger"):
            tagger = pycrfsuite.Tagger()
            tagger.open_inmemory(self._weights)
            self._own.tagger = tagger
        return self._own.tagger


def _spans(labels: Iterable[str]) -> Iterable[Span]:
    """What B- begins and I- goes on with, of the kinds that are kept."""
    start, kind = 0, ""
    for place, label in enumerate((*labels, "O")):
        goes_on = label[:1] == "I" and label[2:] == kind
        if kind and not goes_on:
            if kind in KIND:
                yield Span(start, place, KIND[kind])
            kind = ""
        if label != "O" and not goes_on:
            start, kind = place, label[2:]


def _dated(words: Sequence[str]) -> list[Span]:
    """The dates in a sentence that is cut already."""
    starts = list(accumulate((len(word) + 1 for word in words), initial=0))
    return [
        Span(bisect_right(starts, date.start) - 1, bisect_right(starts, date.end - 1), "date")
        for date in dates(" ".join(words))
    ]


@lru_cache(maxsize=1)
def shipped() -> CrfRecognizer:
    """The model in the package, read once a process. Raises ModelError when it is damaged."""
    return load(files("newsloom.articles.entities") / "data")


def load(folder: Traversable) -> CrfRecognizer:
    """A model of lab/scripts/train_entities.py; each file must be as the manifest says."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        packed = {name: (folder / name).read_bytes() for name in (WEIGHTS, WORDS)}
        hashes = {name: str(manifest["files"][name]["sha256"]) for name in packed}
        version = str(manifest["version"])
    except OSError as error:
        raise ModelError(f"The finder of names cannot be read: {error}. {_MEND}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{MANIFEST} of the finder of names is damaged. {_MEND}") from error
    for name, content in packed.items():
        if hashlib.sha256(content).hexdigest() != hashes[name]:
            raise ModelError(f"{name} does not match this version. {_MEND}")
    lexicon = parse_lexicon(lzma.decompress(packed[WORDS]).decode().splitlines())
    model_id = f"{version}/{hashes[WEIGHTS][:12]}/{RULES}"
    return CrfRecognizer(model_id, lzma.decompress(packed[WEIGHTS]), Features(lexicon))
