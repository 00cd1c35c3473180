"""Articles shown to a language model by number, and its sentences with the numbers of the articles
that they rest on. Pure.

What it writes is shown to nobody as it comes: `digest.checked` holds it against the articles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from newsloom.digests.values import DigestArticle, WrittenSentence
from newsloom.kernel.text.language import language
from newsloom.llm.purpose import Prompt, Unusable
from newsloom.llm.replies import json_object
from newsloom.llm.untrusted import BYTES_PER_TOKEN, cut, shown
from newsloom.summaries.ranking import MOST_ARTICLES, MOST_CHARACTERS

LONGEST_SENTENCE = 600  # characters; some 60 words, more are no sentence of news
LEAST_ARTICLE_BYTES = 200  # a title and a sentence; where less is left, there are fewer articles

# Tokens of a word in Russian, with what is around sentences; of English ones it is half.
TOKENS_PER_WORD, MORE_TOKENS = 3.5, 60


def _sentence(most: int) -> dict[str, Any]:
    """A sentence with the numbers of its articles, each listed: some servers hold a model to values
    that are listed, and to no bounds."""
    return {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": LONGEST_SENTENCE},
            "articles": {
                "type": "array",
                "minItems": 1,
                "maxItems": most,
                "items": {"type": "integer", "enum": list(range(1, most + 1))},
            },
        },
        "required": ["text", "articles"],
        "additionalProperties": False,
    }


SENTENCE = _sentence(MOST_ARTICLES)
DEPTH = 4  # of objects and lists


def schema(most: int) -> dict[str, Any]:
    """An object with so many sentences at most."""
    listed = {"type": "array", "minItems": 1, "maxItems": most, "items": SENTENCE}
    return {
        "type": "object",
        "properties": {"sentences": listed},
        "required": ["sentences"],
        "additionalProperties": False,
    }


def offered(articles: Sequence[DigestArticle]) -> tuple[DigestArticle, ...]:
    """Those that a model is shown at most, and may name."""
    return tuple(articles[:MOST_ARTICLES])


def prompt(
    rules: str,
    articles: Sequence[DigestArticle],
    ends: str,
    nonce: str,
    *,
    context_tokens: int,
    answer_tokens: int,
    schema: Mapping[str, Any],
) -> Prompt:
    """The rules and the articles, cut so that all and the answer fit the context; `schema` as
    those articles have it."""
    around = len(nonce) + len("[12] \n\n\n")  # of one article
    room = (context_tokens - answer_tokens - len(rules) // 4) * BYTES_PER_TOKEN - len(nonce) - 40
    most = max(room // (LEAST_ARTICLE_BYTES + around), 1)
    those = offered(articles)[:most]
    texts = [(shown(one.title), shown(one.text[:MOST_CHARACTERS])) for one in those]
    sizes = [len(title.encode()) + len(text.encode()) for title, text in texts]
    left = max(room - around * len(texts), LEAST_ARTICLE_BYTES)
    lines = [nonce]
    for number, (both, size) in enumerate(zip(texts, shares(sizes, left), strict=True), 1):
        lines += [_article(number, *both, size), nonce]
    return Prompt(rules, "\n".join([*lines, ends]), _naming(schema, len(texts)), answer_tokens)


def _naming(schema: Any, most: int) -> Any:
    """The same with numbers of so many articles."""
    if schema is SENTENCE:
        return _sentence(most)
    if isinstance(schema, Mapping):
        return {name: _naming(one, most) for name, one in schema.items()}
    return schema


def answer_room(words: int, most: int) -> int:
    """Tokens for sentences of so many words."""
    return min(round(words * TOKENS_PER_WORD) + MORE_TOKENS, most)


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """How many bytes of each fit: the same for all, and what short ones leave is the others'."""
    found = [0] * len(sizes)
    waiting = sorted(range(len(sizes)), key=lambda at: (sizes[at], at))
    while waiting:
        at = waiting.pop(0)
        found[at] = min(sizes[at], room // (len(waiting) + 1))
        room -= found[at]
    return found


def _article(number: int, title: str, text: str, size: int) -> str:
    """Its number and title, and its text on a line of its own."""
    head = cut(title, max(size // 2, size - len(text.encode())))
    lead = cut(text, size - len(head.encode()))
    return f"[{number}] {head}\n{lead}" if lead else f"[{number}] {head}"


def language_words(code: str) -> str:
    """Only what is a language tag: it stands among the rules."""
    known = language(code)
    return f'the language "{known}"' if known else "the language of the articles"


def parse(
    answer: str, articles: Sequence[DigestArticle], most: int
) -> tuple[WrittenSentence, ...] | Unusable:
    """The sentences of an answer that is exactly such an object; else why it is not taken."""
    said = json_object(answer, schema(most), depth=DEPTH)
    if isinstance(said, Unusable):
        return said
    return sentences(said["sentences"], articles, most)


def sentences(
    listed: Any, articles: Sequence[DigestArticle], most: int
) -> tuple[WrittenSentence, ...] | Unusable:
    """The sentences of a list; else why it is not taken."""
    if not isinstance(listed, list):
        return Unusable("its sentences are no list")
    if not listed:
        return Unusable("it wrote no sentence")
    if len(listed) > most:
        return Unusable(f"it wrote more than {most} sentences")
    found: list[WrittenSentence] = []
    for one in listed:
        read = sentence(one, articles)
        if isinstance(read, Unusable):
            return read
        found.append(read)
    return tuple(found)


def sentence(one: Any, articles: Sequence[DigestArticle]) -> WrittenSentence | Unusable:
    """One sentence with its articles; else why it is not taken."""
    if not isinstance(one, dict) or one.keys() != {"text", "articles"}:
        return Unusable("a sentence is not a text with its articles")
    text, numbers = one["text"], one["articles"]
    if not isinstance(text, str) or not text.strip():
        return Unusable("a sentence has no text")
    if len(text) > LONGEST_SENTENCE:
        return Unusable(f"a sentence is longer than {LONGEST_SENTENCE} characters")
    if not isinstance(numbers, list) or not numbers:
        return Unusable("a sentence names no article")
    if any(type(number) is not int for number in numbers):
        return Unusable("the number of an article is no whole number")
    those = offered(articles)
    if not all(1 <= number <= len(those) for number in numbers):
        return Unusable("a sentence names an article that was not offered")
    ids = dict.fromkeys(those[number - 1].id for number in numbers)
    return WrittenSentence(text.strip(), tuple(ids))
