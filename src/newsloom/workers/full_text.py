"""The task "full text": the article in a web page.

Both sides of it: `answer` runs in a worker, `question` and `understood` in Newsloom.
"""

from __future__ import annotations

from typing import Any

from newsloom.text.full_text import full_text, get_ready

TASK = "full text"


def question(url: str, content_type: str, title: str) -> list[Any]:
    """What is asked beside the page itself."""
    return [url, content_type, title]


def answer(asked: Any, body: bytes) -> bytes:
    """In a worker: the article as HTML. Raises ParseError when there is none."""
    url, content_type, title = asked
    return full_text(body, url, content_type, title).encode("utf-8", "replace")


def understood(said: bytes) -> str:
    """In Newsloom: the same."""
    return said.decode("utf-8")


get_ready()
