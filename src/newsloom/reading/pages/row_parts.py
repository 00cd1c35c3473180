"""The small parts of a row, which are the same in row after row: made once, then looked up.

To call a macro of a template takes as long as to write a hundred letters; a list has five hundred
such calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment

from newsloom.reading.values.reading import ArticleState

MOST = 512
MOST_TILES = 8_192


def row_parts(
    templates: Environment, icon_of: Callable[[int], str], keys: Callable[[], Hashable]
) -> Mapping[str, Callable[..., Any]]:
    """What `_row.html` calls, by name: the macros of `_icons.html`, remembered where they can be.
    `keys`: those of the reader whose page is made, which titles name.

    Looked up late: a template is compiled when it is first used.
    """

    def macro(name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(templates.get_template("_icons.html").module, name)
        return found

    @lru_cache(MOST)
    def icon(name: str) -> Any:
        return macro("icon")(name)

    @lru_cache(MOST)
    def fade(fading: Any) -> Any:
        return macro("fade")(fading)

    @lru_cache(MOST)
    def buttons(state: ArticleState, _keys: Hashable) -> Any:
        return macro("mark_buttons")(state)

    @lru_cache(MOST_TILES)
    def tiles(feed: int, _tag: str, name: str) -> Any:
        return macro("tile")(feed, name)

    def tile(feed: int, name: str) -> Any:
        return tiles(feed, icon_of(feed), name)

    def mark_buttons(state: ArticleState) -> Any:
        return buttons(state, keys())

    return {
        "icon": icon,
        "fade": fade,
        "mark_buttons": mark_buttons,
        "score_link": lambda *args, **kwargs: macro("score_link")(*args, **kwargs),
        "tile": tile,
    }
