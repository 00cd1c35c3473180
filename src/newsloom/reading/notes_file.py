"""Notes and highlights as a file: Markdown for people, JSON for programs. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

# What Markdown takes for its own, where it stands in words of ours.
_MARKS = re.compile(r"([\\`*_\[\]<>#])")


@dataclass(frozen=True, slots=True)
class Quote:
    """Highlighted words; what stands around them is as the W3C's TextQuoteSelector has it."""

    exact: str
    prefix: str
    suffix: str
    note: str
    made_at: str


@dataclass(frozen=True, slots=True)
class AnnotatedArticle:
    """An article with what was written about it. Times are ISO 8601, "" for none."""

    title: str
    url: str
    feed: str
    tags: tuple[str, ...]
    note: str
    note_changed_at: str
    highlights: tuple[Quote, ...]


def markdown(articles: Sequence[AnnotatedArticle]) -> str:
    """A heading for each article, the note below it, highlights as quotations."""
    return "\n".join(line for one in articles for line in _article(one))


def _article(one: AnnotatedArticle) -> list[str]:
    title = _plain(one.title) or "Untitled"
    # In angle brackets an address may have anything but those and line breaks.
    address = re.sub(r"[<>\s]", "", one.url)
    lines = [f"## [{title}](<{address}>)" if address else f"## {title}", "", _plain(one.feed), ""]
    if one.tags:
        lines += ["Tags: " + ", ".join(map(_plain, one.tags)), ""]
    if one.note:
        lines += [one.note, ""]
    for quote in one.highlights:
        lines += [f"> {_plain(quote.exact)}", ""]
        if quote.note:
            lines += [quote.note, ""]
    return lines


def _plain(words: str) -> str:
    return _MARKS.sub(r"\\\1", " ".join(words.split()))


def to_json(articles: Sequence[AnnotatedArticle]) -> str:
    """The fields of the classes above by their names, in a list under `articles`."""
    return json.dumps({"articles": [asdict(one) for one in articles]}, ensure_ascii=False, indent=2)


# What a file can be: its ending, its type, what writes it.
FORMATS: tuple[tuple[str, str, Callable[[Sequence[AnnotatedArticle]], str]], ...] = (
    ("md", "text/markdown", markdown),
    ("json", "application/json", to_json),
)
