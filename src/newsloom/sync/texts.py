"""What is written in answers: harmless HTML, titles in one line, numbered names, JSON. Pure."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
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


def group_id(category: str) -> int:
    """A category's number: the same as long as it is called so. It has 31 bits for old clients."""
    return zlib.crc32(category.encode("utf-8", "replace")) & 0x7FFFFFFF or 1


def numbered(categories: Iterable[str]) -> Mapping[int, str]:
    """Categories by number, in their order. Of two that share one, which one in a million readers
    has, the first by name keeps it."""
    shelf = dict.fromkeys(categories)
    found: dict[int, str] = {}
    for name in sorted(shelf):
        number = group_id(name)
        while number in found:
            number = number % 0x7FFFFFFF + 1
        found[number] = name
    numbers = {name: number for number, name in found.items()}
    return {numbers[name]: name for name in shelf}
