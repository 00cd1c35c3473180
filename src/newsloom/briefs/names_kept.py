"""Whether the people of a sentence are in its translation too, and its quotations. Pure.

Names of people are written again, with other letters where need be ("Moon Jae-in", "문재인"); names
of places and bodies are translated ("Germany", "Deutschland"), so those are not compared. A person
is looked for by the sound of the consonants: what that lets pass is a name that sounds alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from anyascii import anyascii

from newsloom.summaries.checks.facts import normal, quotations

NEAR = 0.6  # of two runs of consonants
LONG = 2  # consonants that tell one name from another
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
# Letters that scripts and languages write for each other. After anyascii: Latin ones alone.
_SOUNDS = str.maketrans(
    {
        **dict.fromkeys("bpfvw", "p"),
        **dict.fromkeys("dt", "t"),
        **dict.fromkeys("cgkqx", "k"),
        **dict.fromkeys("szj", "s"),
        **dict.fromkeys("lr", "l"),
        **dict.fromkeys("mn", "n"),
        **dict.fromkeys("aeiouyh'-", ""),
    }
)


def lost(people: Iterable[str], said: str) -> str:
    """The first of them that a translation does not name; "": all are there."""
    # Where there are capitals, a name has one.
    here = [_sound(one) for one in _WORD.findall(said) if not one[0].islower()]
    return next((one for one in people if not _named(one, here)), "")


def _named(person: str, here: list[str]) -> bool:
    """By the last name, or another where that is too short to tell."""
    words = [one for one in _WORD.findall(person) if len(one) > 1]
    known = [_sound(one) for one in reversed(words)]
    telling = [one for one in known if len(one) >= LONG]
    if not telling:
        return True
    # Korean and Chinese write the names of a person as one word, the last name first.
    whole = "".join(reversed(known))
    turned = "".join(known)
    return any(_alike(one, telling[0]) or one.startswith((whole, turned)) for one in here)


def _alike(one: str, other: str) -> bool:
    """ "kim" and "김", "Macron" and "마크롱이": a particle may follow."""
    if not one:
        return False
    if one == other or (len(other) > LONG and one.startswith(other)):
        return True
    cut = one[: len(other) + 1]
    return len(one) >= LONG and SequenceMatcher(None, cut, other).ratio() >= NEAR + 0.15


def _sound(word: str) -> str:
    """Its consonants, in the order they are heard, none twice in a row."""
    found = re.sub(r"[^a-z]", "", anyascii(word).lower()).replace("ch", "s").replace("sh", "s")
    bare = found.translate(_SOUNDS)
    return re.sub(r"(.)\1+", r"\1", bare)


def requoted(original: str, said: str) -> str:
    """Why the quotations of a translation cannot be right; "": they may be."""
    had, has = len(quotations(normal(original))), len(quotations(normal(said)))
    if has > had:
        return "it quotes what the original does not"
    return "it does not quote what the original does" if has < had else ""
