"""What extractors keep of the articles in web pages with known text, and what else they take."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from statistics import mean
from typing import Any

from lxml import html as markup
from lxml.etree import ParserError

from newsloom.feeds.full_text import full_text, get_ready
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.folding import UNSPACED, fold
from newsloom.kernel.text.html import sanitize, to_text
from newsloom_lab.evaluate.full_text_pages import URL, Page

Extract = Callable[[bytes], str]

# A block is kept if an element of its kind has as much of its words.
LEAST_KEPT = 0.8
LOW = 0.5
_KINDS = {"code": ("pre",), "tables": ("table",), "lists": ("ul", "ol"), "pictures": ("img",)}
_AS = {"code": ("pre", "code"), **{name: tags for name, tags in _KINDS.items() if name != "code"}}
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class BlockRecall:
    """Blocks of a kind that the articles have, and those that are in the result."""

    blocks: int
    kept: int


@dataclass(frozen=True, slots=True)
class ExtractorFigures:
    """One extractor; words are counted with how often they occur, and pages count alike."""

    pages: int
    recall: float  # the article's words that are kept
    precision: float  # words of the result that are the article's
    f1: float
    low: int  # pages with F1 under .5
    blocks: Mapping[str, BlockRecall]
    milliseconds: float  # of processor time, a page
    slowest_milliseconds: float
    by_kind: Mapping[str, float]  # F1 by kind of page


@dataclass(frozen=True, slots=True)
class Missing:
    """A block that Newsloom drops."""

    kind: str
    page: str
    number: int  # of the page
    beginning: str


@dataclass(frozen=True, slots=True)
class FullTextReport:
    extractors: Mapping[str, ExtractorFigures]
    left_out: tuple[str, ...]  # peers that are not installed
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class _Score:
    kind: str
    recall: float
    precision: float
    f1: float
    seconds: float
    blocks: Mapping[str, list[tuple[str, bool]]]  # each block's beginning, and whether it is kept


def run(pages: Sequence[Page]) -> FullTextReport:
    get_ready()
    scores = {
        name: [_score(extract, page) for page in pages]
        for name, (module, extract) in EXTRACTORS.items()
        if find_spec(module)
    }
    return FullTextReport(
        {name: _figures(some) for name, some in scores.items()},
        tuple(name for name in EXTRACTORS if name not in scores),
        tuple(
            Missing(kind, score.kind, number, beginning)
            for number, score in enumerate(scores["Newsloom"])
            for kind, blocks in score.blocks.items()
            for beginning, kept in blocks
            if not kept
        ),
    )


def _newsloom(page: bytes) -> str:
    try:
        return full_text(page, URL, "text/html", "")
    except ParseError:
        return ""


def _trafilatura(page: bytes) -> str:
    found = import_module("trafilatura").extract(
        page,
        output_format="html",
        favor_recall=True,
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_images=True,
        include_tables=True,
    )
    return str(found or "")


def _readability(page: bytes) -> str:
    try:
        return str(import_module("readability").Document(page).summary(html_partial=True))
    except Exception:  # noqa: BLE001  # of many kinds, on pages without text
        return ""


EXTRACTORS: Mapping[str, tuple[str, Extract]] = {
    "Newsloom": ("newsloom", _newsloom),
    "trafilatura, recall first": ("trafilatura", _trafilatura),
    "readability-lxml": ("readability", _readability),
}


def _score(extract: Extract, page: Page) -> _Score:
    begun = time.process_time()
    found = extract(page.html)
    seconds = time.process_time() - begun
    found = sanitize(found, URL)
    got, wanted = _words(found), _words(page.text)
    shared = (got & wanted).total()
    recall, precision = shared / max(1, wanted.total()), shared / max(1, got.total())
    f1 = 2 * shared / max(1, got.total() + wanted.total())
    blocks = _compared(page.text, found) if page.marked_up else {}
    return _Score(page.kind, recall, precision, f1, seconds, blocks)


def _words(html: str) -> Counter[str]:
    return Counter(_WORD.findall(fold(to_text(html, len(html)))))


def _compared(wanted: str, found: str) -> Mapping[str, list[tuple[str, bool]]]:
    gold, result = _tree(wanted), _tree(found)
    return {
        kind: [
            (beginning, any(_same(one, other) for other in others))
            for beginning, one in _blocks(gold, tags)
        ]
        for kind, tags in _KINDS.items()
        for others in [[content for _beginning, content in _blocks(result, _AS[kind])]]
    }


def _tree(html: str) -> Any:
    try:
        return markup.fragment_fromstring(html or "<p></p>", create_parent="div")
    except ParserError:
        return markup.Element("div")


def _blocks(tree: Any, tags: Iterable[str]) -> Iterator[tuple[str, Counter[str]]]:
    """The outermost blocks with these tags; pictures by their addresses, without their sizes."""
    names = frozenset(tags)
    for element in tree.iter(*names):
        if element.tag == "img":
            source = element.get("src", "")
            if source.startswith("http"):
                yield source, Counter([source.partition("?")[0]])
        elif not any(around.tag in names for around in element.iterancestors()):
            text = " ".join(element.itertext())
            words = Counter(_WORD.findall(fold(text)))
            if words:
                yield " ".join(text.split())[:60], words


def _same(wanted: Counter[str], found: Counter[str]) -> bool:
    return (wanted & found).total() >= LEAST_KEPT * wanted.total()


def _figures(scores: Sequence[_Score]) -> ExtractorFigures:
    seconds = [one.seconds for one in scores]
    kinds = dict.fromkeys(one.kind for one in scores)
    blocks = {
        kind: [kept for one in scores for _beginning, kept in one.blocks.get(kind, ())]
        for kind in _KINDS
    }
    return ExtractorFigures(
        pages=len(scores),
        recall=mean(one.recall for one in scores),
        precision=mean(one.precision for one in scores),
        f1=mean(one.f1 for one in scores),
        low=sum(one.f1 < LOW for one in scores),
        blocks={kind: BlockRecall(len(some), sum(some)) for kind, some in blocks.items()},
        milliseconds=1_000 * mean(seconds),
        slowest_milliseconds=1_000 * max(seconds),
        by_kind={kind: mean(one.f1 for one in scores if one.kind == kind) for kind in kinds},
    )
