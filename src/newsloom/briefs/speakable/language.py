"""What a language with rules of its own is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.rules import Rule


@dataclass(frozen=True, slots=True)
class Language:
    """Tables and rules of one language."""

    locale: Locale
    capitals: Capitals
    rules: tuple[Rule, ...]
    signs: Mapping[str, str] = field(default_factory=dict)  # "&": "and"
    british: tuple[Rule, ...] = ()  # instead, where days come before months
