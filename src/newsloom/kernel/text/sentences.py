"""A text as its sentences. Knows nothing of articles.

Rules, not a model: no library that is alive splits many languages without a model of each.
"""

from __future__ import annotations

import re

from newsloom.kernel.text.characters import plain

# More is not looked at: what matters stands at the head of an article.
LONGEST_TEXT = 20_000

# Behind these a full stop ends nothing, nor behind a single capital ("U.S.", "J. K. Rowling").
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr st gen sen rep gov lt col sgt capt cpl maj rev prof pres hon jr sr messrs mt ft
    vs etc al inc ltd co corp bros dept est approx min max fig vol ed eds no nos art ca cf
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    bzw evtl ggf usw vgl nr str abs mio mrd tel dipl ing hr fr mme mlle sra dña av srta núm pág
    sig dott avv ecc gli tzn np im ul г ул тыс млн млрд руб им т д
    """.split()  # noqa: SIM905
)
_WIDE = "。！？｡"
_PARTICLES = frozenset("とはがをの")  # 「本当？」と聞いた
_END = re.compile(r"(?:(?<=[.!?…؟۔।॥])[\"'”’»)\]]*(?=\s)|(?<=[。！？｡])[」』”’）]*|\s*\n\s*)\s*")
_LAST_WORD = re.compile(r"([^\s(\[\"'“‘«]+)\.$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_CLOSING = "\"'”’»)]"
_OPENING = "\"'“‘«([¿¡-–—„"
_BLANKS = re.compile(r"\s+")


def sentences(text: str) -> tuple[str, ...]:
    """Each with its own end sign and quotes, white space as single blanks, in order."""
    found: list[str] = []
    for line in plain(text[:LONGEST_TEXT]).split("\n"):
        found += _of_line(_BLANKS.sub(" ", line).strip())
    return tuple(found)


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    begin = 0
    for end in _END.finditer(line):
        if end.end() >= len(line) or end.end() == begin:
            continue
        if _goes_on(line[begin : end.end()].rstrip(), line[end.end() :]):
            continue
        found.append(line[begin : end.end()].strip())
        begin = end.end()
    if rest := line[begin:].strip():
        found.append(rest)
    return found


def _goes_on(sentence: str, rest: str) -> bool:
    """Whether what looks like an end is none."""
    closed = sentence.rstrip(_CLOSING)
    following = rest.lstrip(_OPENING)[:1]
    if closed.endswith(tuple(_WIDE)):
        return following in _PARTICLES and closed != sentence
    # "said he", also behind a quotation that ends in a question mark
    if following.islower():
        return True
    last = _LAST_WORD.search(closed[-40:])
    if last is None:
        return False
    word = last[1].lower().rstrip(".")
    if closed != sentence and word not in _ABBREVIATIONS:
        return False
    if word in ("no", "nos", "art", "fig", "nr", "vol", "min", "max", "núm", "pág"):
        return following.isdigit()
    if word in ("etc", "al", "usw", "ecc", "jr", "sr", "inc", "ltd", "co", "corp"):
        return not following.isupper()
    if word.isdigit() and len(word) <= 2:  # "Am 3. Oktober", "1. FC"
        # German and its neighbours: "am 3. Oktober". In English a figure before a stop ends it.
        before = closed.split(" ")[-2:-1]
        return bool(before) and before[0].lower() in _BEFORE_ORDINALS
    return word in _ABBREVIATIONS or _INITIALS.fullmatch(last[1]) is not None


_BEFORE_ORDINALS = frozenset(
    "am der dem den die das vom zum im beim bis ab seit des den pro og dne od do".split()  # noqa: SIM905
)
