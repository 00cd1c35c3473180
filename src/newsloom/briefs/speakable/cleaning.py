"""A text without what is not words: markup, controls, emoji; one way to write signs. Of any language.

What is left has single spaces, straight apostrophes, and no character that a voice would spell out
by its name.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape

# Longer "tags" are text: a bound, so that ten thousand "<" cost no more than their length.
_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]{0,400}|!--[^<>]{0,400}--|![a-zA-Z][^<>]{0,100})>")
_ENTITY = re.compile(r"&#?[a-zA-Z0-9]{1,31};")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\((?:https?:|/)[^()\s]{1,400}\)")
_EMPHASIS = re.compile(r"(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])|`{1,3}|(?<!\w)__|__(?!\w)")
# Emoji and pictographs, their modifiers and joiners, flags, arrows for decoration, box drawing.
_PICTURES = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2300-\u23ff\u25a0-\u25ff\u2500-\u259f\u2b00-\u2bff"
    "\ufe00-\ufe0f\u200d\u20e3\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)
_SPACES = re.compile(r"\s+")

# Signs with several ways to write them.
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("’‘‛ʼʹ＇`´", "'"),
        **dict.fromkeys("“”„‟〝〞＂«»‹›「」『』《》〈〉", '"'),
        **dict.fromkeys("‐‑﹣－", "-"),
        **dict.fromkeys("‒", "–"),
        **dict.fromkeys("―⸺⸻", "—"),
        **dict.fromkeys("【〔［", "["),
        **dict.fromkeys("】〕］", "]"),
        "−": "-", "⁄": "/", "∕": "/", "˚": "°", "µ": "μ", "￠": "¢", "￡": "£", "￥": "¥",
        "￦": "₩", "％": "%", "∼": "~", "〜": "~", "～": "~", "✕": "×", "✓": " ", "\xad": "",
    }
)  # fmt: skip
# What compatibility forms become: full width, ligatures, circled and small numbers, "㎢".
_KEEP = frozenset("…²³°ªº½¼¾⅓⅔⅛⅜⅝⅞™©®‰′″")
_SUPERSCRIPTS = str.maketrans("⁰¹⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01456789" + "0123456789")
_SMALL = re.compile(r"(?<=\w)[⁰¹⁴-⁹]+(?!\w)")
_FRACTIONS = {
    one: f" {unicodedata.normalize('NFKC', one).replace('⁄', '/')}" for one in "½¼¾⅓⅔⅛⅜⅝⅞"
}
_VULGAR = re.compile("[½¼¾⅓⅔⅛⅜⅝⅞]")


def cleaned(text: str) -> str:
    """The words and signs of a text, single spaces between them."""
    if not text.isascii():
        text = _plain(text)
    if "<" in text or "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
        text = _TAG.sub(" ", text)
        if not text.isascii():  # what the entities stood for
            text = _plain(text)
    text = _EMPHASIS.sub("", _LINK.sub(r"\1", text))
    return folded(_without_controls(text))


def folded(text: str) -> str:
    """Signs in one way, single spaces: also for words that are looked for in a cleaned text."""
    return _SPACES.sub(" ", text.translate(_FOLDED)).strip()


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text).translate(_FOLDED)
    text = _VULGAR.sub(lambda found: _FRACTIONS[found[0]], _PICTURES.sub(" ", text))
    # "CO₂" has its two; a footnote's "word¹" says nothing.
    text = _SMALL.sub("", text).translate(_SUPERSCRIPTS)
    return "".join(_compatible(one) for one in text)


def _compatible(one: str) -> str:
    if one < "\u0250" or one in _KEEP or unicodedata.is_normalized("NFKC", one):
        return one
    return unicodedata.normalize("NFKC", one)


def _without_controls(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _instead(one) for one in text)


def _instead(one: str) -> str:
    """Of a character that is not printed: a space for what parts words, else nothing."""
    return " " if one.isspace() or unicodedata.category(one) in {"Zs", "Zl", "Zp", "Cc"} else ""
