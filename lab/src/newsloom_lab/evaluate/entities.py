"""How well names are found in labelled text: exact bounds and kind, as `conlleval` counts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.articles.entities.finder import KINDS, Recognizer, Span
from newsloom_lab.evaluate.conll import Document, Sentence

# What labelled sets call the four. Others ("MISC", products, works, nationalities) are left out on
# both sides, and reported.
_NAMES = {
    "person": "per person politician writer musicalartist scientist researcher",
    "organisation": "org organisation organization corporation group company politicalparty band "
    "university",
    "place": "loc location gpe fac facility geo-loc country place",
    "date": "date",
}
_KIND = {name: kind for kind, names in _NAMES.items() for name in names.split()}

WORST = 15  # kinds of mistakes listed
ALL = "all"


@dataclass(frozen=True, slots=True)
class Score:
    """`kind` is one of the recognizer's, or "all"."""

    kind: str
    names: int  # in the file
    found: int
    right: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Mistake:
    what: str  # "organisation read as place", "missed person", "person where none is", ...
    times: int
    example: str


@dataclass(frozen=True, slots=True)
class EntitiesReport:
    model_id: str
    documents: int
    sentences: int
    tokens: int
    precision: float
    recall: float
    f1: float
    tokens_per_second: float
    kinds: tuple[Score, ...]
    left_out: tuple[str, ...]  # kinds of the file that the recognizer does not know, and how many
    worst: tuple[Mistake, ...]

    @property
    def total(self) -> Score:
        names, found, right = (
            sum(getattr(one, name) for one in self.kinds) for name in ("names", "found", "right")
        )
        return Score(ALL, names, found, right, self.precision, self.recall, self.f1)


def run(recognizer: Recognizer, documents: Sequence[Document]) -> EntitiesReport:
    """Label every document by its tokens and compare."""
    recognizer.tag([["Loading", "is", "not", "labelling", "."]])
    began = time.perf_counter()
    answers = [recognizer.tag([one.tokens for one in document]) for document in documents]
    seconds = time.perf_counter() - began
    sentences = [one for document in documents for one in document]
    counted = Counter(name.kind for one in sentences for name in one.names)
    kinds = [kind for kind in KINDS if any(_KIND.get(name.lower()) == kind for name in counted)]
    tally = _Tally(kinds)
    for sentence, found in zip(
        sentences, (one for answer in answers for one in answer), strict=True
    ):
        tally.add(sentence, found)
    return _report(recognizer.model_id, documents, tally, counted, seconds)


class _Tally:
    """Counts, and the mistakes by what they are."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = kinds
        self.tokens = 0
        self.names: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        self.mistakes: Counter[str] = Counter()
        self.examples: dict[str, Counter[str]] = {}

    def add(self, sentence: Sentence, found: Sequence[Span]) -> None:
        known = ((name, _KIND.get(name.kind.lower(), "")) for name in sentence.names)
        gold = {Span(name.start, name.end, kind) for name, kind in known if kind in self.kinds}
        own = {span for span in found if span.kind in self.kinds}
        self.tokens += len(sentence.tokens)
        self.names.update(span.kind for span in gold)
        self.found.update(span.kind for span in own)
        self.right.update(span.kind for span in gold & own)
        for span in sorted(gold - own):
            self._mistake(_missed(span, own), sentence, span)
        for span in sorted(own - gold):
            if not any(_overlap(span, other) for other in gold):
                self._mistake(f"{span.kind} where none is", sentence, span)

    def _mistake(self, what: str, sentence: Sentence, span: Span) -> None:
        self.mistakes[what] += 1
        text = " ".join(sentence.tokens[span.start : span.end])
        self.examples.setdefault(what, Counter())[text] += 1

    def score(self, kind: str) -> Score:
        names, found, right = (
            (one.total() if kind == ALL else one[kind])
            for one in (self.names, self.found, self.right)
        )
        precision = right / found if found else 0.0
        recall = right / names if names else 0.0
        f1 = 2 * right / (found + names) if found + names else 0.0
        return Score(kind, names, found, right, precision, recall, f1)


def _missed(name: Span, own: Iterable[Span]) -> str:
    for other in sorted(own):
        if (other.start, other.end) == (name.start, name.end):
            return f"{name.kind} read as {other.kind}"
    for other in sorted(own):
        if _overlap(name, other):
            kind = "" if other.kind == name.kind else f", as {other.kind}"
            return f"{name.kind} with other bounds{kind}"
    return f"{name.kind} missed"


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _report(
    model_id: str,
    documents: Sequence[Document],
    tally: _Tally,
    counted: Counter[str],
    seconds: float,
) -> EntitiesReport:
    total = tally.score(ALL)
    worst = tally.mistakes.most_common()
    return EntitiesReport(
        model_id=model_id,
        documents=len(documents),
        sentences=sum(map(len, documents)),
        tokens=tally.tokens,
        precision=total.precision,
        recall=total.recall,
        f1=total.f1,
        tokens_per_second=tally.tokens / seconds,
        kinds=tuple(map(tally.score, tally.kinds)),
        left_out=tuple(
            f"{name} ({times:,})"
            for name, times in sorted(counted.items())
            if _KIND.get(name.lower()) not in tally.kinds
        ),
        worst=tuple(
            Mistake(what, times, _example(tally.examples[what]))
            for what, times in sorted(worst, key=lambda one: (-one[1], one[0]))[:WORST]
        ),
    )


def _example(texts: Counter[str]) -> str:
    return min(texts, key=lambda text: (-texts[text], text))
