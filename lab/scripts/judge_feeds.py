"""What is joined, and why, among the articles of a folder of feeds: to be read by a person.

    python lab/scripts/judge_feeds.py FOLDER [--show 60] [--profile measured]

Each file is a feed of its own, and all were polled just now. Layers guid and url merge as polling
does; the later ones judge what is left, names looked for with the shipped model.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from newsloom.articles.entities.finder import recognizer
from newsloom.duplicates import prepare
from newsloom.duplicates.values import PROFILES, Action, Unsigned
from newsloom.engines.pipeline.stages import TEXT_LIMIT
from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId
from newsloom.kernel.text.html import to_text
from newsloom.kernel.text.urls import publisher
from newsloom_lab.evaluate.arrival import Arrivals
from newsloom_lab.evaluate.grouping import grouped

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TITLE = 80  # characters of a title that are shown


def originals(folder: Path) -> Iterator[Unsigned]:
    """What polling leaves for the later layers, feed after feed."""
    arrivals = Arrivals()
    for number, file in enumerate(sorted(folder.iterdir()), start=1):
        try:
            feed = parse_feed(file.read_bytes(), f"https://feed-{number}.test/")
        except ParseError:
            continue
        for article, one in arrivals.take(prepare(feed, FeedId(number), NOW)):
            if one.judgement.action is not Action.NEW:
                continue
            parsed, copy = one.incoming.parsed, one.incoming.copy
            yield Unsigned(
                id=article,
                feed_id=copy.feed_id,
                source=publisher(copy.url),
                dated=copy.dated,
                title=copy.title,
                text=to_text(max(parsed.content, parsed.summary, key=len), TEXT_LIMIT),
                author=parsed.author,
                language=parsed.language,
            )


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__)
    argument_parser.add_argument("folder", type=Path)
    argument_parser.add_argument("--show", type=int, default=60)
    argument_parser.add_argument("--profile", choices=sorted(PROFILES), default="seed")
    values = argument_parser.parse_args()
    articles = {one.id: one for one in originals(values.folder)}
    found = grouped(list(articles.values()), PROFILES[values.profile], recognizer().recognise)
    print(f"{len(articles):,} originals")
    for relation, count in Counter(link.relation for link in found.links).most_common():
        print(f"{count:>6,} {relation.value}")
    for link in found.links[: values.show]:
        a, b = articles[link.article], articles[link.other]
        print(f"\n{link.relation.value}: {'; '.join(one.detail for one in link.evidence)}")
        for one in (a, b):
            print(f"    {one.source or '-'}: {one.title[:TITLE]}")


if __name__ == "__main__":
    main()
