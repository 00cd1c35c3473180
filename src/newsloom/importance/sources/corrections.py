"""Whether an article says itself that it was corrected or retracted. Pure.

Looks for what publishers write in six languages; words of readers or quotes may be taken for it.
"""

from __future__ import annotations

# Where publishers put it; what stands between is of the news.
EDGE = 1_500  # characters, markup with them

_TITLES = (
    "correction:", "corrected:", "retraction:", "retracted:", "clarification:", "erratum",
    "korrektur:", "berichtigung:", "rectificatif", "fe de errores", "rettelse:",
)  # fmt: skip
_WORDS = (
    "this article has been corrected", "this story has been corrected",
    "this article was corrected on", "this story was corrected", "this article was amended on",
    "earlier version of this article", "earlier version of this story",
    "previous version of this article", "previous version of this story",
    "has been retracted", "correction appended",
    "in einer früheren version", "eine frühere version dieses",
    "une version précédente de cet", "una versión anterior de est",
)  # fmt: skip


def corrected(title: str, text: str) -> bool:
    """By its title, or by the beginning or the end of its text."""
    if title.strip().lower().startswith(_TITLES):
        return True
    edges = text if len(text) <= 4 * EDGE else f"{text[: 2 * EDGE]} {text[-2 * EDGE :]}"
    lower = edges.lower()
    return any(words in lower for words in _WORDS)
