"""Layer 5: the same people, organisations, places and dates within a day. Recognises none.

Kinds are not compared: a finder of names is surer of a name than of its kind, and one name is a
place in one report and a team in the next. docs/work/quality.md has the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from itertools import combinations
from string import capwords

import numpy as np

from newsloom.duplicates.packed import Signature
from newsloom.duplicates.values import Evidence, Thresholds
from newsloom.duplicates.words import hash_words, sequences
from newsloom.kernel.text.names import FUNCTION, GENERIC

NAME = "entities"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)

# Names whose pairs are the keys: six pairs on two days, 7 to 9 keys an article on average. They
# find half to seven tenths of what the layer would accept; pairs of all names (14 to 22 keys) four
# fifths and more. In dated news the four least hashes find a tenth more than the four rarest kinds.
_CHOSEN = 4
# Common names that are no dates: weekdays alone are no event.
_LEAST_NAMED = 2
_SHOWN = 3  # names in the words of the evidence
_LETTERS = 3  # of a word of a title that says something

_BITS = (1 << 64) - 1


def keys(signature: Signature) -> frozenset[int]:
    """Pairs of its names with the days it may share: two articles a day apart meet on one."""
    return _keys(_chosen(signature.names), _day(signature))


@lru_cache(maxsize=8_192)
def _keys(names: frozenset[int], day: int) -> frozenset[int]:
    pairs = combinations(sorted(names), 2)
    return frozenset(_hashed(a, b, one) for a, b in pairs for one in (day, day + 1))


def _hashed(a: int, b: int, day: int) -> int:
    """The names are hashes already: mixing them takes a fifth of the time of hashing again."""
    mixed = (a * 0x9E3779B97F4A7C15 + b * 0xC2B2AE3D27D4EB4F + day * 0x165667B19E3779F9) & _BITS
    mixed = ((mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9) & _BITS
    return (mixed ^ mixed >> 32) - (1 << 63)


def _day(signature: Signature) -> int:
    return (signature.dated - _EPOCH) // _DAY


@lru_cache(maxsize=8_192)
def _chosen(names: tuple[int, ...]) -> frozenset[int]:
    return frozenset(sorted(set(names) - _generic())[:_CHOSEN])


@cache
def _generic() -> frozenset[int]:
    """Hashed as duplicates/signing.py hashes names."""
    found = hash_words(sorted(GENERIC))
    hashes = sequences(found.hashes, found.first[:-1], found.first[1:])
    return frozenset(hashes.view(np.int64).tolist())


def possible(a: Signature, b: Signature, thresholds: Thresholds) -> bool:
    """Whether looking for their entities is worth it: all that `compare` asks without them."""
    return (
        abs(a.dated - b.dated) <= thresholds.entity_span
        and len(_chosen(a.names) & _chosen(b.names)) > 1
        and abs(_day(a) - _day(b)) <= 1  # else no common key
        and len(_saying(a.title) & _saying(b.title)) >= thresholds.entity_title_words
    )


@lru_cache(maxsize=8_192)
def _saying(title: str) -> frozenset[str]:
    """The words of a title that say something."""
    return frozenset(
        word for word in title.split() if len(word) >= _LETTERS and word not in FUNCTION
    )


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two articles report one event: nearly all names in common within a day."""
    if a.entities is None or b.entities is None or not possible(a, b, thresholds):
        return None
    left, right = same_names(a.entities, b.entities)
    common = left & right
    fewer = min(len(left), len(right))
    named = common - {one.partition(":")[2] for one in a.entities if one.startswith("date:")}
    if len(common) < thresholds.entity_common or len(named) < _LEAST_NAMED:
        return None
    # The shorter lead counts: a fuller one may well name more. Of all names of both, .6 is right as
    # often as .8 of the fewer, and finds two fifths to four fifths of the pairs.
    share = len(common) / fewer
    if share < thresholds.entity_overlap:
        return None
    shown = sorted(named, key=lambda name: (-name.count(" "), name))[:_SHOWN]
    more = ", ..." if len(common) > len(shown) else ""
    detail = f"{len(common)} of {fewer} names in common ({', '.join(map(capwords, shown))}{more})"
    return Evidence(NAME, share, f"{detail}, {abs(a.dated - b.dated) / _HOUR:.0f} h apart")


def same_names(a: Iterable[str], b: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Both without kinds, and in one form where either has several: "biden" is "joe biden"."""
    left, right = ({_bare(one) for one in names} for names in (a, b))
    form = _forms(left | right)
    return (
        frozenset(form.get(one, one) for one in left),
        frozenset(form.get(one, one) for one in right),
    )


def _bare(entity: str) -> str:
    """Without its kind, and without initials inside: "donald trump" and "donald j trump"."""
    first, *rest = entity.partition(":")[2].split(" ")
    inside = [word for word in rest[:-1] if len(word) > 1]
    return " ".join([first, *inside, *rest[-1:]])


def _forms(names: set[str]) -> dict[str, str]:
    """A last name, or initials, to the whole name where only one can be meant."""
    whole: dict[str, set[str]] = defaultdict(set)
    for name in names:
        parts = name.split(" ")
        if len(parts) > 1:
            whole[parts[-1]].add(name)
            whole["".join(part[0] for part in parts if part not in FUNCTION and part)].add(name)
    return {
        short: next(iter(found))
        for short in names
        if " " not in short and len(found := whole.get(short, set())) == 1
    }
