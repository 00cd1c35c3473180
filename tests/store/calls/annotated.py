"""Calls of `store.annotations`; those of them that only read."""

from __future__ import annotations

from store.builders import NOW

from .made import ONE, USER

CALLS = {
    "add_tags": lambda s: s.annotations.add_tags(USER, [ONE], ["Sea"], NOW),
    "remove_tags": lambda s: s.annotations.remove_tags(USER, [ONE], ["sea"]),
    "rename_tag": lambda s: s.annotations.rename_tag(USER, "sea", "Ocean"),
    "drop_tag": lambda s: s.annotations.drop_tag(USER, "ocean"),
    "tags": lambda s: s.annotations.tags(USER),
    "tags_of": lambda s: s.annotations.tags_of(USER, [ONE]),
}
READS = {
    "tags",
    "tags_of",
}
