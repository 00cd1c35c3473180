"""Calls of `store.duplicates`; those of them that only read."""

from __future__ import annotations

from store.builders import NOW

from .made import EVENT_LEASE, LEASE, ONE, USER


def duplicate_session(store):
    with store.duplicates.duplicate_session("signature"):
        pass


CALLS = {
    "leased_signatures": lambda s: s.duplicates.leased_signatures(LEASE, 1),
    "leased_same_event": lambda s: s.duplicates.leased_same_event(EVENT_LEASE, 1),
    "compared_articles": lambda s: s.duplicates.compared_articles("m", [ONE]),
    "put_same_event": lambda s: s.duplicates.put_same_event("e", [ONE], [], NOW),
    "names": lambda s: s.duplicates.names("n", [ONE]),
    "put_names": lambda s: s.duplicates.put_names("n", {ONE: frozenset()}),
    "unsigned": lambda s: s.duplicates.unsigned("v", [ONE]),
    "duplicate_session": duplicate_session,
    "has": lambda s: s.duplicates.has(USER, ONE),
    "cluster": lambda s: s.duplicates.cluster(ONE),
    "links": lambda s: s.duplicates.links([ONE]),
    "witnesses": lambda s: s.duplicates.witnesses(USER, ONE),
    "separate": lambda s: s.duplicates.separate(USER, ONE, NOW),
    "rejoin": lambda s: s.duplicates.rejoin(USER, ONE),
}
READS = {
    "cluster",
    "compared_articles",
    "has",
    "leased_same_event",
    "leased_signatures",
    "links",
    "names",
    "unsigned",
    "witnesses",
}
