"""Whether a feed changed hands: what must hold, and how often real feeds are taken for others."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from newsloom.feeds.health import identity_of, ownership_changed
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId

URL = "https://garden.example/feed"


def feed(name: str, host: str, language: str, author: str, count: int = 10) -> ParsedFeed:
    articles = tuple(
        ParsedArticle(guid=f"{host}/{n}", url=f"https://{host}/{n}", title=f"{n}", author=author)
        for n in range(count)
    )
    return ParsedFeed("rss 2.0", name, f"https://{host}/", language=language, articles=articles)


GARDEN = feed("Garden Letter", "garden.example", "en-GB", "Ann Green")
CASINO = feed("Spins and Bonuses", "casino.example", "tr", "Croupier")


def due(before: ParsedFeed) -> DueFeed:
    return DueFeed(
        FeedId(1),
        URL,
        "lease",
        host="garden.example",
        title=before.title,
        site_url=before.site_url,
        language=before.language,
        identity=identity_of(before),
    )


def test_all_that_tells_is_another():
    because = ownership_changed(due(GARDEN), CASINO, 10, 0)
    assert because == (
        "Another title, site, language and authors than before, and none of its 10 articles known."
    )


@pytest.mark.parametrize(
    ("now", "known", "held"),
    [
        pytest.param(CASINO, 1, True, id="one of ten known"),
        pytest.param(CASINO, 2, False, id="two of ten known"),
        pytest.param(replace(CASINO, title="The Garden Letter"), 0, False, id="the same title"),
        pytest.param(
            replace(CASINO, site_url="https://www.garden.example/x"), 0, True, id="domain taken"
        ),
        pytest.param(feed("Spins", "casino.example", "tr", "Ann Green"), 0, False, id="an author"),
        pytest.param(replace(CASINO, language="en-US"), 0, True, id="language, the rest another"),
        pytest.param(
            feed("Spins", "casino.example", "en", ""), 0, True, id="no authors, one language"
        ),
        pytest.param(feed("Spins", "casino.example", "tr", ""), 0, True, id="no authors now"),
        pytest.param(feed("Spins", "casino.example", "", ""), 0, True, id="nothing told but these"),
        pytest.param(feed("Spins", "garden.example", "tr", "Croupier"), 0, True, id="articles too"),
        pytest.param(feed("Spins", "garden.example", "en", "Croupier"), 0, False, id="renamed"),
        pytest.param(replace(CASINO, articles=()), 0, False, id="empty"),
    ],
)
def test_what_is_held(now: ParsedFeed, known: int, *, held: bool):
    assert bool(ownership_changed(due(GARDEN), now, len(now.articles), known)) is held


def test_a_site_elsewhere_that_stays_is_the_same_feed():
    """A feed at a service for feeds, whose articles are at home."""
    before, now = (feed(name, "home.example", "en", name) for name in ("Ann Green", "Bo Brown"))
    now = replace(now, language="tr", articles=CASINO.articles, site_url=before.site_url)
    assert ownership_changed(due(before), now, 10, 0) == ""


def test_title_and_site_alone_are_too_little():
    bare = feed("Garden Letter", "garden.example", "", "")
    assert ownership_changed(due(bare), CASINO, 10, 0) == ""


def test_a_feed_without_a_history_is_nobody_elses():
    assert ownership_changed(replace(due(GARDEN), identity=None), CASINO, 10, 0) == ""


def test_what_is_kept_of_a_feed_is_bounded():
    many = tuple(
        ParsedArticle(url=f"https://h{n}.example/", author="x" * 10_000 + str(n))
        for n in range(999)
    )
    kept = identity_of(replace(GARDEN, articles=many))
    assert len(kept.hosts) <= 40
    assert sum(map(len, kept.authors)) <= 40 * 500


def read(file: Path) -> ParsedFeed | None:
    try:
        found = parse_feed(file.read_bytes(), "https://unknown.example/")
    except ParseError:
        return None
    return found if found.articles else None


def held(before: ParsedFeed, now: ParsedFeed) -> bool:
    ids = {one.guid or one.url for one in before.articles}
    known = sum((one.guid or one.url) in ids for one in now.articles)
    return bool(ownership_changed(due(before), now, len(now.articles), known))


def test_no_real_feed_is_taken_for_another_by_its_next_documents(shared: Path):
    """Every fortieth document of each history, with the next and with one far off."""
    for folder in sorted((shared / "data/feeds/polling").iterdir()):
        documents = [read(one) for one in sorted(folder.glob("*.xml"))[::40]]
        known = [one for one in documents if one is not None]
        for before in known:
            assert not any(held(before, now) for now in (known[0], known[-1]))
        assert not any(map(held, known, known[1:])), folder.name


def test_most_other_feeds_that_tell_enough_are_taken_for_others(shared: Path):
    files = sorted((shared / "data/feeds/real").iterdir())[::4]
    known = [found for one in files if one.is_file() and (found := read(one)) is not None]
    telling = [
        one for one in known if one.title and identity_of(one).authors and identity_of(one).hosts
    ]
    pairs = [(a, b) for a in telling for b in telling if a is not b]
    sample = random.Random(5).sample(pairs, 200)
    assert sum(held(a, b) for a, b in sample) / len(sample) > 0.9
