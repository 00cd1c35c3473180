"""Text by strangers made fit to show to a model, and a model's words made fit to show to people."""

from __future__ import annotations

import re
import unicodedata

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.html import excerpt, to_text

MOST_WRAPPINGS = 3

# Four bytes of English make about one token, other scripts come with fewer; guessing low costs some
# words of the article, guessing high costs the answer.
BYTES_PER_TOKEN = 3


def shown(text: str) -> str:
    """Words alone: no markup, and no character that a person would not see."""
    words = text
    for _ in range(MOST_WRAPPINGS):  # markup that was escaped is markup again, once read
        if "<" not in words and "&" not in words:
            break
        words = to_text(words, len(words))
    kept = _one_line(_HIDDEN.sub("", _one_line(unicodedata.normalize("NFKC", plain(words)))))
    if not kept.isprintable():
        kept = _one_line("".join(filter(str.isprintable, kept)))
    return kept


def cut(text: str, most: int) -> str:
    """The beginning of a text, at most so many bytes, no character divided."""
    return text.encode()[: max(most, 0)].decode("utf-8", "ignore").rstrip()


def head_and_lead(title: str, text: str, room: int) -> tuple[str, str]:
    """A title and the beginning of a text as they are shown, of so many bytes together; the title
    takes half at most."""
    head = cut(shown(title), room // 2)
    return head, cut(shown(text), room - len(head.encode()))


def inert(words: str, longest: int) -> str:
    """A model's words as one line of plain text: no markup, link, escape or turned direction."""
    text = words[: 10 * longest]
    text = _ESCAPES.sub("", text)
    text = shown(text)
    text = _PICTURES.sub(" ", text)
    text = _LINKS.sub(r"\1", text)
    text = _ADDRESSES.sub(" ", text)
    return excerpt(_MARKS.sub("", text), longest).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


# Fillers and variation selectors, which Python calls printable; it does not so call format
# characters and private use. All have carried messages.
_HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?|\x9b[0-?]*[@-~]?"
)
_PICTURES = re.compile(r"!\[[^\]]*\]\([^)]*\)?")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)?")
_ADDRESSES = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}:(?:/|\\|%2f){2}\S*|\b(?:javascript|data|vbscript|mailto):\S*"
    r"|\bwww\.\S+|(?<!\S)//\S+",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[`*_#<>\[\]{}|~\\]")
