"""What Spanish and French rules have alike: days and months, clock times."""

from __future__ import annotations

import re
from collections.abc import Callable

from newsloom.briefs.speakable.rules import Rule, any_of, of_digits


def day_and_month(
    months: dict[str, str], joined: str, day: Callable[[int], str], year: Callable[[int], str]
) -> Rule:
    """ "3 de mayo de 2026", "1er mai 2026"; `joined` stands between the parts."""
    of = rf"(?: {joined.strip()})?" if joined.strip() else ""

    def say(found: re.Match[str]) -> str:
        said = f"{day(int(found[1]))}{joined}{months[found[2].lower()]}"
        return said + (f"{joined}{year(int(found[3]))}" if found[3] else "")

    return of_digits(
        "day and month",
        rf"(?<![\w.,])(\d{{1,2}})(?:er|\.?º|\.)?{of} ({any_of(months)})(?!\w)\.?(?:(?:{of}|,) (\d{{4}})(?!\d))?",
        say,
        flags=re.IGNORECASE,
    )
