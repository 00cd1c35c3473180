"""How many sources of a cluster know of an event by themselves. Takes evidence, finds none."""

from __future__ import annotations

from collections.abc import Iterable

from newsloom.duplicates.values import Witness


def independent(witnesses: Iterable[Witness]) -> int:
    """Copies of one text count once, the copy of one agency once, all of one domain once.

    Wire copy is the agency's and not the domain's: a paper that prints an agency and reports for
    itself is two of them. What several agencies wrote together joins them.
    """
    parents: dict[object, object] = {}

    def root(key: object) -> object:
        parents.setdefault(key, key)
        while parents[key] != key:
            parents[key] = parents[parents[key]]
            key = parents[key]
        return key

    for one in witnesses:
        text = root(("text", one.text))
        for origin in _origins(one):
            parents[root(origin)] = root(text)
    return len({root(key) for key in list(parents)})


def _origins(one: Witness) -> list[tuple[str, str]]:
    if one.agency:
        return [("agency", name) for name in one.agency.split("/")]
    return [("source", one.source)] if one.source else []
