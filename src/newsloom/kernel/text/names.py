"""What looks like a name in a headline and its lead, by capital letters. No model, no types.

Cheap enough for every article; articles/entities/finder.py looks closer at the few that need it.
Scripts without capitals (Arabic, Chinese, Georgian, Hindi) give no names at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Words that are capitalised without being names, or before names.


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Capitalised at the head of a sentence, and never the first word of a name that is worth it.
FUNCTION = _set(
    """a about according after all also amid among an and another any are around as at be because
    been before being both but by can could despite did do does during each even ever every few
    for former from had has have he her here his how however i if in inside instead into is it its
    just last like many may meanwhile more most much my near new next no nor not now of off on
    once one only or other our out outside over per she should since so some still such than that
    the their them then there these they this those though three through to today tomorrow two
    under until up upon was watch we were what when where whether which while who whose why will
    with within without would yesterday yet you your
    das dem den der des die ein eine einem einen einer er es für im in ist mit nach nicht sie so
    und von vor war was wenn wer wie wir zu zum zur auch aber als am an auf aus bei bis nur
    au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur mais nous on
    ou où par pas pour qui sans se ses son sur un une vous
    con como de del desde el ella en es esta este la las los no para pero por que se sin sobre su
    sus tras un una y ao com da das do dos e ela ele em mas na nas não no nos o os para pela pelo
    por que se sem seu sua um uma che chi con dal dalla degli dei della delle di gli i il lo nel
    nella non per più sono sul tra"""
)
# They change from source to source; what they stand before does not.
TITLES = _set(
    """mr mrs ms miss dr sir lord lady sen senator rep representative congressman congresswoman gov
    governor gen general lt col colonel capt captain sgt rev prof professor pres president vice
    prime minister premier chancellor secretary king queen prince princess pope judge justice mayor
    chief ceo chairman chairwoman herr frau président ministre presidente attorney director speaker
    leader deputy former sheriff commissioner spokesman
    spokeswoman jr"""
)
CALENDAR = _set(
    """monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january
    february march april may june july august september october november december jan feb mar apr
    jun jul aug sept sep oct nov dec"""
)

# Inside names, never at their end.
PARTICLES = _set("of the de del della di da do dos du van von bin ibn al & la los der den")

# The few of which the news uses both forms every day. As written: "us" is a word.
ALIASES = {
    "US": "united states",
    "USA": "united states",
    "America": "united states",
    "United States of America": "united states",
    "UK": "united kingdom",
    "Britain": "united kingdom",
    "Great Britain": "united kingdom",
    "EU": "european union",
    "UN": "united nations",
    "Republicans": "republican",
    "GOP": "republican",
    "Democrats": "democratic",
}

# Last words of names that stand in one news article of a hundred or more, whatever it is about.
# Counted in 9,168 American ones; names that a few years bring and take away are left out.
GENERIC = _set(
    """states house republican republicans democratic democrats democrat senate congress american
    americans washington court department news committee york act times party state government
    administration"""
)


MOST = 12  # names of one article

# Longer than any headline, and than a lead ever is: what comes after is not looked at.
_TITLE_CHARACTERS = 400
_LEAD_CHARACTERS = 2_000
_NAME_CHARACTERS = 80  # longer ones are no names

# Capitals of the scripts that have them in running text; Georgian's stand in headlines only.
_UPPER = "".join(
    letter
    for code in (*range(0x41, 0x590), *range(0x1E00, 0x2000))
    if (letter := chr(code)).isupper() or letter.istitle()
)
# A word with a capital, initials ("J.K.", "U.S."), or an abbreviation whose point ends no sentence.
_WORD = (
    rf"[{_UPPER}](?:(?:r|rs|s|t|en?|ov|ep|ol|gt|rof)\.|(?:\.[{_UPPER}])*\.(?!\w)|\w*(?:['’&-]\w+)*)"
)
_LINK = "(?:of|de|del|della|di|da|do|dos|du|van|von|bin|ibn|al|&)(?: (?:the|la|los|der|den))? "
_RUN = re.compile(rf"(?<!\w){_WORD}(?: (?:{_LINK}|al-|el-)?{_WORD})*")
_LONG_WORD = re.compile(r"\w{4,}")
_ANY_WORD = re.compile(r"\w+")
_PARTING = TITLES | CALENDAR
_POSSESSIVES = ("'s", "’s", "s'", "s’")
_SENTENCE_ENDS = frozenset(".!?:…\"“”«»„‘’'(•|—–-\n")


def likely_names(title: str, lead: str) -> tuple[str, ...]:
    """At most `MOST` names, those of the most words first, then the longest, then by alphabet.

    The order depends on the names alone, so that two articles choose alike.
    """
    title = _normal(title[:_TITLE_CHARACTERS])
    names: set[str] = set()
    first: set[str] = set()  # single words at the head of a sentence
    _collect(_normal(lead[:_LEAD_CHARACTERS]), names, first)
    if _shouted(title):
        names |= _known(title, names)
    else:
        _collect(title, names, first)
    if first:
        names |= first & {word for name in names for word in name.split()}
    # "merkel" beside "angela merkel" is no second name.
    names -= {name.rpartition(" ")[2] for name in names if " " in name}
    return tuple(sorted(names, key=lambda name: (-name.count(" "), -len(name), name))[:MOST])


def last_words(names: Iterable[str]) -> tuple[str, ...]:
    """Each once: what "Joe Biden" here and "Biden" there have in common."""
    return tuple(dict.fromkeys(name.rpartition(" ")[2] for name in names))


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _collect(text: str, names: set[str], first: set[str]) -> None:
    for match in _RUN.finditer(text):
        run = match.group()
        if " " in run:
            names.update(_parts(run))
        else:
            (first if _begins(text, match.start()) else names).update(_parts(run))


def _begins(text: str, place: int) -> bool:
    before = text[max(place - 2, 0) : place].rstrip(" \t")
    return not before or before[-1] in _SENTENCE_ENDS


# The news of a day is about few: most runs were met before.
@lru_cache(maxsize=8_192)
def _parts(run: str) -> tuple[str, ...]:
    """The names of a run, parted by titles and days, and behind a possessive."""
    names: list[str] = []
    words: list[str] = []
    for word in run.split(" "):
        bare = word.rstrip(".").lower()
        # "Juncker of the Commission" is two names, "Bank of Scotland" is one.
        far = bare == "of" and len(words) != 1
        if far or bare in _PARTING or (not words and bare in FUNCTION):
            _close(words, names)
        elif word.endswith(_POSSESSIVES):
            words.append(word[:-2] if word[-1] == "s" else word[:-1])
            _close(words, names)
        else:
            words.append(word)
    _close(words, names)
    return tuple(names)


def _close(words: list[str], names: list[str]) -> None:
    """End a name: one form of what has two, without the particles left at its end."""
    while words and words[-1] in PARTICLES:
        words.pop()
    if words:
        written = " ".join(words).replace(".", "")
        name = ALIASES.get(written) or written.casefold()
        if 1 < len(name) <= _NAME_CHARACTERS and not name.isdigit():
            names.append(name)
        words.clear()


def _shouted(title: str) -> bool:
    """Whether capitals say nothing in this title: nearly all its long words have one."""
    words = _LONG_WORD.findall(title)
    if len(words) < 3:
        return title.isupper()
    return sum(map(str.islower, words)) <= 0.25 * len(words)


def _known(title: str, names: set[str]) -> set[str]:
    """Neighbouring words of a title that the lead writes as names."""
    sure = {word for name in names for word in name.split()}
    found: set[str] = set()
    run: list[str] = []
    for word in [*_ANY_WORD.findall(title.casefold()), ""]:
        if word in sure:
            run.append(word)
        elif run:
            found.add(" ".join(run))
            run = []
    return found
