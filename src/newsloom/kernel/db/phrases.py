"""What full text is searched for. Every database has its own way to say it: see dialects."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """One word, or several that stand together in that order."""

    text: str
    in_title: bool = False  # else in the title or the text
    prefix: bool = False  # the last word may go on
    unfinished: bool = False  # it was typed last: perhaps it goes on
