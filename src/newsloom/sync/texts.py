"""What is written in answers: HTML made harmless, titles in one line, JSON. Pure."""

from __future__ import annotations

import json
from typing import Any

from newsloom.kernel.text.direction import alone
from newsloom.kernel.text.html import sanitize
from newsloom.reading.values.syncing import StreamArticle


def body_of(one: StreamArticle) -> str:
    """The article's HTML as the pages show it: it runs, frames and posts nothing."""
    return alone(sanitize(one.html, one.base_url or one.listed.url), one.listed.language)


def title_of(one: StreamArticle) -> str:
    """In one line; empty where there is none: apps show the first words themselves."""
    return " ".join(one.listed.title.split())


def link(url: str) -> str:
    """An address that a program may open: of the web, or none."""
    return url if url.lower().startswith(("http://", "https://")) else ""


def written(value: Any) -> bytes:
    """JSON without spaces; letters as they are."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
