"""Words and phrases in texts, as a person means them: whole words in any spelling. Pure.

Compared is what kernel/text/folding.py makes of both, with runs of white space as one space. A
match must begin and end where a word does:

- scripts with spaces (Latin, Cyrillic, Arabic, Devanagari ...): between a character of a word and
  one that is none, or is of another of these kinds of script;
- Korean: the same where it begins; where it ends, particles may follow ("삼성" is in "삼성이");
- Han, kana, Thai, Lao, Khmer, Burmese write no spaces: anywhere.

A star says that the word may go on there: "elect*", "*minister".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from newsloom.kernel.errors import UserError
from newsloom.kernel.text.folding import fold, without_hyphens

# Of one condition. Nobody types more; each is looked for in every article.
MOST_WORDS = 300
LONGEST_WORD = 200

_NONE, _UNSPACED, _HANGUL, _SPACED = range(4)
_UNSPACED_NAMES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "BOPOMOFO")
_HANGUL_NAMES = ("HANGUL",)
_COMMAS = re.compile(r"[,\n\r，、;；]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A folded word or phrase; `before` and `after`: its first and last word may be part of one."""

    text: str
    before: bool = False
    after: bool = False

    def within(self, text: str) -> bool:
        """Whether a folded text has it."""
        wanted, start = self.text, text.find(self.text)
        while start >= 0:
            end = start + len(wanted)
            begins = self.before or start == 0 or not _goes_on(text[start - 1], wanted[0])
            if begins and (self.after or end == len(text) or not _goes_on(wanted[-1], text[end])):
                return True
            start = text.find(wanted, start + 1)
        return False


def folded(text: str) -> str:
    """A text as it is compared."""
    return " ".join(fold(text).split())


def searched(text: str) -> str:
    """A text in which phrases are looked for: also without the hyphens in its words, on a line of
    its own, for no phrase has a line's end in it."""
    found = folded(text)
    joined = without_hyphens(found)
    return found if joined == found else f"{found}\n{joined}"


def listed(value: str) -> tuple[str, ...]:
    """What a person wrote with commas or on lines, each once. Raises UserError."""
    found = tuple(dict.fromkeys(" ".join(one.split()) for one in _COMMAS.split(value)))
    found = tuple(one for one in found if one)
    if len(found) > MOST_WORDS:
        raise UserError(f"A condition can have at most {MOST_WORDS} words or phrases.")
    for one in found:
        if len(one) > LONGEST_WORD:
            raise UserError(f"{one[:40]!r}... is longer than {LONGEST_WORD} characters.")
    return found


def phrases(value: str) -> tuple[Phrase, ...]:
    """The words and phrases of a condition. Raises UserError where there is none."""
    found = tuple(phrase for one in listed(value) for phrase in _phrases(one))
    if not found:
        raise UserError("Enter at least one word.")
    return found


def _phrases(written: str) -> Iterator[Phrase]:
    """As it is written, and without the hyphens in its words."""
    text = folded(written.strip("*"))
    if not text:
        raise UserError(f"{written!r:.40} contains no word.")
    for one in dict.fromkeys((text, without_hyphens(text))):
        after = written.endswith("*") or _kind(one[-1]) == _HANGUL
        yield Phrase(one, written.startswith("*"), after)


def _goes_on(left: str, right: str) -> bool:
    """Whether two neighbours are of one word."""
    kind = _kind(left)
    return kind in (_SPACED, _HANGUL) and kind == _kind(right)


@lru_cache(maxsize=4096)
def _kind(sign: str) -> int:
    """What kind of script a character is of; of none what is no part of words."""
    if unicodedata.category(sign)[0] not in "LMN" and sign != "_":
        return _NONE
    name = unicodedata.name(sign, "")
    if name.startswith(_UNSPACED_NAMES) or sign == "々":
        return _UNSPACED
    return _HANGUL if name.startswith(_HANGUL_NAMES) else _SPACED
