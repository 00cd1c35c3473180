"""Titles that changed under one id, through polling's own judgement: revised, or taken for new?

    python lab/scripts/measure_title_revisions.py FOLDER [--list]

FOLDER holds a folder for each feed with its polls as TIME_*.xml, and title_revisions.csv with the
columns feed, id, title_before, title_after, last_seen_before, first_seen_after. Every poll of every
feed is read in the order of time and judged as polling judges it; then each change of the file is
looked up. `--list` prints those that were not revised, and every id that was held to be used again
for another article. No such id is in the polls known, so each feed's last articles are given the
ids of its first ones too, each pair alone: those should be new. docs/work/quality.md quotes
the figures.
"""

from __future__ import annotations

import argparse
import csv
import html
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

from newsloom.duplicates.incoming import prepare
from newsloom.duplicates.values import Action
from newsloom.feeds.parse.read import parse_feed
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.errors import NewsloomError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom_lab.evaluate.arrival import Arrivals

TIME = "%Y%m%dT%H%M%SZ"
DAYS_APART = timedelta(days=4)


@dataclass(frozen=True)
class Seen:
    """What became of the article of an id in one poll."""

    article: ArticleId
    title: str
    action: Action
    evidence: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", action="store_true", help="Print what was not revised.")
    chosen = parser.parse_args()
    store, actions = Arrivals(), Counter[str]()
    history: dict[str, dict[str, dict[str, Seen]]] = {}
    folders = sorted(one for one in chosen.folder.iterdir() if one.is_dir())
    for number, folder in enumerate(folders, start=1):
        history[folder.name] = _polled(folder, FeedId(number), store, actions)
    print("judged while polling:", dict(actions))
    with (chosen.folder / "title_revisions.csv").open(encoding="utf-8") as lines:
        changes = list(csv.DictReader(lines))
    found = Counter[str]()
    for change in changes:
        what = _became(change, history[change["feed"]])
        found[what] += 1
        if chosen.list and what != "revised":
            print(f"{what}: {change['feed']} {change['title_before']} -> {change['title_after']}")
    print("changes of a title under one id:", len(changes), dict(found))
    again = sum((_given_again(folder) for folder in folders), Counter())
    print("articles given the id of another:", again.total(), dict(again))
    for feed, ids in history.items():
        for guid, polls in ids.items():
            for before, after in _renewed(polls):
                print(f"id used again in {feed}: {guid:.60}: {before.title} -> {after.title}")


def _given_again(folder: Path) -> Counter[str]:
    """What becomes of articles that come days later under the id of another of their feed."""
    first: dict[str, tuple[datetime, ParsedArticle]] = {}
    for file in sorted(folder.glob("*.xml")):
        try:
            parsed = parse_feed(file.read_bytes(), "")
        except NewsloomError:
            continue
        for one in parsed.articles:
            first.setdefault(one.guid or one.url, (_time(file), one))
    rows = sorted(first.values(), key=lambda row: row[0])
    early, late = rows[: len(rows) // 3], rows[-len(rows) // 3 :]
    Random(0).shuffle(late)
    found = Counter[str]()
    for (before, one), (after, other) in zip(early, late, strict=False):
        if after - before > DAYS_APART:
            store = Arrivals()
            for at, article in ((before, one), (after, other)):
                document = ParsedFeed("", articles=(article._replace(guid="an id"),))
                ((_, judged),) = store.take(prepare(document, FeedId(1), at))
            found[judged.judgement.action.value] += 1
    return found


def _polled(
    folder: Path, feed: FeedId, store: Arrivals, actions: Counter[str]
) -> dict[str, dict[str, Seen]]:
    """For each id, and each time it was seen, what it was held to be."""
    seen: dict[str, dict[str, Seen]] = defaultdict(dict)
    for file in sorted(folder.glob("*.xml")):
        try:
            parsed = parse_feed(file.read_bytes(), "")
        except NewsloomError:
            actions["no feed"] += 1
            continue
        time = file.name.partition("_")[0]
        for article, judged in store.take(prepare(parsed, feed, _time(file))):
            judgement, one = judged.judgement, judged.incoming.parsed
            actions[judgement.action.value] += 1
            why = judgement.evidence.detail if judgement.evidence else ""
            for name in {one.guid, one.url, html.unescape(one.url)} - {
                ""
            }:  # as the file may have it
                seen[name][time] = Seen(article, one.title, judgement.action, why)
    return seen


def _time(file: Path) -> datetime:
    return datetime.strptime(file.name.partition("_")[0], TIME).replace(tzinfo=UTC)


def _became(change: dict[str, str], ids: dict[str, dict[str, Seen]]) -> str:
    polls = ids.get(change["id"], {})
    before, after = polls.get(change["last_seen_before"]), polls.get(change["first_seen_after"])
    if before is None or after is None:
        return "not in the polls as told"
    if before.article != after.article:
        return f"{after.action.value}, another article"
    return after.action.value


def _renewed(polls: dict[str, Seen]) -> Iterator[tuple[Seen, Seen]]:
    times = sorted(polls)
    for one, other in pairwise(times):
        if polls[one].article != polls[other].article:
            yield polls[one], polls[other]


if __name__ == "__main__":
    main()
