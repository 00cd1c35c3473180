"""How many sentences, fair and spoiled by rules, pass the checks of a language model's sentences.

    python lab/scripts/spoil_sentences.py FILE.jsonl [ARTICLES]

Fair: the first clause alone; without its day or week. Spoiled: a day or week put in or changed, a
name changed to another of the article, two names exchanged, "not" put in or left out, what is
quoted told as a fact, half of a sentence with half of the next. Some that pass are true all the
same.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.ranking.measure.articles import as_text, read_articles
from newsloom.summaries.checks.evidence import reason_against
from newsloom.summaries.checks.grounds import Written, clauses_of, grounds
from newsloom.summaries.credited import credited

SENTENCES, SHORTEST, LONGEST, READ = 4, 10, 45, 6_000
TIMES = ("last week", "on Tuesday", "this month", "next year")
TIME = re.compile(
    " (?:(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:last|next|this) (?:week|month|year))"
)
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)?")


def spoiled(
    text: str, following: str, names: list[str], chance: random.Random
) -> Iterator[tuple[str, str]]:
    clauses = [one.strip(" ,;:.") for one in clauses_of(text)]
    if len(clauses) > 1 and len(clauses[0].split()) >= 6:
        yield "fair: the first clause", clauses[0][0].upper() + clauses[0][1:] + "."
    if time := TIME.search(text):
        yield "fair: without its time", text.replace(time[0], "", 1)
        other = chance.choice([one for one in TIMES if one not in time[0]])
        yield "another time", text.replace(time[0], f" {other}", 1)
    elif text.endswith("."):
        yield "a time put in", f"{text[:-1]} {chance.choice(TIMES)}."
    own = NAME.findall(text)
    if own and (others := [one for one in names if one not in text]):
        yield "another name", text.replace(chance.choice(own), chance.choice(others), 1)
    if len(set(own)) > 1:
        one, other = chance.sample(sorted(set(own)), 2)
        yield "names exchanged", text.replace(one, "\0").replace(other, one).replace("\0", other)
    if match := re.search(" (?:not|never|no) ", text):
        yield "not left out", text.replace(match[0], " ", 1)
    if match := re.search(" (?:is|was|were|has|had|will|would|could) ", text):
        yield "not put in", text.replace(match[0], f"{match[0]}not ", 1)
    for quoted in re.findall(r"[“\"]([^“”\"]{40,})[.,]?[”\"]", text)[:1]:
        yield "a quotation as a fact", quoted[0].upper() + quoted[1:].rstrip(",.") + "."
    rest = [one.strip(" ,;:") for one in clauses_of(following)][-1:]
    if rest and len(clauses[0].split()) >= 5 and len(rest[0].split()) >= 5:
        yield "half and half", f"{clauses[0]} {rest[0]}"


def main(file: Path, most: int) -> None:
    chance, made, passed = random.Random(5), Counter[str](), Counter[str]()
    rows = list(read_articles(file))
    chance.shuffle(rows)
    for row in rows[:most]:
        article = credited(replace(as_text(row), id=ArticleId(1)))
        ground, names = grounds(article), NAME.findall(article.text)
        known = [
            one for one in sentences(article.text[:READ]) if SHORTEST <= len(one.split()) <= LONGEST
        ]
        for at in chance.sample(range(len(known) - 1), min(SENTENCES, max(len(known) - 1, 0))):
            for kind, text in spoiled(known[at], known[at + 1], names, chance):
                made[kind] += 1
                passed[kind] += not reason_against(Written.of(text, article.language), [ground])
    for kind, count in sorted(made.items()):
        print(f"{kind:24} {passed[kind]:4} of {count:4} pass, {passed[kind] / count:.1%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
