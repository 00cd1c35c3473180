"""Blind reviews: sheets of entries of digests, two versions mixed, judgements counted.

    python lab/scripts/blind_review.py sheet FOLDER 2026-02-11 7 --half 0 >after.jsonl
    python lab/scripts/blind_review.py mix before.jsonl after.jsonl --each 3 >mixed.txt
    python lab/scripts/blind_review.py score KEY.jsonl JUDGE1.jsonl JUDGE2.jsonl JUDGE3.jsonl

A sheet has a line for each entry of each morning from the third day on; run it with PYTHONPATH of
each version. `mix` takes so many entries of each section of each morning, writes them without
their version in random order, and their numbers and versions to the file of `--key`. A judge reads
reviews/rubric.md and answers with a line for each entry. `score` prints the share of entries that
pass each question, and all six, for each version: an entry passes what most judges pass, with 95%
intervals by a bootstrap of mornings. Sheets of stories and threads come from replay_stories.py and
are mixed and counted alike: by reviews/stories.md, with one question and without mornings. Sheets
hold texts of publishers and stay outside the project; keys and judgements do not.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, time, timedelta
from pathlib import Path
from typing import Any

QUESTIONS = ("heading", "newest", "alone", "once", "news", "grouped")
LONGEST = 500  # characters of an article's text that a judge sees
ARTICLES = 12  # of an entry
WHOLE = 9_999  # days: all that a folder has
FIRST_DAY = 2  # mornings before have no earlier digest


def sheet(given: Namespace) -> None:
    """Replay the days and print the entries of each morning."""
    from newsloom_lab.evaluate.replay import replay
    from newsloom_lab.evaluate.week import read_week

    every = read_week(given.folder, WHOLE)
    first = every.begin.combine(date.fromisoformat(given.begin), time(), UTC)
    inside = tuple(
        one
        for one in every.articles
        if one.published is not None
        and first <= one.published < first + timedelta(given.days)
        and given.half in (-1, _half(one.source))
    )
    week = replace(every, begin=first, days=given.days, articles=inside)
    found = replay(week)
    for made in found.made:
        digest = made.digest
        if str(digest.kind) != "morning" or digest.end < week.begin + timedelta(FIRST_DAY):
            continue
        sections = [
            ("top", digest.top),
            ("other", (*getattr(digest, "for_you", ()), *digest.noteworthy)),
        ]
        topics = [(name, topic) for name, those in sections for topic in those]
        for (section, topic), text in zip(topics, _entries(made.markdown), strict=True):
            articles = [
                {
                    "title": one.title,
                    "by": one.publisher,
                    "at": f"{one.published:%d %b %H:%M}",
                    "text": " ".join(found.articles[one.id].body.split())[:LONGEST],
                }
                for one in (topic.lead, *topic.related)[:ARTICLES]
            ]
            morning = f"{given.folder.name}{given.half} {digest.end:%Y-%m-%d}"
            line = {"morning": morning, "section": section, "entry": text, "articles": articles}
            print(json.dumps(line, ensure_ascii=False))


def _half(source: str) -> int:
    return hashlib.sha256(source.encode()).digest()[0] % 2


def _entries(markdown: str) -> list[str]:
    """The text of each entry of a digest, without addresses."""
    news = markdown.partition("\n## Also mentioned")[0].partition("\n## Round-ups")[0]
    news = news.partition("\n## Feed health")[0]
    plain = re.sub(r"\]\(https?://[^)]*\)", "]", news)
    plain = re.sub(
        r"(?m)^(?:## .*|_[^_]*_)$\n", lambda found: found[0] if "," in found[0] else "", plain
    )
    return [one.strip() for one in re.split(r"(?m)^### ", plain)[1:]]


def mix(given: Namespace) -> None:
    """Print entries of two versions in random order; their versions go to the key."""
    chance = random.Random(given.seed)
    chosen = []
    for version, path in (("before", given.before), ("after", given.after)):
        groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for line in path.read_text().splitlines():
            one = json.loads(line)
            groups[one["morning"], one["section"]].append(one)
        for those in groups.values():
            taken = chance.sample(those, min(given.each, len(those)))
            chosen += [(version, one) for one in taken]
    chance.shuffle(chosen)
    with given.key.open("w") as key:
        for number, (version, one) in enumerate(chosen, start=1):
            facts = {
                "n": number,
                "version": version,
                "morning": one["morning"],
                "section": one["section"],
            }
            print(json.dumps(facts), file=key)
            of_digest = bool(one["articles"])
            day = f" ({one['morning'].split()[-1]}, morning)" if of_digest else ""
            print(f"=== {number}{day}")
            print(one["entry"] + ("\n--- articles" if of_digest else ""))
            for each in one["articles"]:
                print(f"* {each['title']} ({each['by']}, {each['at']}): {each['text']}")
            print()


def score(given: Namespace) -> None:
    """Print what passes, by version."""
    keys = {one["n"]: one for one in _lines(given.key)}
    votes: dict[int, list[dict[str, int]]] = defaultdict(list)
    for path in given.judgements:
        for one in _lines(path):
            votes[one["n"]].append(one)
    digests = all("ok" not in one for those in votes.values() for one in those)
    questions = QUESTIONS if digests else ("ok",)
    mornings: dict[str, dict[str, list[dict[str, bool]]]] = defaultdict(lambda: defaultdict(list))
    agreed = []
    for number, those in votes.items():
        passed = {name: 2 * sum(one[name] for one in those) > len(those) for name in questions}
        if digests:
            passed["all six"] = all(passed.values())
        agreed += [len({one[name] for one in those}) == 1 for name in questions]
        for version in keys[number]["version"].split():
            label = version if digests else f"{version} {keys[number]['section']}"
            mornings[label][keys[number]["morning"]].append(passed)
    print(
        f"{len(votes)} entries, {len(given.judgements)} judges; all agree in {_share(agreed):.0%}"
    )
    shown = (*questions, "all six") if digests else questions
    print(f"{'':14}{'entries':>8}" + "".join(f"{name:>18}" for name in shown))
    for version, found in sorted(mornings.items()):
        every = [one for each in found.values() for one in each]
        cells = [f"{version:14}{len(every):8}"]
        for name in shown:
            low, high = _interval([[one[name] for one in each] for each in found.values()])
            cells.append(f"{_share(one[name] for one in every):6.0%} [{low:4.0%}, {high:4.0%}]")
        print("".join(cells))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def _share(passed: Iterable[bool]) -> float:
    known = list(passed)
    return sum(known) / max(len(known), 1)


def _interval(mornings: list[list[bool]]) -> tuple[float, float]:
    chance = random.Random(1)
    drawn = sorted(
        _share(one for each in chance.choices(mornings, k=len(mornings)) for one in each)
        for _ in range(2_000)
    )
    return drawn[50], drawn[-51]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("sheet")
    one.add_argument("folder", type=Path)
    one.add_argument("begin")
    one.add_argument("days", type=int)
    one.add_argument("--half", type=int, default=-1, help="0 or 1: half of the feeds")
    one.set_defaults(run=sheet)
    one = commands.add_parser("mix")
    one.add_argument("before", type=Path)
    one.add_argument("after", type=Path)
    one.add_argument("--each", type=int, default=3)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--key", type=Path, default=Path("key.jsonl"))
    one.set_defaults(run=mix)
    one = commands.add_parser("score")
    one.add_argument("key", type=Path)
    one.add_argument("judgements", type=Path, nargs="+")
    one.set_defaults(run=score)
    given = parser.parse_args(sys.argv[1:])
    given.run(given)


if __name__ == "__main__":
    main()
