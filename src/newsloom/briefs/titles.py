"""A headline as the title of a chapter: short, and cut only where a clause ends. Pure."""

from __future__ import annotations

import re

from newsloom.summaries.said import length

# Players and podcast apps show some 40 characters of a chapter's title on a phone.
MOST_WORDS, MOST_CHARACTERS = 8, 60
# Where what went before can stand by itself. A colon first: what stands before it is the topic.
_BOUNDS = (
    re.compile(r":\s"),
    re.compile(r"\s[-–—|]\s|;\s|…|[.!?]\s"),
    re.compile(
        r",\s|\s(?=(?:as|after|amid|while|because|before|despite|following|over|since|that|when"
        r"|where|which|who|with|weil|nachdem|während|obwohl|dass|après|alors|tras|mientras"
        r"|porque|selon|según|laut)\s)",
        re.IGNORECASE,
    ),
)
_LEAST_WORDS = 2
_OPEN = re.compile(r"[\"“”„«»‘(\[]")


def short_title(headline: str) -> str:
    """All of it where that is short, else its first clause; "" where no clause is short enough."""
    text = " ".join(headline.split()).rstrip(".")
    if _fits(text):
        return text
    for bound in _BOUNDS:
        ends = [one.start() for one in bound.finditer(text)]
        for end in sorted(ends, reverse=True):
            head = text[:end].rstrip(" ,;:-–—")
            if length(head) >= _LEAST_WORDS and _fits(head) and not _half(head):
                return head
    return ""


def _fits(text: str) -> bool:
    return length(text) <= MOST_WORDS and len(text) <= MOST_CHARACTERS


def _half(text: str) -> bool:
    """Whether a quotation or a bracket is left open: then the cut is within it."""
    return len(_OPEN.findall(text)) % 2 == 1
