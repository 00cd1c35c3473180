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
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import accumulate

import pycrfsuite

from newsloom.articles.entities.features import Features, parse_lexicon
from newsloom.articles.entities.finder import Entity, Span, once
from newsloom.articles.entities.names import normal_name
from newsloom.articles.entities.tokens import MAX_CHARACTERS, MAX_LETTERS, MAX_TOKENS, sentences
from newsloom.kernel.errors import ModelError
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.dates import dates
from newsloom.kernel.text.language import detect
from newsloom.kernel.text.stop_words import stop_words

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


# What one sentence says of names goes for the whole document, and which names are sure in other
# languages than English.

# Of the places of one wording that are of one kind: then the others are too.
_SHARE = 0.6
_SHORT = 2  # letters of a word that is not looked for alone: "US" may be "us" in capitals

Document = Sequence[Sequence[str]]
Name = tuple[str, ...]


def throughout(document: Document, found: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """The names with one kind for one wording, wherever it stands; then last names.

    F1 on wikigold's held-out fifth and on CoNLL 2003 development, by a model that was not shipped:
    .746 to .760, .744 to .747 without what `by_last_name` does in both.
    """
    kinds = _kinds(document, found)
    if not kinds:
        return [list(spans) for spans in found]
    starts: dict[str, set[int]] = defaultdict(set)
    for name in kinds:
        if len(name) > 1 or len(name[0]) > _SHORT:
            starts[name[0]].add(len(name))
    whole = []
    for words, spans in zip(document, found, strict=True):
        own = [
            Span(span.start, span.end, kinds[tuple(words[span.start : span.end])] or span.kind)
            for span in spans
        ]
        whole.append(sorted([*own, *free(_elsewhere(words, kinds, starts), own)]))
    return by_last_name(document, whole)


def _kinds(document: Document, found: Sequence[Sequence[Span]]) -> dict[Name, str]:
    """Of each wording the kind that most of its places have; "" where they are of two minds."""
    counts: dict[Name, Counter[str]] = defaultdict(Counter)
    for words, spans in zip(document, found, strict=True):
        for span in spans:
            counts[tuple(words[span.start : span.end])][span.kind] += 1
    kinds = {}
    for name, count in counts.items():
        kind, times = count.most_common(1)[0]
        kinds[name] = kind if times >= _SHARE * count.total() else ""
    return kinds


def _elsewhere(
    words: Sequence[str], kinds: Mapping[Name, str], starts: Mapping[str, set[int]]
) -> Iterable[Span]:
    """Where a sentence has words that are a name in the document, the longest first."""
    end = 0
    for place, word in enumerate(words):
        if place < end or word not in starts or word.islower():
            continue
        for size in sorted(starts[word], reverse=True):
            name = tuple(words[place : place + size])  # shorter at the sentence's end
            if kind := kinds.get(name, ""):
                end = place + len(name)
                yield Span(place, end, kind)
                break


def by_last_name(document: Document, found: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """A last name alone, of someone whom the document names in full, is that person.

    F1 on the held-out fifth of wikigold: .761 instead of .750, by the first model.
    """
    last = {
        words[span.end - 1]
        for words, spans in zip(document, found, strict=True)
        for span in spans
        if span.kind == "person" and span.end - span.start > 1 and words[span.end - 1][0].isupper()
    }
    if not last:
        return [list(spans) for spans in found]
    whole: list[list[Span]] = []
    for words, spans in zip(document, found, strict=True):
        longer = [
            span for span in spans if span.end - span.start > 1 or words[span.start] not in last
        ]
        alone = (
            Span(place, place + 1, "person") for place, word in enumerate(words) if word in last
        )
        whole.append(sorted([*longer, *free(alone, longer)]))
    return whole


# The model knows English alone. Of what it found in 60 articles in six other languages 47 % were
# names, the rest mostly beginnings of sentences; of what is left in French, Spanish and Italian,
# 91 % are. In German nouns have capitals too, and other scripts have none: nothing is sure there.
_NOTHING_SURE = frozenset(("de", "lb", "ja", "zh", "wuu", "yue", "ko", "th"))
# After these a word has a capital whatever it is.
_OPENERS = frozenset('.:;!?…–—-"«»“„([|>#/•')
_PARTICLES = frozenset(("da", "de", "del", "della", "der", "di", "du", "la", "van", "von"))


def sure(document: Document, found: Sequence[Sequence[Span]], language: str) -> list[list[Span]]:
    """Of names in another language those that stand within a sentence somewhere, with capitals and
    without stop words."""
    if language in _NOTHING_SURE:
        return [[] for _ in document]
    stops = stop_words(language)
    names = {
        tuple(words[span.start : span.end])
        for words, spans in zip(document, found, strict=True)
        for span in spans
        if span.start and words[span.start - 1] not in _OPENERS
    }
    names = {one for one in names if _is_name(one, stops)}
    return [
        [span for span in spans if tuple(words[span.start : span.end]) in names]
        for words, spans in zip(document, found, strict=True)
    ]


def _is_name(words: Name, stops: frozenset[str]) -> bool:
    ends = (words[0], words[-1])
    return all(one[0].isupper() or one in _PARTICLES for one in words) and not any(
        one[0].islower() or one.lower() in stops for one in ends
    )


def free(spans: Iterable[Span], taken: Sequence[Span]) -> list[Span]:
    """Those that lie on none of the taken."""
    return [
        span
        for span in spans
        if not any(span.start < other.end and other.start < span.end for other in taken)
    ]
