"""Briefs without a language model out of a store's own articles, replayed day by day: whether each
sentence stands in its source, and how many words of those asked for there are.

    python lab/scripts/brief_faithfulness.py 50

The store is that of the settings (NEWSLOOM_STORE_PATH). Days with most articles come first; of each
a brief at noon of 5 minutes, one in the evening of 20 and one of 10 on the next morning, the later
ones with the memory of those before. Nothing is written.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from newsloom.app import open_app
from newsloom.app.reader import Reader
from newsloom.briefs.phrases import phrases
from newsloom.briefs.planning import plan
from newsloom.briefs.service.briefs import composed
from newsloom.briefs.values import BriefScript, BriefWish, LineKind
from newsloom.digests.values import Memory
from newsloom.kernel.settings import load
from newsloom.reading.values.reading import ListQuery, Order, Rows
from newsloom.summaries.said import length
from newsloom_lab.evaluate.faithful import unfounded

RATES = {"en": 165.0, "de": 135.0, "ko": 110.0}
TIMES = ((12, 5), (19, 20), (31, 10))  # hours after midnight, minutes
LEAST_ARTICLES = 10  # of a day that is replayed


def days(reader: Reader) -> list[datetime]:
    """Those with articles, the most first."""
    found: Counter[datetime] = Counter()
    query = ListQuery(order=Order.NEWEST, unread_only=False, limit=10_000, rows=Rows.ARTICLE)
    for one in reader.page(query):
        found[one.dated.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)] += 1
    return [day for day, count in found.most_common() if count >= LEAST_ARTICLES]


def replayed(reader: Reader, language: str) -> Iterator[BriefScript]:
    for day in days(reader):
        memories: list[Memory] = []
        for hour, minutes in TIMES:
            made = composed(
                reader,
                BriefWish((language,), minutes),
                day + timedelta(hours=hour),
                "UTC",
                memories,
                words_per_minute=lambda one: RATES.get(one, 150.0),
            )
            for one in made:
                memories.insert(0, one.memory)
                yield one.script


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    language = sys.argv[2] if len(sys.argv) > 2 else "en"
    reader = open_app(load(None, os.environ)).reader()
    briefs = sentences = missing = near = long_enough = again = 0
    names: set[str] = set()
    begun = time.process_time()
    for script in replayed(reader, language):
        if briefs == most:
            break
        ids = [one.id for one in script.articles]
        texts = {one.id: f"{one.title}\n{one.text}" for one in reader.store.articles.texts(ids)}
        news = [one for one in script.lines if one.kind is LineKind.NEWS]
        wrong = unfounded(script, texts)
        words = sum(length(one.text) for one in script.lines)
        asked = plan(script.minutes, RATES.get(language, 150.0)).words
        short = phrases(language).short in {one.text for one in script.lines}
        if script.minutes == TIMES[0][1]:
            names = set()
        said = {one.text for chapter in script.chapters if chapter.key for one in chapter.lines}
        said &= {one.text for one in news}
        again += len(said & names)
        names |= said
        briefs += 1
        sentences += len(news)
        missing += len(wrong)
        long_enough += not short
        near += not short and abs(words - asked) <= asked / 10
        print(
            f"{script.end:%F %H:%M} {script.minutes:2} min: {words:5} of {asked:5} words,"
            f" {len(script.articles):2} articles, {len(script.chapters) - 2} chapters,"
            f" {len(news):3} sentences, {len(wrong)} not found{', short' if short else ''}"
        )
        for one in wrong:
            print("   ", one.text)
    seconds = (time.process_time() - begun) / max(briefs, 1)
    print(
        f"{briefs} briefs, {sentences} sentences, {missing} not found in their sources;"
        f" {near} of {long_enough} that are not short are within 10 %;"
        f" {again} sentences told twice; {seconds:.2f} s of processor time each"
    )


if __name__ == "__main__":
    main()
