"""Tags of articles: names that are one whatever their case, of one reader, kept when feeds go."""

from __future__ import annotations

from newsloom.reading.values.annotations import Tag
from newsloom.reading.values.reading import EventKind

from .builders import NOW, add


def test_tags_are_added_counted_renamed_merged_and_dropped(store, reader, feed, subscribe):
    a, b, c = add(store, feed, "a", "b", "c")
    annotations = store.annotations
    assert annotations.add_tags(reader, [a, b, 99], ["Sea", "Ärger"], NOW) == 4
    assert annotations.add_tags(reader, [b, c], ["SEA"], NOW) == 1
    store.reading.mark(reader, [a], EventKind.READ, NOW, "test")
    assert annotations.tags(reader) == (Tag("Sea", 3, 2), Tag("Ärger", 2, 1))
    assert annotations.tags_of(reader, [a, c, 99]) == {a: ("Sea", "Ärger"), c: ("Sea",)}
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    assert annotations.tags(other) == ()
    assert annotations.add_tags(other, [99], ["sea"], NOW) == 0
    assert not annotations.rename_tag(other, "Sea", "Ocean")
    assert annotations.drop_tag(other, "Sea") == 0
    assert annotations.remove_tags(other, [a], ["Sea"]) == 0
    assert annotations.remove_tags(reader, [a, 99], ["sea", "none"]) == 1
    assert annotations.rename_tag(reader, "sea", "SEA")
    assert annotations.tags(reader)[0] == Tag("SEA", 2, 2)
    assert annotations.rename_tag(reader, "ärger", "Sea")
    assert annotations.tags(reader) == (Tag("Sea", 3, 2),)
    assert annotations.drop_tag(reader, "sea") == 3
    assert annotations.tags(reader) == ()
