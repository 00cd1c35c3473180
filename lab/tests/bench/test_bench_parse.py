"""The two measurements over feeds, on our own samples: complete and everything explained."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.errors import ParseError
from newsloom_lab.bench import damage
from newsloom_lab.bench.parse import agreement, run
from parse.builders import SAMPLES, numbered

PAGE = "<html><body>no feed</body></html>"


@pytest.fixture
def feeds(tmp_path: Path) -> Path:
    """The samples both parsers know: feedparser reads no JSON Feed."""
    for file in SAMPLES.glob("*.[xr]*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_every_parser_is_measured(feeds: Path) -> None:
    (feeds / "page").write_text(PAGE)
    bench = run(feeds, repeat=1)
    assert bench.feeds == len(list(feeds.iterdir()))
    assert bench.articles == 14
    assert bench.failed == 1
    assert {"feedparser", "lxml tree"} <= set(bench.peers)
    assert bench.peers["feedparser"].articles == bench.articles
    assert bench.articles_per_second > 0
    assert len(bench.table()) == len(bench.peers) + 1
    json.dumps(bench.to_json())


def test_no_difference_is_left_unexplained(feeds: Path) -> None:
    report = agreement(feeds)
    assert report.compared == report.articles == report.feedparser_articles == 14
    assert [one for one in report.differences if one.verdict == "unexplained"] == []
    assert report.agreement == 1.0
    assert report.counts_differ == ()
    json.dumps(report.to_json())
    assert asdict(report) == report.to_json()


def test_a_difference_without_a_class_is_counted(tmp_path: Path) -> None:
    item = "<item><title>a</title><guid>1</guid><pubDate>{}</pubDate></item>"
    body = f"<rss version='2.0'><channel>{item.format('2 January 2024, 3 Uhr')}</channel></rss>"
    (tmp_path / "feed").write_text(body)
    report = agreement(tmp_path)
    assert (report.unexplained, report.agreement, report.fields["published"]) == (1.0, 0.0, 0.0)


def test_a_refused_document_is_named(tmp_path: Path) -> None:
    (tmp_path / "page").write_text(PAGE)
    assert agreement(tmp_path).refused == (("page", "The document is an HTML page, not a feed."),)


def test_real_feeds_are_all_read(shared: Path) -> None:
    feeds = [parse_feed(file.read_bytes(), "") for file in (shared / "data/feeds/real").iterdir()]
    assert len(feeds) == 181
    assert all(feed.articles for feed in feeds)
    # feedparser finds 5,395: nothing in one feed whose attributes have no quotes, 35 for us.
    assert sum(len(feed.articles) for feed in feeds) == 5_430


def test_the_validator_suite_neither_crashes_nor_hides(shared: Path) -> None:
    read = refused = 0
    for file in (shared / "data/feeds/suite_feedvalidator/testcases").rglob("*.xml"):
        try:
            parse_feed(file.read_bytes(), "https://suite.test/feed")
            read += 1
        except ParseError:
            refused += 1
    assert read > 1_700
    assert refused > 250


def test_damaged_copies_are_read_as_well_as_by_feedparser(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.xml").write_text(numbered(9 + number), encoding="utf-8")
    report = damage.run(tmp_path)
    assert [one.kind for one in report.kinds] == [kind for kind, _ in damage.KINDS]
    for one in report.kinds:
        assert one.feeds == 3
        if one.kind != "truncated half, of all articles":  # half an article is none
            assert one.found["newsloom"] == 1.0, one.kind
    assert len(report.table()) == len(damage.KINDS)
    json.dumps(report.to_json())
