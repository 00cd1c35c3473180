"""Queries for an article, of its own words alone: by rules, and checked when a model wrote them.

A query goes to a search service. Built of nothing but words of the article, it can carry no
operator, no address and nothing that is not in the article, whoever wrote the article or the query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsloom.coverage.values import Prepared
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.headlines import without_publisher
from newsloom.kernel.text.language import language as code
from newsloom.kernel.text.stop_words import stop_words

# Raise it with any change of what the rules make: it names them in the audit.
RULES = "rules@1"

# Seed 002: two or three queries of 5 to 10 words found 3,894 hits where titles alone found 71.
FEWEST_WORDS, MOST_WORDS = 5, 10
MOST_QUERIES = 3
MOST_ENTITIES = 5
MOST_KEYWORDS = 8
MOST_TICKERS = 5
# An article that says less gets one query of what there is.
LEAST_WORDS = 2

# Characters of an article whose words may stand in a query.
LONGEST_TITLE, LONGEST_TEXT = 500, 4_000
LONGEST_WORD = 40
LONGEST_NAME = 80

# What is joined by these is one word to a search service: "COVID-19", "AT&T", "O'Neill", "3.5".
_WORD = re.compile(r"[^\W_]+(?:[-.&'’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
# "(NYSE: IBM)", "(NASDAQ:AAPL)", "$TSLA"
_TICKER = re.compile(
    r"\((?:NYSE|NASDAQ|LSE|LON|TSX|ASX|HKEX|FRA|ETR|EPA|AMEX|NSE|BSE)\s*:\s*([A-Z0-9.]{1,6})\)"
    r"|(?<![\w$])\$([A-Z]{1,5})(?![\w.])"
)
# Read as operators by search services when they are in capitals.
_OPERATORS = frozenset(("or", "and", "not", "around", "near"))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules see of an article."""

    title: str
    text: str
    language: str = ""
    names: tuple[tuple[str, str], ...] = ()  # (kind, as printed), the first in the text first
    rare: tuple[str, ...] = ()  # words as printed, the rarest first
    publishers: tuple[str, ...] = ()  # its own names and domains


def by_rules(facts: Facts) -> Prepared:
    """Without a model: the title's words, names with rare words, numbers with rare words."""
    title = _title_words(facts)
    names = [
        name
        for kind, name in facts.names
        if kind != "date" and any(map(str.isalpha, name)) and len(name) > 1
    ]
    entities = tuple(dict.fromkeys(name[:LONGEST_NAME] for name in names))[:MOST_ENTITIES]
    named = [word for name in entities for word in query_words(name)]
    rare = [word for one in facts.rare for word in query_words(one)]
    numbers = [word for word in title if _NUMBER.fullmatch(word)]
    tried = (
        _filled(title, rare),
        _filled([*named[:6], *numbers], rare),
        _filled([*rare[:4], *named[:4]], title),
    )
    known = vocabulary(facts.title, facts.text)
    found = dict.fromkeys(
        " ".join(word for word in one if word.casefold() in known) for one in tried
    )
    queries = [one for one in found if len(one.split()) >= LEAST_WORDS]
    long = [one for one in queries if len(one.split()) >= FEWEST_WORDS]
    kept = tuple((long or queries[:1])[:MOST_QUERIES])
    return Prepared(kept, entities, tuple(rare[:MOST_KEYWORDS]), tickers(facts.title, facts.text))


def checked(said: Prepared, title: str, text: str) -> Prepared:
    """What of a model's answer stands in the article; all else is left out.

    Without a query that is left the answer is none: `queries` is empty then.
    """
    known = vocabulary(title, text)
    queries: dict[str, None] = {}
    for one in said.queries:
        found = _stands(one, known)
        if FEWEST_WORDS <= len(found.split()) <= MOST_WORDS:
            queries.setdefault(found)
    held = set(tickers(title, text)) | {one for one in known.values() if one.isupper()}
    return Prepared(
        queries=tuple(queries)[:MOST_QUERIES],
        entities=_standing(said.entities, known, MOST_ENTITIES),
        keywords=_standing(said.keywords, known, MOST_KEYWORDS),
        tickers=tuple(dict.fromkeys(one for one in said.tickers if one in held))[:MOST_TICKERS],
    )


def query_words(text: str) -> list[str]:
    """The words of a text as a query may have them: no signs between, nothing in capitals that an
    operator is."""
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", plain(text))):
        bare = _POSSESSIVE.sub("", match[0])
        if bare and len(bare) <= LONGEST_WORD:
            found.append(bare.lower() if bare.lower() in _OPERATORS else bare)
    return found


def vocabulary(title: str, text: str) -> dict[str, str]:
    """The words of an article in small letters, each as it is printed first."""
    found: dict[str, str] = {}
    for word in query_words(f"{title[:LONGEST_TITLE]}\n{text[:LONGEST_TEXT]}"):
        found.setdefault(word.casefold(), word)
    return found


def tickers(title: str, text: str) -> tuple[str, ...]:
    """Signs of shares that an article gives: "(NYSE: IBM)", "$TSLA"."""
    found = _TICKER.finditer(f"{title[:LONGEST_TITLE]}\n{text[:LONGEST_TEXT]}")
    return tuple(dict.fromkeys(one[1] or one[2] for one in found))[:MOST_TICKERS]


def queries_of(prepared: Prepared, title: str, publishers: Sequence[str], most: int) -> list[str]:
    """What is searched for: the prepared queries, and the title in its own words."""
    head = query_words(without_publisher(plain(title[:LONGEST_TITLE]), tuple(publishers)))[
        :MOST_WORDS
    ]
    whole = (*prepared.queries[: most - 1], " ".join(head))
    seen: dict[str, str] = {}
    for one in whole:
        if len(one.split()) >= LEAST_WORDS:
            seen.setdefault(one.casefold(), one)
    return list(seen.values())[:most]


def _title_words(facts: Facts) -> list[str]:
    bare = without_publisher(plain(facts.title[:LONGEST_TITLE]), facts.publishers)
    stops = stop_words(code(facts.language))
    return [
        word
        for word in query_words(bare)
        if word.casefold() not in stops and (len(word) > 1 or word.isdigit() or ord(word) > 255)
    ]


def _filled(first: Iterable[str], more: Iterable[str]) -> list[str]:
    """Each once, filled up to a length that finds something."""
    kept: dict[str, str] = {}
    for word in first:
        kept.setdefault(word.casefold(), word)
    chosen = dict(list(kept.items())[:MOST_WORDS])
    for word in more:
        if len(chosen) > FEWEST_WORDS:
            break
        chosen.setdefault(word.casefold(), word)
    return list(chosen.values())


def _stands(query: str, known: dict[str, str]) -> str:
    """A query in the article's words; "" when one of its words is none of them, or it is no plain
    row of words."""
    if len(query) > MOST_WORDS * LONGEST_WORD:
        return ""
    if _ODD.search(query) or not plain(query).isprintable():
        return ""
    found = query_words(query)
    if not found or any(one.casefold() not in known for one in found):
        return ""
    return " ".join(found)


# Operators, addresses, quotes, more than one line: who writes them wants more than a search.
_ODD = re.compile(r"[\n\r\t\"|(){}\[\]<>*=\\^~:]|//|\bwww\.|(?<!\w)[-+]\w|@", re.IGNORECASE)


def _standing(said: Sequence[str], known: dict[str, str], most: int) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for one in said:
        found = query_words(one) if len(one) <= LONGEST_NAME else []
        if found and all(word.casefold() in known for word in found):
            kept.setdefault(" ".join(found))
    return tuple(kept)[:most]
