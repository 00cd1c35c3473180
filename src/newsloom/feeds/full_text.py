"""The article in a web page, as HTML that may be kept. Pure; bounded but for time.

readability-lxml finds it. It takes its time over some pages, so that who calls this must be able to
end it; what would make it, or the parser beneath it, take for ever is refused before.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

from newsloom.feeds.discovery import base_of, decoded
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.decoding import load_detector
from newsloom.kernel.text.html import sanitize, visible
from newsloom.kernel.text.markup import Limits, beyond
from newsloom.kernel.text.repair import prepared

# Pages of newspapers have up to 2 MB, most of it scripts. libxml2 takes 160 s for one tag with
# 120,000 attributes, and is quadratic in depth.
LIMITS = Limits(characters=5_000_000, depth=250, attributes=250, work=4_000_000)

NOT_FOUND = "no article text found on the page"

# A heading before any text. What stands before it is only opened, so it is kept.
_FIRST_HEADING = re.compile(
    r"((?:\s*+<(?:html|body|main|article|section|header|div|span)\b[^>]*+>)*+)\s*+"
    r"<(h[12])\b[^>]*+>(.{0,1000}?)</\2>",
    re.DOTALL,
)


def full_text(page: bytes, url: str, content_type: str, title: str) -> str:
    """The article, its links absolute; without its title where that is the first thing in it.

    Raises ParseError, in words for a person, when there is none to be found.
    """
    html = decoded(page, content_type)
    if len(html) > LIMITS.characters:
        raise ParseError("the page is too large")
    base = base_of(html, url)
    html = prepared(html, base)
    if problem := beyond(html, LIMITS):
        raise ParseError(f"the page is {problem}")
    try:
        # Without the page's address: links are made absolute by what sanitises them.
        found = str(_document()(html).summary(html_partial=True))
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError) as error:
        raise ParseError(NOT_FOUND) from error
    heading = _FIRST_HEADING.match(found)
    if heading and visible(heading[3]).casefold() == visible(title).casefold():
        found = heading[1] + found[heading.end() :]
    clean = sanitize(found, base)
    if not visible(clean):
        raise ParseError(NOT_FOUND)
    return clean


# In the classes and ids of what belongs to an article, though words in them say otherwise.
_CONTENT = re.compile(
    r"footnote|endnote|highlight|syntax|code|prettyprint|figure|gallery", re.IGNORECASE
)
_NO_CONTENT = re.compile(
    r"comment|disqus|share|related|sidebar|promo|menu|newsletter", re.IGNORECASE
)
_BLOCKS = ("pre", "table", "ul", "ol", "dl", "figure", "img", "blockquote")
_ALONE = ("pre", "table", "figure", "blockquote")  # parts of a text by themselves
_MOST_LINKED = 0.2
_MOST_BLOCKS = 500
# Characters beside a block in what wraps only it: "Copy", the name of a language, a caption.
_LABEL = 60


def _neutralise(tree: Any) -> None:
    """Names such as "code-toolbar" and "footnotes" do not speak against what has them."""
    for element in tree.iter("*"):
        names = f"{element.get('class', '')} {element.get('id', '')}"
        if _CONTENT.search(names) and not _NO_CONTENT.search(names):
            element.attrib.pop("class", None)
            if element.tag != "li":  # a footnote is linked by its name
                element.attrib.pop("id", None)


def _in_text(block: Any) -> bool:
    """Whether it is a list without a name that follows a paragraph: one of links, to be read."""
    if block.tag not in {"ul", "ol"} or block.get("class") or block.get("id"):
        return False
    before = block.getprevious()
    return before is not None and before.tag == "p" and bool(before.text_content().strip())


def _beside(text: Any) -> Iterator[Any]:
    """The blocks beside the main part of a text that belong to it by their kind and name."""
    for preceding in (True, False):
        for block in islice(text.itersiblings(*_ALONE, preceding=preceding), _MOST_BLOCKS):
            if not _NO_CONTENT.search(f"{block.get('class', '')} {block.get('id', '')}"):
                yield block


def _wrapped(block: Any, article: Any) -> Iterator[Any]:
    """A block with all in it that could be taken out, and what wraps it alone."""
    yield from block.iter("table", "ul", "div", "section")
    most = len(block.text_content().strip()) + _LABEL
    for around in block.iterancestors():
        length = 0
        for text in around.itertext():
            length += len(text.strip())
            if length > most:
                return
        if around is article:
            return
        yield around


@cache
def _document() -> Any:
    """readability's Document, but for what it does with a page in which it finds nothing."""
    import readability  # 0.1 s for those who ask for full texts

    # It logs what it raises, with lines of files that a worker may not open.
    logging.getLogger("readability").disabled = True
    logging.getLogger("readability.readability").disabled = True

    class Article(readability.Document):  # type: ignore[misc]
        """Raises where Document gives the whole page: when the second, lenient look finds nothing
        either."""

        looked = False

        def remove_unlikely_candidates(self) -> None:
            _neutralise(self.html)
            super().remove_unlikely_candidates()

        def get_preserved_elements(self, node: Any) -> Any:
            """Code, tables, lists and pictures, however short."""
            kept = dict.fromkeys(super().get_preserved_elements(node), True)
            for block in islice(node.iter(*_BLOCKS), _MOST_BLOCKS):
                if self._wanted(block) or _in_text(block):
                    kept.update(dict.fromkeys(_wrapped(block, node), True))
            return kept

        def _wanted(self, block: Any) -> bool:
            """Code has a link in each line of some pages."""
            few_links = bool(self.get_link_density(block) <= _MOST_LINKED)
            return block.tag == "pre" or (few_links and bool(self.class_weight(block) >= 0))

        def get_article(self, candidates: Any, best_candidate: Any, **options: Any) -> Any:
            """With the blocks that stand between the parts of a text, and before its first one."""
            best = best_candidate["elem"]
            part = {"content_score": max(10, 0.2 * best_candidate["content_score"])}
            for block in filter(self._wanted, _beside(best)):
                candidates.setdefault(block, {**part, "elem": block})
            return super().get_article(candidates, best_candidate, **options)

        def select_best_candidate(self, candidates: Any) -> Any:
            if not candidates and self.looked:
                raise ParseError(NOT_FOUND)
            self.looked = True
            return super().select_best_candidate(candidates)

    return Article


def get_ready() -> None:
    """Have everything loaded that an extraction may need."""
    load_detector()
    words = (
        "<p>A sentence that is long enough to be taken for a part of an article's text, with "
        "<a href='https://bücher.example/'>a link</a>.</p>"
    )
    for page in (words * 20, "<p>Short.</p>"):
        with suppress(ParseError):
            full_text(page.encode(), "https://bücher.example/", "", "")
