"""Calls of `store.annotations`; those of them that only read."""

from __future__ import annotations

from newsloom.reading.values.annotations import HighlightId, Selector
from store.builders import NOW

from .made import ONE, USER

CALLS = {
    "add_tags": lambda s: s.annotations.add_tags(USER, [ONE], ["Sea"], NOW),
    "remove_tags": lambda s: s.annotations.remove_tags(USER, [ONE], ["sea"]),
    "rename_tag": lambda s: s.annotations.rename_tag(USER, "sea", "Ocean"),
    "drop_tag": lambda s: s.annotations.drop_tag(USER, "ocean"),
    "put_note": lambda s: s.annotations.put_note(USER, ONE, "Later.", NOW),
    "note": lambda s: s.annotations.note(USER, ONE),
    "put_position": lambda s: s.annotations.put_position(USER, ONE, "https://x.test/a", 1, NOW),
    "notes": lambda s: s.annotations.notes(USER),
    "add_highlight": lambda s: s.annotations.add_highlight(USER, ONE, Selector("sea"), "", NOW),
    "note_highlight": lambda s: s.annotations.note_highlight(USER, HighlightId(1), "x"),
    "drop_highlight": lambda s: s.annotations.drop_highlight(USER, HighlightId(1)),
    "highlights": lambda s: s.annotations.highlights(USER),
    "tags": lambda s: s.annotations.tags(USER),
    "tags_of": lambda s: s.annotations.tags_of(USER, [ONE]),
}
READS = {
    "highlights",
    "note",
    "notes",
    "tags",
    "tags_of",
}
