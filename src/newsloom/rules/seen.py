"""An article as conditions look at it: what is folded is folded once, and only if asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from newsloom.rules.links import Link, link
from newsloom.rules.words import folded, searched

if TYPE_CHECKING:
    from newsloom.rules.values import RuleFacts


class Seen:
    """The facts of one article, prepared."""

    def __init__(self, facts: RuleFacts) -> None:
        self.facts = facts

    @cached_property
    def title(self) -> str:
        return searched(self.facts.title)

    @cached_property
    def both(self) -> str:
        """Title and text."""
        return f"{self.title}\n{searched(self.facts.text)}"

    @cached_property
    def author(self) -> str:
        return searched(self.facts.author)

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset(folded(one.lstrip("# ")) for one in self.facts.tags)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return tuple(map(link, self.facts.links))

    @cached_property
    def whole(self) -> str:
        """As it is written, for patterns."""
        return f"{self.facts.title}\n{self.facts.text}"
