"""Numbers of the same harm that differ between sources, named with both. Judges neither.

Deaths, injuries, arrests, people missing or displaced, and nothing else: of other numbers that were
taken for one thing seven in ten were of two (docs/work/decisions/delivery.md).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from newsloom.digests.values import Sentence
from newsloom.summaries.ranking import Candidate, alike
from newsloom.summaries.said import placed_numbers

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
_BREAK = re.compile(r"[,;:!?()\"“”]|\.(?!\d)|\b(?:and|but|while|und|et|y)\b")
_TIMES = frozenset(
    """
    january february march april may june july august september october november december years
    year days day hours hour minutes months month weeks week times am pm percent
    """.split()  # noqa: SIM905
)
# Numbers further apart than this are not of the same thing; nearer ones may be one, if either is
# "nearly" or "more than" it.
APART, ROUNDED = 3.0, 1.15
# Tolls rise: what was published later is news, and no other view.
MEANWHILE = timedelta(days=1)
_ABOUT = re.compile(
    r"\b(?:more than|over|nearly|about|almost|approach\w*|around|roughly|some|up to|as many as"
    r"|approximately|close to|fewer than|less than)\b",
    re.IGNORECASE,
)
# Not a count, or of a part, of what may be, of another day or another event.
_NO_COUNT = re.compile(r"%|\bper ?cent\b|\bdozens?\b|\bmore (?!than)\w+", re.IGNORECASE)
_ELSE = re.compile(
    r"\binclud\w+ (?:the |a |one )?(?:\w+ )?(?:gunm[ae]n|shooters?|assailants?|attackers?|bombers?"
    r"|suspects?|drivers?|perpetrators?)"
    r"|\b(?:project\w*|could|may|might|would|estimat\w*|brace|forecast\w*|predict\w*|fear\w*"
    r"|expect\w*|if|since|most of|of (?:the|those)|among|first|previous\w*|another|other)\b"
    r"|\bdeath (?:sentence|penalty|row|threat|certificate|rate)s?\b|\d ?[-–] ?\d"  # "won 27-24"
    r"|\b(?:19|20)\d\d\b|\b(?:last|previous|earlier|past) (?:month|year|week)"
    r"|\b(?:weeks?|months?|years?|decades?) (?:ago|after|earlier|before|later)\b",
    re.IGNORECASE,
)
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
    if _ELSE.search(one.text):
        return []
    claims = []
    for value, begin, end in placed_numbers(one.text):
        words, thing = _clause(one.text, begin, end), _thing(one.text, begin, end)
        if thing and not _NO_COUNT.search(words):
            claims.append(_Claim(thing, value, words, one))
    return claims


def _thing(text: str, begin: int, end: int) -> str:
    """The harm that is done near a number; "" for none."""
    behind = _BREAK.split(text[end : end + 60], maxsplit=1)[0]
    before = _BREAK.split(text[max(begin - 60, 0) : begin])[-1]
    after = [word.casefold() for word in _WORD.findall(behind)][:_AROUND]
    earlier = [word.casefold() for word in _WORD.findall(before)][-_AROUND:]
    if after[:1] and after[0] in _TIMES:
        return ""
    return next((_THING[one] for one in (*after, *reversed(earlier)) if one in _THING), "")


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
    if high <= ROUNDED * low and (_ABOUT.search(one.words) or _ABOUT.search(other.words)):
        return False
    return (
        one.said.article.owner != other.said.article.owner
        and 0 < low < high <= APART * low
        and abs(one.said.article.published - other.said.article.published) <= MEANWHILE
        and alike(one.said.says, other.said.says) >= ABOUT
    )


def _named(pair: tuple[_Claim, _Claim]) -> Sentence:
    said = " and ".join(f"“{one.words}” ({one.said.article.publisher[:60]})" for one in pair)
    ids = tuple(one.said.article.id for one in pair)
    return Sentence(f"Sources differ: {said}.", ids, disagrees=True)
