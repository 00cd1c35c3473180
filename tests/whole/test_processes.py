"""Several processes at once on one store: no feed polled twice, no row doubled."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

from conftest import Whole

from commands import run_at_once
from publisher import Publisher, rss

FEEDS = 40
PROCESSES = 3


def test_runs_at_once_share_the_work(whole: Whole, publisher: Publisher, tmp_path: Path) -> None:
    urls = [
        publisher.puts(
            f"/{feed}.xml",
            rss(
                f"Feed {feed}",
                (f"{feed}-1", f"https://feed{feed}.test/1", f"Own news of feed {feed}"),
                (f"{feed}-2", "https://shared.test/story", "The story every feed carries"),
            ),
        )
        for feed in range(FEEDS)
    ]
    whole.follow(*urls)
    environment = {
        **os.environ,
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": publisher.host,
        "NEWSLOOM_FETCH_PER_HOST": "4",
        # Few at once, so that each process leaves the others something.
        "NEWSLOOM_FETCH_CONCURRENCY": "3",
        "NEWSLOOM_PAGES_ICONS": "false",
        # The articles are alike but for a number; they are not to share rows here.
        "NEWSLOOM_DUPLICATES_EVENT_PROBABILITY": "1",
        "NEWSLOOM_DUPLICATES_EVENT_WITH_NAMES": "1",
    }
    done = run_at_once(*[("run", "--json")] * PROCESSES, environment=environment)
    reports = [json.loads(one.stdout)["polls"] for one in done]
    assert Counter(path for path, _headers in publisher.asked) == Counter(
        f"/{feed}.xml" for feed in range(FEEDS)
    )
    assert sum(report["feeds"] for report in reports) == FEEDS
    assert sum(report["new"] for report in reports) == FEEDS + 1
    assert sum(report["duplicates"] for report in reports) == FEEDS - 1
    assert whole.app.reader().unread() == FEEDS + 1
