"""The task "full text": the article in a web page. Only workers import this: it loads readability.

Asked with the page's address, content type and its article's title; answers with HTML in UTF-8.
"""

from __future__ import annotations

from typing import Any

from newsloom.text.full_text import full_text, get_ready

__all__ = ["answer", "get_ready"]


def answer(asked: Any, body: bytes) -> bytes:
    """Raises ParseError when there is no article."""
    url, content_type, title = asked
    return full_text(body, url, content_type, title).encode("utf-8", "replace")
