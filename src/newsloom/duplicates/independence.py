"""How many sources of a cluster know of an event by themselves. Takes evidence, finds none."""

from __future__ import annotations

from collections.abc import Iterable

from newsloom.duplicates.union_find import Groups
from newsloom.duplicates.values import Witness


def independent(witnesses: Iterable[Witness]) -> int:
    """Copies of one text count once, the copy of one agency once, all of one domain once.

    Wire copy is the agency's and not the domain's: a paper that prints an agency and reports for
    itself is two of them. What several agencies wrote together joins them.
    """
    groups: Groups[tuple[str, str]] = Groups()
    texts = set()
    for one in witnesses:
        text = ("text", str(one.text))
        texts.add(text)
        agencies = one.agency.split("/") if one.agency else ()
        for agency in agencies:
            groups.unite(text, ("agency", agency))
        if one.source and not agencies:
            groups.unite(text, ("source", one.source))
    return len(set(map(groups.of, texts)))
