"""Labelled names in CoNLL columns, read whatever the scheme. Scores nothing.

One token a line with its tag in a column, an empty line behind each sentence, `-DOCSTART-` before
each document. Tags are O, or a prefix and a kind: IO, IOB1, IOB2, IOBES and BILOU are told apart
where chunks begin and end, by the rules of the shared tasks' own `conlleval`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from newsloom.articles.entities.finder import Span
from newsloom.kernel import files
from newsloom.kernel.errors import UserError

_TAG = re.compile(r"O|([BIESLUM])-(\S+)")
_DOCUMENT = "-DOCSTART-"


@dataclass(frozen=True, slots=True)
class Sentence:
    tokens: tuple[str, ...]
    names: frozenset[Span]


Document = tuple[Sentence, ...]


def read_conll(path: Path, column: int = 0) -> tuple[Document, ...]:
    """The documents of a file. `column` is that of the tags, counted from 1; 0: the last one.

    In a file that marks none every sentence is one: what follows may be of another text. WNUT's
    test part as one document instead: F1 .412, not .485. Raises UserError naming the line.
    """
    documents: list[list[Sentence]] = [[]]
    tokens: list[str] = []
    tags: list[str] = []
    marked = False
    for place, line in _lines(path):
        columns = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or columns[0] == _DOCUMENT:
            if tokens:
                documents[-1].append(Sentence(tuple(tokens), frozenset(chunks(tags))))
                tokens, tags = [], []
            if columns and columns[0] == _DOCUMENT:
                marked = True
                documents.append([])
        elif not _comment(line, columns, tokens):
            tags.append(_tag(columns, column, place))
            tokens.append(columns[0].strip())
    if tokens:
        documents[-1].append(Sentence(tuple(tokens), frozenset(chunks(tags))))
    if not any(documents):
        raise UserError(f"{files.shown(path)} holds no sentence.")
    if not marked:
        return tuple((sentence,) for sentence in documents[0])
    return tuple(tuple(sentences) for sentences in documents if sentences)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    content = files.read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(content.split(b"\n"), start=1):
        place = f"{files.shown(path)} line {number}"
        try:
            yield place, line.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise UserError(f"{place} is not UTF-8.") from None


def _comment(line: str, columns: Sequence[str], tokens: Sequence[str]) -> bool:
    """As CoNLL-U has them, before a sentence; "#" is also a token of its own."""
    return not tokens and line.startswith("# ") and not _TAG.fullmatch(columns[-1].strip())


def _tag(columns: Sequence[str], column: int, place: str) -> str:
    if len(columns) < max(column, 2):
        wanted = f"{column} columns" if column else "a token and its tag"
        raise UserError(f"{place} must hold {wanted}, not {' '.join(columns)!r:.60}.")
    tag = columns[column - 1].strip()
    if not _TAG.fullmatch(tag):
        raise UserError(
            f"{place}: {tag!r:.40} is no tag: O, or B-, I-, E- or S- and a kind. "
            "--column names another column."
        )
    return tag


def chunks(tags: Sequence[str]) -> Iterator[Span]:
    """The names that tags of any scheme mark."""
    start, kind, before = 0, "", "O"
    for place, tag in enumerate((*tags, "O")):
        prefix, _, own = tag.partition("-")
        begins = prefix in "BSU" or own != kind or before in "ESL"
        if kind and (prefix == "O" or begins):
            yield Span(start, place, kind)
            kind = ""
        if prefix != "O" and begins:
            start, kind = place, own
        before = prefix
