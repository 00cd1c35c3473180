"""Rows and feeds of the sidebar as they were rendered, for every list that shows the same.

A list has fifty rows and a sidebar hundreds of feeds, and most of each is the same from page to
page. What differs, the list that an address leads back to and the counts, is put in afterwards:
templates are rendered with marks in its place, control characters that no text on a page has
(wording.clean, wording.web_address). A text that had one would show an address of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Subscription
from newsloom.web.list_view import LARGEST_ID, ListView, Page, Show
from newsloom.web.view import Row

# Stands for the number of a feed in an address that is made for all of them.
ANY_FEED = FeedId(LARGEST_ID)

# Some 4 KB each.
MOST_ROWS = 4_096
# Some 300 bytes each: those of twenty readers with a thousand feeds.
MOST_FEEDS = 20_000

_AT, _TEXT = "\x01at\x02", "\x01text\x02"
_URL, _HERE, _COUNT = "\x01url\x02", "\x01here\x02", "\x01count\x02"


@dataclass(frozen=True, slots=True)
class AnyView:
    """What a row asks of the list it stands in, with marks for what differs from list to list."""

    show: Show
    words: str
    wide: ListView  # without a feed and the filters, at its start
    text: str = _TEXT

    def open_url(self, article: int) -> str:
        return f"/articles/{article}{_AT}"

    def added_url(self, article: int) -> str:
        return f"/articles/{article}/added{_AT}"

    def tag_url(self, name: str) -> str:
        return self.wide.tag_url(name)

    def why_url(self, article: int) -> str:
        return f"/articles/{article}/why{_AT}"


def row_cache(
    templates: Environment, icon_of: Callable[[int], str], keys: Callable[[], Hashable]
) -> Mapping[str, Callable[..., Any]]:
    """What `_rows.html` and the sidebar call, by name. `keys`: those of the reader whose page is
    made, which titles name."""

    @lru_cache(MOST_ROWS)
    def made(row: Row, _icon: str, place: AnyView, _keys: Hashable) -> str:
        return templates.get_template("_row.html").render(row=row, place=place)

    @lru_cache(MOST_FEEDS)
    def feed_parts(feed: int, name: str, problem: str | None, _icon: str) -> tuple[str, ...]:
        shown = templates.get_template("_feed_link.html").render(
            feed=feed, name=name, problem=problem, url=_URL, here=_HERE, count=_COUNT
        )
        before, _, rest = shown.strip().partition(_URL)
        attributes, _, rest = rest.partition(_HERE)
        words, _, end = rest.partition(_COUNT)
        return before, attributes, words, end

    def cached_rows(rows: Iterable[Row], view: ListView) -> Markup:
        """The rows of a list, one below the other."""
        anywhere, here = _any_view(view), keys()
        shown = "\n".join([made(row, icon_of(row.feed_id), anywhere, here) for row in rows])
        at = str(escape(view.why_url(0).removeprefix("/articles/0/why")))
        shown = shown.replace(_AT, at).replace(_TEXT, str(escape(view.text)))
        return Markup(shown)  # noqa: S704 - what was put in is escaped

    def feed_links(feeds: Iterable[Subscription], view: ListView) -> Markup:
        """The feeds of a category in the sidebar."""
        root, here = templates.globals["root"], view.feed if view.page != Page.FEED else None
        start, _, end_of_url = view.feed_url(ANY_FEED).partition(str(ANY_FEED))
        start, end_of_url = f"{root}{escape(start)}", str(escape(end_of_url))
        shown: list[str] = []
        for one in feeds:
            problem = one.problem if one.failures or one.dead else None
            icon = icon_of(one.feed_id)
            url, current, words, end = feed_parts(one.feed_id, one.title or one.url, problem, icon)
            shown += (
                url,
                f"{start}{one.feed_id}{end_of_url}",
                current,
                ' aria-current="page"' if one.feed_id == here else "",
                words,
                f"{one.unread:,}" if one.unread else "",
                end,
            )
        return Markup("".join(shown))  # noqa: S704 - rendered, escaped, or numbers

    return {"cached_rows": cached_rows, "feed_links": feed_links}


def _any_view(view: ListView) -> AnyView:
    wide = view.wide.to(
        page=Page.LIST, show=Show.ALL, feed=None, category=None, words="", article=None
    )
    show = Show.UNREAD if view.show == Show.UNREAD and not view.words else Show.ALL
    return AnyView(show, "", wide)
