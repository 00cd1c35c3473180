"""What two signed articles are to each other, and why. Finds no candidates, stores nothing.

Gathers the facts about a pair, cheapest first; duplicates/matrix.py says what follows from them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta

from newsloom.duplicates import entities, fingerprint, minhash, title
from newsloom.duplicates.matrix import Origin, PairFacts, Texts, Titles, decide
from newsloom.duplicates.packed import Signature
from newsloom.duplicates.series_titles import (
    a_step_apart,
    informative,
    kin,
    looks_recurring,
    swapped,
)
from newsloom.duplicates.values import Evidence, Relation, Thresholds

# Whether two alike texts differ just where a form leaves room: in names and numbers. Pure.
#
# A bot's report of an earthquake, a result, a listing is the last one with other names and numbers;
# whoever edits a text changes words of all kinds. So the share of the names and numbers in title
# and lead that changed is held against the share of all words that did.

# Filled into one form, two texts are about as long.
LEAST_LENGTH = 0.75
# Of the names and numbers in title and lead: this much, and this many times the share of all words.
# An edit changes a name of two or three words two or three times as often as a word.
LEAST_CHANGED = 0.3
MORE_OFTEN = 3.0
# Of the numbers alone: this many and this much. An edit of a teaser may change one.
LEAST_NUMBERS = 2
MOST_NUMBERS = 0.5
# Forms are short. A longer text under another headline was retitled, and its lead moved.
LONGEST = 200  # words


def is_template(a: Signature, b: Signature, titles: Titles, jaccard: float, *, own: bool) -> bool:
    """Of two texts that have so much in common of all their pairs of words."""
    short, long = sorted((a.words, b.words))
    if short < LEAST_LENGTH * long:
        return False
    if titles is Titles.STEP:
        return jaccard < 1
    if long > LONGEST and (a.title == b.title or titles is Titles.UNLIKE or not own):
        return False
    numbers, share = _changed(a.figures, b.figures)
    often = MORE_OFTEN * edited(jaccard)
    if numbers >= LEAST_NUMBERS and share >= max(MOST_NUMBERS, often):
        return True
    # Elsewhere another headline may name others over the same text.
    changed, share = _changed((*a.figures, *a.names), (*b.figures, *b.names))
    some = numbers if titles is Titles.UNLIKE and not own else changed
    return a.title != b.title and some > 0 and share >= max(LEAST_CHANGED, often)


def edited(jaccard: float) -> float:
    """The share of words that differ: of two words in a row both must be the same."""
    return float(1 - (2 * jaccard / (1 + jaccard)) ** 0.5)


def _changed(a: Collection[int], b: Collection[int]) -> tuple[int, float]:
    """How many the one has instead of the other's, and what share that is of the fewer."""
    one, other = set(a), set(b)
    changed = min(len(one - other), len(other - one))
    return changed, changed / min(len(one), len(other)) if changed else 0.0


# Fewer words are a caption, a status, a link: nothing to compare. Nine of ten teasers of seven news
# feeds have 13 or more; under one title less will do.
TOO_SHORT = 13
TOO_SHORT_UNDER_ONE_TITLE = 10
# Below this a text may be a teaser that stands under many titles.
TEASER = 50
# From here on a page's head and foot around the text are no great part of it.
LONG = 300

# So much below the threshold of containment one title makes up for it, and so much above it other
# titles do not matter. Edited in 30% of its words a text keeps half of its pairs of words, in 20%
# two thirds; of 1,472 pairs of different reports of one event 15 share so much as half.
LESS = 0.15
MORE = 0.15
# Short reports built on the same quotations, or in the same page's head and foot, share that much
# of the shorter one, but not this of both.
OF_BOTH = 0.5
# Of two long texts less will do. Of 685 with a fifth of the words replaced and another headline
# 161 were found without this, over 600 with it; of the reports of one event two pairs more are held
# to be one text, both of which two papers have from one agency.
MORE_OF_LONG, OF_BOTH_LONG = 0.08, 0.4
# But a short report that stands whole in such a head and foot is no half of what is there: of 86
# summaries of some 90 words, edited and retitled besides, 9 were found without this. What different
# texts share of the shorter one stays below .7.
WHOLE, WHOLE_OF_BOTH = 0.8, 0.25
# Share of all pairs of words. Below it, texts of one publisher share intros and show notes.
NEARLY = 0.95

# Below it the share of the shorter is guessed from six of 128 slots: a teaser beside a long report.
SEEN = 0.05

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The relation of a pair, None where it has none, and all that speaks for it."""

    relation: Relation | None
    evidence: tuple[Evidence, ...] = ()  # the decisive first
    # Common names would decide: judge again with `entities` of both.
    wants_entities: bool = False
    row: str = ""  # of the matrix


_NOTHING = Verdict(None)


def judge_pair(
    a: Signature, b: Signature, thresholds: Thresholds, event: Evidence | None = None
) -> Verdict:
    """Symmetric; depends on nothing but the two.

    `event` is how likely it is that both report the same event; None: nobody has compared them.
    """
    if abs(a.dated - b.dated) > thresholds.window:
        return _NOTHING
    text = fingerprint.compare(a, b, thresholds)
    heading = title.compare(a, b, thresholds)
    # The names both have make up for some of the probability, and are shown beside it.
    probability = event.score if event else 0.0
    likely = event is not None and probability >= thresholds.event_with_names
    if text is None and heading is None and not likely:
        return _NOTHING
    texts, text, jaccard = _texts(a, b, text, thresholds, under_one_title=heading is not None)
    names = entities.compare(a, b, thresholds) if likely else None
    titles, origin = _titles(a.title, b.title, alike=heading is not None), _origin(a, b)
    own = origin in (Origin.FEED, Origin.SOURCE)
    shared = len({*a.sentences} & {*b.sentences})
    facts = PairFacts(
        origin=origin,
        hours=abs(a.dated - b.dated) / _HOUR,
        titles=titles,
        swapped=swapped(a.title, b.title),
        recurring=looks_recurring(a.title) or looks_recurring(b.title),
        saying=min(informative(a.title), informative(b.title)),
        texts=texts,
        lead=text is not None and shared >= thresholds.shared_sentences,
        teaser=min(a.words, b.words) < TEASER,
        related=_related(a, b),
        template=texts >= Texts.PARTLY and is_template(a, b, titles, jaccard, own=own),
        event=likely and (probability >= thresholds.event_probability or names is not None),
    )
    row = decide(facts)
    if row.relation is None:
        unknown = (
            likely
            and not facts.event
            and (a.entities is None or b.entities is None)
            and entities.possible(a, b, thresholds)
        )
        wanted = unknown and decide(replace(facts, event=True)) is not row
        return Verdict(None, wants_entities=wanted, row=row.name)
    found = {one.layer: one for one in (text, heading, event, names) if one is not None}
    first = found.pop(row.layer)
    if row.relation is Relation.SAME_TEXT:
        first = replace(first, detail=f"{first.detail}{_diversity(a, b, origin)}")
    return Verdict(row.relation, (first, *found.values()), row=row.name)


def _related(a: Signature, b: Signature) -> bool:
    ones, others = {*a.names, *a.figures}, {*b.names, *b.figures}
    if not ones.isdisjoint(others):
        return True
    words = min(a.words, b.words)
    return words >= LONG or (words >= TEASER and not (ones and others))


def _diversity(a: Signature, b: Signature, origin: Origin) -> str:
    """Whether the text stands in independent places, as far as it says so itself."""
    if a.agency and a.agency == b.agency:
        return f"; both from {a.agency}"
    if origin is Origin.UNKNOWN:
        return ""
    return "; two sources" if origin is Origin.OTHER else "; one source"


def _origin(a: Signature, b: Signature) -> Origin:
    if a.feed_id == b.feed_id:
        return Origin.FEED
    if not a.source or not b.source:
        return Origin.UNKNOWN
    return Origin.SOURCE if a.source == b.source else Origin.OTHER


def _titles(a: str, b: str, *, alike: bool) -> Titles:
    if a_step_apart(a, b):
        return Titles.STEP
    if alike:
        return Titles.ALIKE
    return Titles.KIN if kin(a, b) else Titles.UNLIKE


def _texts(
    a: Signature,
    b: Signature,
    text: Evidence | None,
    thresholds: Thresholds,
    *,
    under_one_title: bool,
) -> tuple[Texts, Evidence | None, float]:
    """How much they share, the evidence of it, and the share of all pairs of words."""
    least = TOO_SHORT_UNDER_ONE_TITLE if under_one_title else TOO_SHORT
    if min(a.words, b.words) < least or not a.shingles or not b.shingles:
        if under_one_title and a.shingles and _origin(a, b) is Origin.FEED and _same_words(a, b):
            return Texts.NEARLY, Evidence(fingerprint.NAME, 1.0, "the same few words"), 1.0
        return Texts.UNKNOWN, None, 0.0
    if text is None and not under_one_title:
        return Texts.DIFFERENT, None, 0.0
    jaccard = minhash.jaccard(a.minhash, b.minhash)
    contained = minhash.containment(jaccard, a.shingles, b.shingles)
    if jaccard >= NEARLY and text is not None:
        return Texts.NEARLY, text, jaccard
    level = _level(contained, jaccard, min(a.words, b.words) >= LONG, thresholds)
    if text is None and level > Texts.DIFFERENT:
        detail = f"{contained:.0%} of the shorter text's pairs of words, under one title"
        text = Evidence(fingerprint.NAME, contained, detail)
    return level, text, jaccard


def _same_words(a: Signature, b: Signature) -> bool:
    return (a.words, a.simhash, a.minhash) == (b.words, b.simhash, b.minhash)


def _level(contained: float, jaccard: float, long: bool, thresholds: Thresholds) -> Texts:
    wanted = thresholds.containment
    more, of_both = (MORE_OF_LONG, OF_BOTH_LONG) if long else (MORE, OF_BOTH)
    if jaccard >= thresholds.minhash_jaccard:
        return Texts.MOSTLY
    if contained < wanted - LESS or jaccard < SEEN:
        return Texts.DIFFERENT
    if contained < wanted:
        return Texts.PARTLY
    whole = contained >= max(WHOLE, wanted) and jaccard >= WHOLE_OF_BOTH
    mostly = contained >= wanted + more and jaccard >= of_both
    return Texts.MOSTLY if whole or mostly else Texts.LARGELY
