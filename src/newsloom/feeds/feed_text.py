"""What the text of an article's page lacks of the feed's own text, put back into it. Pure.

A text is compared by its runs of three words, so that paragraphs may be cut otherwise and words may
be corrected. Most pages have all that the feed has: they are returned as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from newsloom.kernel.text.folding import UNSPACED, fold
from newsloom.kernel.text.html import BREAKS, sanitize, to_text
from newsloom.kernel.text.sentences import LONGEST_TEXT, sentences

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
_RUN = 3

# Runs that a paragraph may lack and still be the same: three for each corrected word, and a
# "Continue reading" behind a short one.
_MOST_EDITED = 0.1
_MOST_ADDED = 8

# Of a paragraph that shares less, all is put back; else the sentences that are missing.
_SHARED = 0.3

_WRAPPERS = frozenset({"article", "body", "center", "div", "main", "section"})
_BLOCKS = frozenset(name for name, mark in BREAKS.items() if mark == "\n" and name != "br")
_WHOLE = frozenset({"dl", "figure", "pre", "table"})
_LISTS = frozenset({"ol", "ul"})
_INVISIBLE = frozenset({"0", "1"})  # sides of pictures that only count readers


def with_feed_text(page: str, own: str, *, title: str, url: str) -> str:
    """The text of the page with what it lacks of the feed's.

    "" if the page has fewer words, or lacks most of the feed's and is not twice as long: it is
    another text, or a piece of this one.
    """
    of_page = _words(to_text(page, len(page)))
    known = _Runs([*_words(title), *of_page])
    lines = [_words(line) for line in to_text(own, len(own)).split("\n")]
    lacking = [line for line in lines if known.lack(line)]
    total = sum(map(len, lines))
    other = 2 * sum(map(known.lacking, lacking)) > total
    if total > len(of_page) or (other and 2 * total > len(of_page)):
        return ""
    if not lacking and ("<img" in page or "<img" not in own):
        return page
    return _joined(page, sanitize(own, url), known)


class _Runs:
    """The runs of words that a text has."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    @cached_property
    def _by_length(self) -> dict[int, frozenset[tuple[str, ...]]]:
        return {length: frozenset(_runs(self._words, length)) for length in range(1, _RUN + 1)}

    def lacking(self, words: Sequence[str]) -> int:
        """How many runs of `words` the text does not have."""
        length = min(_RUN, len(words))
        return sum(run not in self._by_length[length] for run in _runs(words, length))

    def lack(self, words: Sequence[str]) -> bool:
        """Whether the text does not have `words`, corrections and a short addition aside."""
        runs = len(words) - min(_RUN, len(words)) + 1
        return self.lacking(words) > max(_MOST_EDITED * runs, min(_MOST_ADDED, runs / 2))


def _runs(words: Sequence[str], length: int) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(length)), strict=False)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _joined(page: str, own: str, known: _Runs) -> str:
    """Each part of the feed's text that is missing stands behind the part that it follows there."""
    from lxml import html

    tree, of_feed = (html.fragment_fromstring(one, create_parent="div") for one in (page, own))
    places = {}
    for block in _blocks(tree):
        places.update(dict.fromkeys(_runs(_block_words(block), _RUN), block))
    pictured = "<img" in page
    before = None
    for block in list(_blocks(of_feed)):
        words = _block_words(block)
        found = [places[run] for run in _runs(words, _RUN) if run in places]
        before = found[-1] if found else before
        for part in _missing(block, words, known, pictured=pictured):
            if before is not None:
                before.addnext(part)
                before = part
            elif _is_links(part):
                tree.append(part)  # "Comments", "Article URL: ..."
            else:
                tree.insert(0, part)
                before = part
    return "".join(html.tostring(one, encoding="unicode") for one in tree)


def _missing(block: Any, words: list[str], known: _Runs, *, pictured: bool) -> Iterator[Any]:
    """What is to be put back of a part of the feed's text."""
    text = _block_text(block)
    lines = () if block.tag in _WHOLE else map(_words, text.split("\n"))
    if known.lack(words) or any(map(known.lack, lines)):
        if block.tag in _LISTS:
            for item in list(block):
                if not known.lack(_block_words(item)):
                    block.remove(item)
        elif (
            block.tag not in _WHOLE
            and known.lacking(words) < (1 - _SHARED) * len(words)
            and len(text) <= LONGEST_TEXT
        ):
            block = _paragraph(
                " ".join(one for one in sentences(text) if known.lack(_words(one))) or text
            )
        yield block
    elif not pictured:
        for picture in list(block.iter("img")):
            if not _INVISIBLE & {picture.get("width"), picture.get("height")}:
                picture.tail = None
                around = _paragraph("")
                around.append(picture)
                yield around


def _blocks(wrapper: Any) -> Iterator[Any]:
    """The paragraphs, lists, tables and pictures in it; loose text is put into paragraphs."""
    loose = None
    text, wrapper.text = wrapper.text or "", None
    if text.strip():
        loose = _paragraph(text)
        wrapper.insert(0, loose)
    for child in list(wrapper):
        if child is loose:
            continue
        tail, child.tail = child.tail or "", None
        before = child
        if child.tag in _BLOCKS:
            loose = None
        elif child.tag == "br" and loose is not None and _ends_with_break(loose):
            before = loose
            wrapper.remove(child)
            loose = None
        else:
            if loose is None:
                loose = _paragraph("")
                child.addprevious(loose)
            loose.append(child)
            child.tail = tail
            continue
        if tail.strip():
            loose = _paragraph(tail)
            before.addnext(loose)
    for child in list(wrapper):
        if child.tag in _WRAPPERS:
            yield from _blocks(child)
        else:
            yield child


def _ends_with_break(paragraph: Any) -> bool:
    last = paragraph[-1] if len(paragraph) else None
    return last is not None and last.tag == "br" and not (last.tail or "").strip()


def _is_links(block: Any) -> bool:
    linked = sum(len(link.text_content()) for link in block.iter("a"))
    return bool(linked) and 2 * linked >= len(block.text_content())


def _block_text(block: Any) -> str:
    from lxml import html

    shown = html.tostring(block, encoding="unicode")
    return to_text(shown, len(shown))


def _block_words(block: Any) -> list[str]:
    return _words(_block_text(block))


def _paragraph(text: str) -> Any:
    from lxml import html

    made = html.Element("p")
    made.text = text
    return made
