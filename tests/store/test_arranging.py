"""Categories and the order of feeds, as one reader makes them; leaving many at once."""

from __future__ import annotations

from datetime import timedelta

from newsloom.reading.values.reading import EventKind, FeedFigures, ListQuery

from .builders import HALF_LIVES, NOW, add


def shelf(store, reader):
    return [(one.category, one.url[8], one.place) for one in store.lists.subscriptions(reader)]


def four(store, subscribe, reader):
    """The numbers of the feeds a and b in Left, c and d in Right."""
    for name, category in (("a", "Left"), ("b", "Left"), ("c", "Right"), ("d", "Right")):
        subscribe(name, category)
    return {one.url[8]: one.feed_id for one in store.lists.subscriptions(reader)}


def test_feeds_and_categories_stand_as_they_were_put(store, reader, subscribe):
    feeds = four(store, subscribe, reader)
    assert shelf(store, reader) == [
        ("Left", "a", 0),
        ("Left", "b", 0),
        ("Right", "c", 0),
        ("Right", "d", 0),
    ]
    store.reading.place_categories(reader, ["Right", "Left"])
    store.reading.place_feeds(reader, [feeds["d"], feeds["c"]])
    order = [("Right", "d", 1), ("Right", "c", 2), ("Left", "a", 3), ("Left", "b", 4)]
    assert shelf(store, reader) == order
    subscribe("0", "Right")
    assert shelf(store, reader)[2] == ("Right", "0", 3), "what is new stands last"
    other = store.users.user("other", NOW)
    store.reading.subscribe(other, "https://a.test/", NOW, category="Right")
    assert [one.place for one in store.lists.subscriptions(other)] == [0], "of one reader alone"
    store.reading.forget_order(reader)
    assert {one.place for one in store.lists.subscriptions(reader)} == {0}
    assert store.reading.categories(reader) == {"Left": 0, "Right": 0}


def test_a_feed_put_into_another_category_has_no_place_there_yet(store, reader, subscribe):
    feeds = four(store, subscribe, reader)
    store.reading.place_feeds(reader, [feeds["b"], feeds["a"]])
    assert store.reading.file_feeds(reader, [feeds["b"], feeds["c"]], "Right") == 1
    assert [one[:2] for one in shelf(store, reader)] == [
        ("Left", "a"),
        ("Right", "b"),
        ("Right", "c"),
        ("Right", "d"),
    ]
    store.reading.place_feeds(reader, [feeds["d"], feeds["a"]], "Right")
    assert [one[:2] for one in shelf(store, reader)] == [
        ("Right", "d"),
        ("Right", "a"),
        ("Right", "b"),
        ("Right", "c"),
    ]


def test_categories_are_renamed_merged_and_dropped(store, reader, subscribe):
    feeds = four(store, subscribe, reader)
    store.reading.make_category(reader, "Empty")
    store.reading.place_categories(reader, ["Right", "Left"])
    store.reading.place_feeds(reader, [feeds["d"], feeds["c"]])
    store.users.set_preferences(
        reader, {("category:Right", "look"): "cards", ("category:Left", "look"): "compact"}
    )
    assert store.reading.rename_category(reader, "Right", "First") == 2
    assert [one[:2] for one in shelf(store, reader)][:2] == [("First", "d"), ("First", "c")]
    assert store.reading.categories(reader) == {"Empty": 0, "First": 1, "Left": 2}
    assert store.users.preferences(reader)["category:First", "look"] == "cards"
    assert store.reading.rename_category(reader, "First", "Left") == 2
    assert {one[0] for one in shelf(store, reader)} == {"Left"}
    assert store.reading.categories(reader) == {"Empty": 0, "Left": 2}
    looks = {key: look for key, look in store.users.preferences(reader).items() if key[0]}
    assert looks == {("category:Left", "look"): "compact"}, "of the one that was there"
    assert store.reading.drop_category(reader, "Left") == 4
    store.reading.drop_category(reader, "Empty")
    assert {one[0] for one in shelf(store, reader)} == {""}
    assert store.reading.categories(reader) == {}


def test_many_are_left_together_and_taken_back_together(store, reader, subscribe):
    feeds = four(store, subscribe, reader)
    articles = [add(store, feed, name)[0] for name, feed in feeds.items()]
    store.reading.place_feeds(reader, [feeds["b"], feeds["a"]])
    before = store.lists.subscriptions(reader)
    unread = store.reading.unread_of(reader, [feeds["a"], feeds["c"]])
    assert unread == (articles[0], articles[2])
    at = store.reading.unsubscribe_all(reader, [feeds["a"], feeds["b"], feeds["c"]])
    assert [one.url[8] for one in store.lists.subscriptions(reader)] == ["d"]
    assert {one.at for one in store.reading.left(reader, at)} == {at}
    assert store.reading.follow_again_all(reader, at - timedelta(seconds=1)) == 0
    assert store.reading.follow_again_all(reader, at) == 3
    assert store.reading.follow_again_all(reader, at) == 0
    assert store.lists.subscriptions(reader) == before
    assert store.lists.unread(reader) == 4


def test_what_a_feed_brings_and_what_is_read_of_it(store, reader, subscribe):
    feeds = four(store, subscribe, reader)
    (one,) = add(store, feeds["a"], "one")
    store.reading.mark(reader, [one], EventKind.READ, NOW, "test")
    week = timedelta(days=7)
    (listed,) = store.lists.page(reader, ListQuery(unread_only=False), NOW, HALF_LIVES)
    found = store.lists.feed_figures(reader, NOW - week, NOW)
    assert found[feeds["a"]] == FeedFigures(listed.dated, 1, 1)
    assert found[feeds["b"]] == FeedFigures(None, 0, 0)
    assert store.lists.feed_figures(reader, NOW, NOW + week)[feeds["a"]].recent == 0
