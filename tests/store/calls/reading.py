"""Calls of `store.reading`; those of them that only read."""

from __future__ import annotations

from newsloom.kernel.ids import EventId
from newsloom.reading.store.sent_marks import Sent
from newsloom.reading.values.reading import EventKind, ListQuery, Rows
from store.builders import HALF_LIVES, NOW

from .made import FEED, ONE, USER

CALLS = {
    "shared_feeds": lambda s: s.reading.shared_feeds(),
    "polled_feed": lambda s: s.reading.polled_feed("https://x.test/"),
    "subscribe": lambda s: s.reading.subscribe(USER, "https://x.test/", NOW),
    "reading.unsubscribe": lambda s: s.reading.unsubscribe(USER, FEED),
    "left": lambda s: s.reading.left(USER, NOW),
    "unsubscribe_all": lambda s: s.reading.unsubscribe_all(USER, [FEED]),
    "follow_again_all": lambda s: s.reading.follow_again_all(USER, NOW),
    "categories": lambda s: s.reading.categories(USER),
    "make_category": lambda s: s.reading.make_category(USER, "News"),
    "file_feeds": lambda s: s.reading.file_feeds(USER, [FEED], "News"),
    "rename_category": lambda s: s.reading.rename_category(USER, "News", "Old news"),
    "drop_category": lambda s: s.reading.drop_category(USER, "News"),
    "place_feeds": lambda s: s.reading.place_feeds(USER, [FEED], "News"),
    "place_categories": lambda s: s.reading.place_categories(USER, ["News"]),
    "forget_order": lambda s: s.reading.forget_order(USER),
    "unread_of": lambda s: s.reading.unread_of(USER, [FEED]),
    "follow_again": lambda s: s.reading.follow_again(USER, FEED),
    "edit_subscription": lambda s: s.reading.edit_subscription(USER, FEED, title="x"),
    "article": lambda s: s.reading.article(USER, ONE, NOW, HALF_LIVES),
    "events": lambda s: s.reading.events([EventId(1)]),
    "mark": lambda s: s.reading.mark(USER, [ONE], EventKind.READ, NOW, "x"),
    "mark_once": lambda s: s.reading.mark_once(
        Sent(USER, "key", [ONE], [EventKind.READ], NOW), NOW, "x"
    ),
    "step_of_sent": lambda s: s.reading.step_of_sent(USER, "key"),
    "newest_step": lambda s: s.reading.newest_step(USER),
    "undo": lambda s: s.reading.undo(USER, NOW, "x"),
    "clear": lambda s: s.reading.clear(USER, ListQuery(), NOW, "x", HALF_LIVES),
    "subscribe_all": lambda s: s.reading.subscribe_all(USER, [("https://y.test/", "", "")], NOW),
    "count_rows": lambda s: s.reading.count_rows(USER, [ONE], Rows.CLUSTER),
    "clear_these": lambda s: s.reading.clear_these(USER, [ONE], NOW, "test"),
}
READS = {
    "article",
    "categories",
    "count_rows",
    "events",
    "left",
    "newest_step",
    "polled_feed",
    "shared_feeds",
    "unread_of",
    "step_of_sent",
}
