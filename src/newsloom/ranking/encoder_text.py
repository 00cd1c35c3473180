"""What of an article a sentence encoder reads. Pure.

`embedding_text` is what stored vectors are made of. The others are for vectors that live as long as
one question: what else reports this, and to which story does it belong.
"""

from __future__ import annotations

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.headlines import LONGEST, without_publisher

# The names of stored vectors carry this; raise it with any change of `embedding_text`.
PREPARATION = "title+lead@1"

# Characters of text after the title. News says what happened first; see docs/work/quality.md for
# what shorter and longer leads cost and gain.
LEAD = 600


def embedding_text(title: str, text: str) -> str:
    """One line of text for the encoder; empty only when both are."""
    return _joined(title, text[:LEAD])


def query_text(title: str, description: str) -> str:
    """An article for which reports by others are looked for: `title. description`."""
    return _joined(without_publisher(_one_line(title[:LONGEST])), _one_line(description[:LEAD]))


def candidate_text(title: str, source: str) -> str:
    """A hit of a news search: `title source`, the source once though the title may end with it.

    `source` is the publisher's name or domain. What a search engine puts behind a title (" - The
    New York Times") would make all hits of one publisher alike, and none like the article.
    """
    line, name = _one_line(title[:LONGEST]), _one_line(source[:LONGEST])
    end = line[-len(name) :] if name else ""
    head = line[: -len(name)].rstrip() if end.casefold() == name.casefold() and end else ""
    bare = head.rstrip(_DASHES).rstrip()
    if not head or bare == head or not bare:
        bare = without_publisher(line, (source,))
    return f"{bare} {name}".strip()


_DASHES = "-–—|·•»:"


def _joined(title: str, lead: str) -> str:
    return f"{title}. {lead}" if title and lead else title or lead


def _one_line(text: str) -> str:
    return " ".join(plain(text.replace("\n", " ")).split())
