"""Text as search, rules and names compare it, and the words that a search index holds. Pure.

Two spellings that people take for one fold to one text: case, accents, full-width and half-width
forms, hiragana and katakana, ß and ss, ł and l, œ and oe, every apostrophe and every hyphen.

The index of SQLite is kept in step by triggers that call `index_text`: what it gives for a text may
only change together with a migration that builds the index again.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from newsloom.kernel.text.characters import plain

# Scripts that put no spaces between words, and Hangul, whose words take endings.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109d\u1100-\u11ff\u1780-\u17d3"
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Vowel signs and the like, which \w leaves out, of scripts that need them.
_SIGNS = "\u07a6-\u07b0\u0900-\u0963\u0971-\u0df3\u0f18-\u0f39\u0f71-\u0f84\u0f90-\u0fbc"
_WORD = re.compile(rf"[\w{UNSPACED}{_SIGNS}]+")
_RUN = re.compile(f"[{UNSPACED}]+|[^{UNSPACED}]+")
_BETWEEN = re.compile(rf"[^\w\x00-\x7f{_SIGNS}\u241f]+")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
# Of a long word without a hyphen nothing is tried twice.
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:-[^\W_]++)+")

# Accents, points and vowel marks that people leave out, joiners, and the Arabic lengthening. The
# breve of й is none: that is a letter of its own.
_MARKS = re.compile(
    "[\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]"
    "|(?<!\u0438)\u0306"
)
_LETTERS = {
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i",
    "þ": "th", "æ": "ae", "œ": "oe", "ي": "ی", "ى": "ی", "ك": "ک",
    **dict.fromkeys("‘’‚‛ʼʹʻ′", "'"), **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\u05be", "-"),
    **{chr(one): chr(one - 0x60) for one in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)},
    **{chr(zero + digit): str(digit) for zero in (0x660, 0x6F0, 0x966) for digit in range(10)},
}  # fmt: skip
_SPELLED = re.compile(f"[{''.join(map(re.escape, _LETTERS))}]+")
_TABLE = str.maketrans(_LETTERS)

# Between a text and the compounds that follow it, so that no phrase goes on from one to the other.
_GAP = "\u241f"
# Words before and after a compound that are indexed with it, looked for in so many characters.
_AROUND, _NEAR = 4, 120

# Bytes of a word; PostgreSQL takes 2,046.
LONGEST = 2_000


def fold(text: str) -> str:
    """A text as it is compared. White space and punctuation stay."""
    text = plain(text)
    if text.isascii():
        return text.lower()
    # NFKC makes a space and an accent of the accent that some type for an apostrophe.
    text = unicodedata.normalize("NFKC", text.replace("\u00b4", "'")).casefold()
    text = _MARKS.sub("", unicodedata.normalize("NFD", text))
    text = unicodedata.normalize("NFC", text)
    return _SPELLED.sub(lambda found: found[0].translate(_TABLE), text)


def without_hyphens(folded: str) -> str:
    """The same with the words that have hyphens in them written as one: "e-mail" as "email"."""
    if "-" not in folded:
        return folded
    return _COMPOUND.sub(lambda found: found[0] if _is_date(found) else _joined(found), folded)


def index_words(text: str) -> list[str]:
    """The words of a text in their order, then those of its compounds, among their neighbours.

    Of a script without spaces every two neighbours are a word, and so is the last character of a
    run: a phrase of such pairs finds any part of the run.
    """
    folded = fold(text)
    return [*_split(folded), *_compounds(folded)]


def index_text(text: str) -> str:
    """The same as a text, for an index that parts words at ASCII punctuation by itself."""
    folded = text if text.isascii() else fold(text)
    if _has_unspaced(folded):
        return " ".join(index_words(text))
    if compounds := _compounds(folded):
        folded = " ".join((folded, *compounds))
    return folded if folded.isascii() else _BETWEEN.sub(" ", folded)


def _compounds(folded: str) -> list[str]:
    """Words with hyphens in them as one word, with a few words before and after, each stretch
    behind a gap: who looks for "email lists" finds "e-mail lists"."""
    if "-" not in folded:
        return []
    words: list[str] = []
    end = 0
    for found in _COMPOUND.finditer(folded):
        if not _is_date(found):
            words += _between(folded[end : found.start()], first=not words)
            words += _split(_joined(found))
            end = found.end()
    return [*words, *_first(folded[end : end + _NEAR + 1])] if words else []


def _between(text: str, *, first: bool) -> list[str]:
    """The words near the compound behind it and, unless that is the first, the one before it."""
    if not first and len(text) <= _NEAR and len(words := _split(text)) <= 2 * _AROUND:
        return words
    return [*([] if first else _first(text)), _GAP, *_last(text)]


def _first(text: str) -> list[str]:
    words = _split(text[:_NEAR])
    cut = len(text) > _NEAR and len(words) <= _AROUND
    return words[:-1] if cut else words[:_AROUND]


def _last(text: str) -> list[str]:
    words = _split(text[-_NEAR:])
    cut = len(text) > _NEAR and len(words) <= _AROUND
    return words[1:] if cut else words[-_AROUND:]


def _joined(compound: re.Match[str]) -> str:
    return compound[0].replace("-", "")


def _is_date(compound: re.Match[str]) -> bool:
    return _joined(compound).isdecimal()


class Phrase(NamedTuple):
    """Words of an index that stand together; the last may be only the beginning of one."""

    words: tuple[str, ...]
    prefix: bool = False


NOTHING = Phrase((2 * _GAP,))  # in no text


def phrases(typed: str, *, prefix: bool = False) -> tuple[Phrase, ...]:
    """What finds a word or phrase as someone typed it, each of them; empty if it has no word."""
    folded = fold(typed)
    spellings = dict.fromkeys((folded, without_hyphens(folded)))
    found = (_phrase(one, prefix) for one in spellings)
    return tuple(one for one in found if one.words)


def last_run(typed: str) -> str:
    """What it ends in of a script without spaces: that is found anywhere in a run, and a single
    character as the beginning of a pair."""
    pieces = _pieces(fold(typed))
    return pieces[-1] if pieces and _is_unspaced(pieces[-1]) else ""


def _phrase(folded: str, prefix: bool) -> Phrase:
    pieces, words = _pieces(folded), _split(folded)
    if pieces and _is_unspaced(pieces[-1]):
        prefix = len(pieces[-1]) == 1
        words = words if prefix else words[:-1]
    return Phrase(tuple(words), prefix)


def _pieces(folded: str) -> list[str]:
    """Words, and runs of a script without spaces."""
    words = _WORD.findall(folded.replace("_", " "))
    if not _has_unspaced(folded):
        return words
    return [piece for word in words for piece in _RUN.findall(word)]


def _split(folded: str) -> list[str]:
    """The words of an index."""
    pieces = _pieces(folded)
    if not _has_unspaced(folded) and max(map(len, pieces), default=0) * 4 <= LONGEST:
        return pieces
    return [word for piece in pieces for word in _parted(piece)]


def _has_unspaced(folded: str) -> bool:
    return not folded.isascii() and _IS_UNSPACED.search(folded) is not None


def _parted(piece: str) -> list[str]:
    if _is_unspaced(piece):
        return [piece[at : at + 2] for at in range(len(piece))]
    if len(piece) * 4 > LONGEST:
        return [piece.encode()[:LONGEST].decode(errors="ignore")]
    return [piece]


def _is_unspaced(piece: str) -> bool:
    return piece[0] >= "\u0e01" and _IS_UNSPACED.match(piece) is not None
