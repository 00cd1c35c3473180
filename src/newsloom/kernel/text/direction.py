"""Which way texts run: by their language, then by what their publisher says, then by their letters.

Reads HTML that `sanitize` gave, whose tags are closed and whose attributes are quoted.
"""

from __future__ import annotations

import re

from newsloom.kernel.text.language import language as language_of

RTL_LANGUAGES = frozenset(
    (
        "ar", "arc", "arz", "azb", "bal", "bqi", "ckb", "dv", "fa", "glk", "he", "khw", "ks", "lrc",
        "mzn", "nqo", "pnb", "prs", "ps", "rhg", "sd", "skr", "syr", "ug", "ur", "yi",
    )
)  # fmt: skip

# Letters of scripts that run from right to left.
_RTL = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)
_TAG = re.compile(r"<[^>]*+>")
# What is looked at of a text.
_READ = 20_000
# Of the letters of an article in such a language: with fewer it is in another one.
_LEAST_OF_LANGUAGE = 0.1

_OWN = r"(?![^>]*\sdir=)"
_BLOCK = re.compile(
    rf"<(p|div|h[1-6]|ul|ol|dl|td|th|pre|blockquote|figcaption|caption|summary)(?=[\s>]){_OWN}"
)
_TEXT_BLOCK = re.compile(rf"<(p|pre|h[1-6])(?=[\s>]){_OWN}([^>]*+)>(.*?)</\1>", re.DOTALL)


def direction(text: str, language: str) -> str:
    """The `dir` of a text or of sanitised HTML: "rtl", or "auto", which asks its first letter."""
    text = text[:_READ]
    if text.isascii():
        return "auto"
    if "<" in text:
        text = _TAG.sub("", text)
    rtl = len(_RTL.findall(text))
    if not rtl:
        return "auto"
    share = rtl / max(sum(map(str.isalpha, text)), 1)
    least = _LEAST_OF_LANGUAGE if language_of(language) in RTL_LANGUAGES else 0.5
    return "rtl" if share >= least else "auto"


def directed(html: str, language: str) -> str:
    """Sanitised HTML whose blocks run their own way, to stand in an element of `direction`.

    In a text that runs from right to left blocks of Latin letters alone are turned; in others each
    block goes by its first letter. What the publisher says of a block stays.
    """
    if html.isascii() or not _RTL.search(html):
        return html
    if direction(html, language) == "rtl":
        return _TEXT_BLOCK.sub(_turned, html)
    return _BLOCK.sub(r'<\1 dir="auto"', html)


def alone(html: str, language: str) -> str:
    """The same for programs, which put it into an element of their own."""
    html = directed(html, language)
    return f'<div dir="rtl">{html}</div>' if direction(html, language) == "rtl" else html


def _turned(block: re.Match[str]) -> str:
    text = _TAG.sub("", block[3])
    if _RTL.search(text) or not any(map(str.isalpha, text)):
        return block[0]
    return f'<{block[1]} dir="ltr"{block[2]}>{block[3]}</{block[1]}>'
