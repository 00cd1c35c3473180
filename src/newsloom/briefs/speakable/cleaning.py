"""A text without what is not words: markup, controls, emoji; one way to write signs. Of any language.

What is left has single spaces, straight apostrophes, and no character that a voice would spell out
by its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
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
    if not text.isprintable():
        text = "".join(one if one.isprintable() else _instead(one) for one in text)
    return folded(text)


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


def _instead(one: str) -> str:
    """Of a character that is not printed: a space for what parts words, else nothing."""
    return " " if one.isspace() or unicodedata.category(one) in {"Zs", "Zl", "Zp", "Cc"} else ""


# Addresses of the web and of mail, names of accounts and tags, said by name. Of any language.

# A host's name as a person says it: without "www.", path and query.
_URL = re.compile(r"\bhttps?://([^\s/?#\"'<>()\[\]]{1,253})[^\s\"'<>()\[\]]{0,2000}", re.IGNORECASE)
_MAIL = re.compile(r"(?<![\w.+@-])([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,6}[a-zA-Z]{2,24})(?![\w@])")
# Endings that no abbreviation and no missing space makes ("end.It", "U.S").
_ENDINGS = ["com", "org", "net", "edu", "gov", "mil", "info", "io", "ai", "app", "dev", "tv", "eu", "uk", "de", "fr", "es", "kr", "jp", "cn", "ru", "ch", "at", "be", "nl", "it", "br", "mx", "ar", "ca", "au", "nz", "in", "ie", "us", "co", "me", "xyz", "news"]  # fmt: skip
_HOST = re.compile(
    rf"(?<![\w.@/-])(?:www\.)?((?:[a-z0-9-]{{2,63}}\.){{1,4}}(?:{'|'.join(_ENDINGS)}))"
    r"(?![\w@-]|\.\w)(?:/[^\s\"'<>()\[\]]{0,2000})?",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"(?<![\w@.])@([A-Za-z0-9_]{2,40})(?!\w)(?!@)")
_HASHTAG = re.compile(r"(?<![\w#&])#([^\W\d]\w{0,80})")
_PARTS = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|_|(?<=[^\W\d_])(?=\d)")


def said(text: str, dot: str, at: str) -> str:
    """The text with each said by what a person would say; `dot` and `at` are words."""

    def host(name: str) -> str:
        name = name.rsplit("@", 1)[-1].split(":", 1)[0].strip(".")
        return f" {dot} ".join(part for part in name.removeprefix("www.").split(".") if part)

    def mail(found: re.Match[str]) -> str:
        before = f" {dot} ".join(part for part in found[1].split(".") if part)
        return f"{before} {at} {host(found[2])}"

    if "://" in text:
        text = _URL.sub(_kept_end(host), text)
    if "@" in text:
        text = _MAIL.sub(mail, text)
        text = _ACCOUNT.sub(lambda found: f"{at} {_apart(found[1])}", text)
    if "#" in text:
        text = _HASHTAG.sub(lambda found: _apart(found[1]), text)
    return _HOST.sub(_kept_end(host), text) if "." in text else text


def _kept_end(host: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    """Said by its host; the stop of a sentence behind an address is no part of it."""

    def say(found: re.Match[str]) -> str:
        end = found[0][-1]
        return host(found[1]) + (end if end in ".,;:!?" else "")

    return say


def _apart(name: str) -> str:
    """ "climateAction_2026" as its words."""
    return " ".join(_PARTS.sub(" ", name).split())
