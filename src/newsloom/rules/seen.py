"""An article as conditions look at it: what is folded is folded once, and only if asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from newsloom.rules.words import DOTTED, folded

if TYPE_CHECKING:
    from newsloom.types import RuleFacts


class Seen:
    """The facts of one article, prepared."""

    def __init__(self, facts: RuleFacts) -> None:
        self.facts = facts
        self.language = facts.language if facts.language in DOTTED else ""

    @cached_property
    def title(self) -> str:
        return folded(self.facts.title, self.language)

    @cached_property
    def both(self) -> str:
        """Title and text. No folded word or phrase has a line's end in it."""
        return f"{self.title}\n{folded(self.facts.text, self.language)}"

    @cached_property
    def author(self) -> str:
        return folded(self.facts.author)

    @cached_property
    def whole(self) -> str:
        """As it is written, for patterns."""
        return f"{self.facts.title}\n{self.facts.text}"
