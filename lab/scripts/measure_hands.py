"""How often a feed is taken for another's: of its own documents never, of other feeds' mostly.

    python lab/scripts/measure_hands.py POLLING REAL

POLLING holds a folder for each feed, its documents in the order of their names; REAL holds one
document of each of many feeds. Every document is judged after the next, the tenth, the fiftieth and
the two hundredth before it; of the others three pairs in ten, "before" and "after". The figures are
in docs/work/decisions/fetching.md.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from pathlib import Path

from newsloom.feeds.health import MOST_KNOWN, identity_of, ownership_changed, traits
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId

STEPS = (1, 10, 50, 200)
SHARE = 0.3
SEED = 1


def read(file: Path) -> ParsedFeed | None:
    try:
        feed = parse_feed(file.read_bytes(), f"https://unknown.example/{file.name}")
    except ParseError:
        return None
    return feed if feed.articles else None


def documents(folder: Path) -> list[ParsedFeed]:
    files = sorted(file for file in folder.iterdir() if file.is_file())
    return [feed for file in files if (feed := read(file)) is not None]


def due(before: ParsedFeed) -> DueFeed:
    return DueFeed(
        FeedId(1),
        "https://unknown.example/",
        "",
        title=before.title,
        site_url=before.site_url,
        language=before.language,
        identity=identity_of(before),
    )


def judged(before: ParsedFeed, now: ParsedFeed) -> tuple[bool, bool, tuple[str, ...]]:
    """Whether its articles are all but new, whether it is held, and what tells of it."""
    ids = {one.guid or one.url for one in before.articles}
    known = sum((one.guid or one.url) in ids for one in now.articles)
    feed, articles = due(before), len(now.articles)
    lines = tuple(name for name, another in traits(feed, now).items() if another is not None)
    return (
        known <= articles * MOST_KNOWN,
        bool(ownership_changed(feed, now, articles, known)),
        lines,
    )


def main(polling: Path, real: Path) -> None:
    own = [
        judged(before, now)
        for folder in sorted(polling.iterdir())
        if folder.is_dir()
        for feed in [documents(folder)]
        for step in STEPS
        for before, now in zip(feed, feed[step:], strict=False)
    ]
    renewed, held = sum(one[0] for one in own), sum(one[1] for one in own)
    print(f"{len(own)} pairs of one feed, {renewed} of them with new articles only: {held} held")
    chance = random.Random(SEED)
    pairs = [
        judged(before, now)
        for before, now in itertools.permutations(documents(real), 2)
        if chance.random() < SHARE
    ]
    found = sum(one[1] for one in pairs)
    print(f"{len(pairs)} pairs of two feeds: {found} held ({found / len(pairs):.1%})")
    for lines, count in Counter(one[2] for one in pairs).most_common():
        of_these = sum(one[1] for one in pairs if one[2] == lines)
        print(f"  telling {', '.join(lines) or 'nothing'}: {count}, {of_these} held")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
