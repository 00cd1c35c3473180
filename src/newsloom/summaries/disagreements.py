"""Numbers of the same thing that differ between sources, named with both. Judges neither."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.digests.values import Sentence
from newsloom.summaries.ranking import Candidate, alike
from newsloom.summaries.said import placed_numbers, stem

# What is counted in news of harm has many words.
_THINGS = {
    "killed": "killed dead died dies die death deaths fatalities toll lives kills kill perished",
    "injured": "injured wounded hurt injuries injures injuring wounding",
    "arrested": "arrested detained arrests arrest detentions custody",
    "missing": "missing unaccounted",
    "displaced": "evacuated displaced fled homeless evacuations",
}
_THING = {word: thing for thing, listed in _THINGS.items() for word in listed.split()}
_WORD = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(r"[,;:.!?()\"“”]|\b(?:and|but|while|und|et|y)\b")
_PEOPLE = frozenset("people persons person others victims civilians".split())  # noqa: SIM905
_TIMES = frozenset(
    """
    january february march april may june july august september october november december years
    year days day hours hour minutes months month weeks week times am pm percent
    """.split()  # noqa: SIM905
)
# Numbers further apart than this are not of the same thing.
APART = 3.0
# The sentences must be about the same.
ABOUT = 0.34
_AROUND = 5  # words on both sides that may say what is counted


@dataclass(frozen=True, slots=True)
class _Claim:
    thing: str
    value: float
    words: str  # as the article has it
    said: Candidate


def harm(words: Iterable[str]) -> set[str]:
    """What words tell of harm, whatever they are: "dead" and "killed" are the same."""
    return {_THING[word] for word in words if word in _THING}


def disagreements(found: Sequence[Candidate]) -> list[Sentence]:
    """One sentence for each thing that two owners give other numbers of; the first found first."""
    claims: dict[str, list[_Claim]] = defaultdict(list)
    for one in found:
        for claim in _claims(one):
            claims[claim.thing].append(claim)
    return [_named(pair) for listed in claims.values() if (pair := _differing(listed))]


def _claims(one: Candidate) -> list[_Claim]:
    claims = []
    for value, begin, end in placed_numbers(one.text):
        if 1900 <= value <= 2100 and value == int(value) and end - begin == 4:
            continue
        if thing := _thing(one.text, begin, end):
            claims.append(_Claim(thing, value, _clause(one.text, begin, end), one))
    return claims


def _thing(text: str, begin: int, end: int) -> str:
    """What a number counts: the harm done near it, else the words right behind it."""
    behind = _BREAK.split(text[end : end + 60], maxsplit=1)[0]
    before = _BREAK.split(text[max(begin - 60, 0) : begin])[-1]
    after = [word.casefold() for word in _WORD.findall(behind)][:_AROUND]
    earlier = [word.casefold() for word in _WORD.findall(before)][-_AROUND:]
    if after[:1] and after[0] in _TIMES:
        return ""
    for word in (*after, *reversed(earlier)):
        if word in _THING:
            return _THING[word]
    kept = [stem(word) for word in after[:2] if word not in _PEOPLE]
    return " ".join(kept) if len(kept) == 2 else ""


def _clause(text: str, begin: int, end: int) -> str:
    """Some words around a number, as they stand."""
    before = _BREAK.split(text[:begin])[-1].split()[-3:]
    behind = _BREAK.split(text[end:], maxsplit=1)[0].split()[:4]
    return " ".join([*before, text[begin:end], *behind])


def _differing(claims: Sequence[_Claim]) -> tuple[_Claim, _Claim] | None:
    """The first two claims of two owners who share no number of this thing."""
    values: dict[str, set[float]] = defaultdict(set)
    for one in claims:
        values[one.said.article.owner].add(one.value)
    for place, one in enumerate(claims):
        for other in claims[place + 1 :]:
            if _differ(one, other) and values[one.said.article.owner].isdisjoint(
                values[other.said.article.owner]
            ):
                return one, other
    return None


def _differ(one: _Claim, other: _Claim) -> bool:
    low, high = sorted((one.value, other.value))
    return (
        one.said.article.owner != other.said.article.owner
        and 0 < low < high <= APART * low
        and alike(one.said.says, other.said.says) >= ABOUT
    )


def _named(pair: tuple[_Claim, _Claim]) -> Sentence:
    said = " and ".join(f"“{one.words}” ({one.said.article.publisher[:60]})" for one in pair)
    ids = tuple(one.said.article.id for one in pair)
    return Sentence(f"Sources differ: {said}.", ids, disagrees=True)
