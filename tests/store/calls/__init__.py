"""A call of every method of the store, which reaches the database; those that only read.

One module for each aggregate. A new method belongs into that of its own.
"""

from __future__ import annotations

from . import (
    accounts,  # last: it removes somebody whom the others know
    annotated,
    articles,
    bridges,
    briefs,
    coverage,
    digests,
    duplicates,
    feeds,
    jobs,
    lists,
    models,
    quality,
    reading,
    retention,
    rules,
    serving,
    sharing,
    sites,
    sources,
    stories,
    syncing,
    users,
    work,
)
from .made import AT_ONCE, FEED, REMOTE

__all__ = ["AT_ONCE", "CALLS", "FEED", "READS", "REMOTE"]

MODULES = (
    annotated,  # `annotations` is a name of __future__'s
    articles,
    bridges,
    briefs,
    coverage,
    digests,
    duplicates,
    feeds,
    jobs,
    lists,
    models,
    quality,
    reading,
    retention,
    serving,
    sharing,
    rules,
    sites,
    sources,
    stories,
    syncing,
    users,
    work,
    accounts,  # last: it removes somebody whom the others know
)

CALLS = {
    "facts": lambda s: s.facts(),
    **{name: call for module in MODULES for name, call in module.CALLS.items()},
}
READS = {name for module in MODULES for name in module.READS} | {"facts"}
