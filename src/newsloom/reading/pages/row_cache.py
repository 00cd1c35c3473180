"""Rows as they were rendered, for every list that shows the same.

Most of a row is the same from page to page. What differs, the list that an address leads back to,
is put in afterwards: templates are rendered with marks in its place, control characters that no
text on a page has (wording.clean, wording.web_address). A text that had one would show an address
of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from newsloom.web.list_view import ListView, Page, Show
from newsloom.web.view import Row

# Some 2 KB each.
MOST_ROWS = 8_192
_AT, _TEXT = "\x01at\x02", "\x01text\x02"


@dataclass(frozen=True, slots=True)
class AnyView:
    """What a row asks of the list it stands in, with marks for what differs from list to list."""

    show: Show
    words: str
    wide: ListView  # without a feed and the filters, at its start
    text: str = _TEXT

    def open_url(self, article: int, below: str = "") -> str:
        return f"/articles/{article}{below}{_AT}"

    def tag_url(self, name: str) -> str:
        return self.wide.tag_url(name)


def row_cache(
    templates: Environment,
    icon_of: Callable[[int], str],
    keys: ContextVar[Mapping[str, tuple[str, ...]]],
) -> Mapping[str, Callable[..., Any]]:
    """What `_rows.html` calls, by name. `keys`: those of the reader whose page is
    made, which titles name."""

    @lru_cache(MOST_ROWS)
    def made(row: Row, _icon: str, place: AnyView, _keys: Hashable) -> str:
        return templates.get_template("_row.html").render(row=row, place=place)

    def cached_rows(rows: Iterable[Row], view: ListView) -> Markup:
        """The rows of a list, one below the other."""
        wide = view.wide.to(
            page=Page.LIST, show=Show.ALL, feed=None, category=None, words="", article=None
        )
        show = Show.UNREAD if view.show == Show.UNREAD and not view.words else Show.ALL
        anywhere, here = AnyView(show, "", wide), tuple(keys.get().values())
        shown = "\n".join([made(row, icon_of(row.feed_id), anywhere, here) for row in rows])
        at = str(escape(view.open_url(0).removeprefix("/articles/0")))
        shown = shown.replace(_AT, at).replace(_TEXT, str(escape(view.text)))
        return Markup(shown)  # noqa: S704 - what was put in is escaped

    return {"cached_rows": cached_rows}
