"""What one sentence says of names goes for the whole document, and which names are sure in other
languages than English. Reads no weights."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from newsloom.articles.entities.finder import Span
from newsloom.kernel.text.stop_words import stop_words

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
