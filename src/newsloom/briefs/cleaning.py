"""Sentences of sources made fit to be heard, and the form in which they are found again. Pure.

What is taken off stands around a sentence, not in it: datelines, marks of agencies, short brackets
("(CDU)", "(47)", "[sic]"), the publisher behind a headline. A sentence is never cut inside.
"""

from __future__ import annotations

import re
import unicodedata

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.headlines import without_publisher
from newsloom.summaries.boilerplate import tells_nothing, unbalanced
from newsloom.summaries.checks.facts import normal
from newsloom.summaries.checks.orders import gives_orders, to_the_reader
from newsloom.summaries.said import length

# "LONDON (AP) - ", "Berlin (dpa/tmn) – ", "(Reuters) - ", "WASHINGTON, Feb 3 (Reuters) - ",
# "(서울=연합뉴스) 김철수 기자 = "
_DATELINE = re.compile(
    r"^(?:[^\W\d_][^()\n:]{0,60}?\s*)?\([^()\n]{2,40}\)(?:\s*[가-힣]{2,4}(?:\s[가-힣]{1,6})?)?"
    r"\s*(?:[-‐-―−=:]+|\.[-–—]+)\s*"
    # "LONDON — ", "SAN FRANCISCO, Calif. - "
    r"|^[A-ZÀ-Ý][A-ZÀ-Ý. ]{2,30}(?:,\s[\w. ]{2,20})?(?:\s+[-–—]{1,2}|:)\s+"
    # "Nairobi -- ", "Geneva — ", before a capital
    r"|^[A-ZÀ-Ý][^\W\d_]{2,20}(?:\s[A-ZÀ-Ý][^\W\d_]{2,20})?\s+(?:--|[–—])\s+(?=[A-ZÀ-Ý])"
)
_SHORT_BRACKET = re.compile(
    r"\s*(?:\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|（[^（）]{0,30}）|【[^【】]{0,30}】)"
)
SHORT = 5  # words of what a bracket holds and is not spoken
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*$")
_ANY_BRACKET = re.compile(r"[()\[\]{}<>|\\^`*_#~（）【】]|https?:|www\.|\S@\S")
_NOT_WORDS = re.compile(r"[\W_]+")
_LISTING = re.compile(r"^(?:[-•·*–—▪►→]+|\(?\d{1,2}[.)])\s+")
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?])")
LONGEST_TITLE = 30  # words


def _bracket(found: re.Match[str]) -> str:
    return "" if length(found[0].strip(" ()[]（）【】")) <= SHORT else found[0]


def without_brackets(text: str) -> str:
    """Without what stands in short brackets."""
    return _SPACE_BEFORE.sub(r"\1", _SHORT_BRACKET.sub(_bracket, text)).strip()


def spoken(sentence: str) -> str:
    """A sentence of a source as it is spoken; "" for one that is better left out."""
    text = _LISTING.sub("", _DATELINE.sub("", plain(sentence).strip(), count=1))
    # Again: "[Capital FM] Nairobi -- " has one behind a bracket.
    text = _DATELINE.sub("", " ".join(without_brackets(text).split()), count=1)
    if not text or _ANY_BRACKET.search(text) or unbalanced(text) or tells_nothing(text):
        return ""
    if gives_orders(sentence) or to_the_reader(normal(text)):
        return ""
    # Not from the middle of one: with a capital, a figure, a quotation, or a script without them.
    first = text.lstrip("\"'“‘«„¿¡「『")[:1]
    begins = bool(first) and not first.islower() and (first.isalnum() or first in "$€£¥₩")
    return text if begins else ""


def spoken_title(title: str, publishers: tuple[str, ...]) -> str:
    """A headline as a sentence; "" for one that is better left out."""
    text = " ".join(without_publisher(plain(title), publishers).split())
    text = without_brackets(text).replace(" | ", ", ")
    if not text or length(text) > LONGEST_TITLE or length(text) < 2 or gives_orders(title):
        return ""
    if _ANY_BRACKET.search(text) or text.count('"') % 2 or not any(map(str.isalpha, text)):
        return ""
    text = text.rstrip(" ,;:-–—…")
    return text if _ENDS.search(text) else f"{text}."


def bare(text: str) -> str:
    """The form in which a sentence is looked for in its source: words alone, short brackets left
    out, one form of each letter, no case."""
    one_form = unicodedata.normalize("NFKC", without_brackets(" ".join(plain(text).split())))
    return f" {_NOT_WORDS.sub(' ', one_form.casefold()).strip()} "


# Of what is said to tell two of one name apart, and of hosts, nothing is spoken.
_BESIDE = re.compile(r"\s*\(([^()]*)\)$")
_ODD = re.compile(r"https?:|www\.|[<>{}\[\]\\^`*_#~@\"“”«»|]|\.\w+\)$")
LONGEST = 6  # words


def spoken_name(publisher: str, source: str) -> str:
    """The name of a publisher (articles/publishers.py), if that can be spoken; else the domain."""
    name = " ".join(_BESIDE.sub("", plain(publisher)).split())
    if _ODD.search(publisher) or gives_orders(publisher) or not any(map(str.isalpha, name)):
        return source
    return name if len(name.split()) <= LONGEST and len(name) <= 60 else source
