"""The built-in sample by the whole path: served, polled, judged, stored, read, ranked."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Whole, _settings

from newsloom.app import App, open_app, utc_now
from newsloom.briefs.selecting import FOR_YOU, parts
from newsloom.briefs.service.briefing import briefing
from newsloom.briefs.service.briefs import selected
from newsloom.briefs.values import BriefWish
from newsloom.cli.serving import rate_sample
from newsloom.feeds.service import subscribing
from newsloom.feeds.values.polling import PassReport
from newsloom.ranking.measure.metrics import roc_auc
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.sample import SampleServer
from newsloom.sample.content import LAST_GENERATION, NAMES, planted, sample

HOSTS = tuple(f"{name}.localhost" for name in NAMES)
LOVED = ("Quadrant", "Circuit & Signal", "Stack Frame")
HATED = ("Touchline", "Table & Pulse", "The Lantern", "The Northern Ledger")


async def passes(app: App) -> list[PassReport]:
    """A pass over each generation of the sample, an hour apart."""
    reports = []
    async with SampleServer(now=utc_now, port=0) as server:
        reader = app.reader()
        subscribing.import_opml(reader, server.opml())
        feeds = [one.feed_id for one in reader.subscriptions()]
        for _generation in range(LAST_GENERATION + 1):
            reports.append(await app.runner().once(feeds))
            server.advance()
    return reports


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[PassReport]]:
    """A store after these passes, to copy, and their reports."""
    path = tmp_path_factory.mktemp("passed") / "news.db"
    with closing(open_app(_settings(path, *HOSTS), utc_now)) as app:
        return path, asyncio.run(passes(app))


@pytest.fixture
def seen(
    passed: tuple[Path, list[PassReport]], open_whole: Callable[..., Whole], tmp_path: Path
) -> tuple[Whole, list[PassReport]]:
    path, reports = passed
    shutil.copy(path, tmp_path / "news.db")
    return open_whole(*HOSTS), reports


def test_everything_planted_is_found(seen: tuple[Whole, list[PassReport]]) -> None:
    whole, reports = seen
    truth = planted()
    copies = sum(len(feed.shown(LAST_GENERATION)) for feed in sample())
    assert all(report.polls.failed == 0 for report in reports)
    assert sum(report.polls.duplicates for report in reports) == len(truth.duplicates)
    assert sum(report.polls.new for report in reports) == copies - len(truth.duplicates)
    assert sum(report.polls.revised for report in reports) >= len(truth.revisions)
    rows = whole.app.reader().page(ListQuery(limit=1_000))
    together = [*truth.wires.values(), *truth.events.values()]
    extra = sum(len(keys) - 1 for keys in together)
    assert len(rows) == copies - len(truth.duplicates) - extra
    assert sum(row.also_in for row in rows) >= len(truth.duplicates)
    behind = sum(row.cluster.articles - 1 for row in rows if row.cluster)
    assert behind == len(truth.duplicates) + extra
    assert sum(row.version is not None for row in rows) == 2 * len(truth.reissued)
    assert whole.app.reader().unread() == len(rows)


def test_every_article_is_read_and_scored(seen: tuple[Whole, list[PassReport]]) -> None:
    whole, reports = seen
    rows = whole.app.reader().page(ListQuery(limit=1_000))
    assert whole.app.reader().status().scoring_left == 0
    assert {stage.problem for report in reports for stage in report.stages} == {""}
    assert {row.sensitivity for row in rows} <= {1, 2, 3, 4, 5}
    assert len({row.sensitivity for row in rows}) >= 4
    scores = [row.score for row in rows if not row.lowered]
    assert scores == sorted(scores, reverse=True)


def test_it_comes_with_likes_that_rank_it(seen: tuple[Whole, list[PassReport]]) -> None:
    whole, _reports = seen
    reader = whole.app.reader()
    for _start in range(2):  # what is rated already stays so
        asyncio.run(rate_sample(reader))
        assert reader.judged() == reader.needed()
    whole.run([])
    assert reader.status().personal
    assert reader.page(ListQuery(limit=1))[0].feed_title in LOVED


def test_a_source_that_is_muted_or_put_low_falls_in_the_brief(
    seen: tuple[Whole, list[PassReport]],
) -> None:
    """One is muted by a rule; another is put into tier 5."""
    whole, _reports = seen
    whole.clock.stop()
    reader = whole.app.reader()
    low, muted = "touchline.localhost", "ledger.localhost"

    def sources() -> list[str]:
        """Of the matters that a brief could tell, in order."""
        found = selected(reader, "en", whole.clock()).offered
        return [one.articles[0].source for one in found]

    before = sources()
    assert muted in before
    reader.sources.set_tier(low, 5)
    only = (RuleCondition("domain", muted),)
    rules.save(reader, Rule("Not for me", RuleMatch.ALL, only, (RuleAction("mute", ""),)))
    whole.run([])
    after = sources()
    assert muted not in after
    remaining = [one for one in before if one != muted]
    places = [[at for at, one in enumerate(those) if one == low] for those in (remaining, after)]
    assert places[0] < places[1]
    (brief,) = briefing(whole.app).composed(
        whole.app.user, BriefWish(minutes=10), "UTC", whole.clock()
    )
    assert not [one.url for one in brief.script.articles if f"//{muted}" in one.url]


def test_likes_make_it_personal_and_reorder(seen: tuple[Whole, list[PassReport]]) -> None:
    """Half of some feeds liked, half of others disliked: the other halves follow."""
    whole, _reports = seen
    reader = whole.app.reader()
    rows = reader.page(ListQuery(limit=1_000))
    loved = [row.id for row in rows if row.feed_title in LOVED]
    hated = [row.id for row in rows if row.feed_title in HATED]
    for place in range(0, len(loved), 2):
        reader.mark([loved[place]], EventKind.LIKE, "test")
    for place in range(0, len(hated), 2):
        reader.mark([hated[place]], EventKind.DISLIKE, "test")
    assert not reader.status().personal
    whole.run([])
    assert reader.status().personal
    relevance = {row.id: row.relevance for row in reader.page(ListQuery(limit=1_000))}
    held_out = [(relevance[one], True) for one in loved[1::2]]
    held_out += [(relevance[one], False) for one in hated[1::2]]
    scores, positive = zip(*held_out, strict=True)
    assert roc_auc(positive, scores) > 0.9
    why = reader.why(loved[1])
    assert why.personal
    assert any(reason.kind == "liked" for reason in why.reasons)
    made = selected(reader, "en", whole.clock())
    for_you = next(one for one in parts(made.offered, most=8) if one.key == FOR_YOU)
    disliked = {row.id for row in rows if row.feed_title in HATED}
    told = {article.id for one in for_you.matters for article in one.articles}
    assert told
    assert not told & disliked
