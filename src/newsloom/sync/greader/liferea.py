"""What Liferea alone needs: what it looks for in an article to know its state. Pure.

It takes an article for read where the *first* category still has the escaped strokes of JSON, as no
server sends it (lwindolf/liferea, google_source_feed.c, 1.14.4 and the newest of 2026), and for
flagged where `marked` is true. Without these it shows everything as unread, and takes back the
flags that it set itself when it next updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from newsloom.reading.values.reading import ArticleState

NAME = "Liferea/"

# A text with two backslashes: what Liferea compares with is not decoded.
READ_FOR_LIFEREA = r"user/-/state\/com.google\/read"


def is_liferea(agent: str) -> bool:
    """Whether a request's User-Agent header is that of Liferea."""
    return agent.startswith(NAME)


def with_state(item: Mapping[str, Any], state: ArticleState) -> dict[str, Any]:
    """An article with its state as Liferea reads it, beside what is in it for everyone."""
    read = [READ_FOR_LIFEREA] if state.read else []
    return {
        **item,
        "categories": [*read, *item["categories"]],
        "marked": state.starred,
    }
