"""Histories as they are read, and what schedules come to on them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsloom.feeds.values.published import PollHints
from newsloom.kernel.errors import UserError
from newsloom_lab.evaluate import polling
from newsloom_lab.evaluate.histories import (
    History,
    Shown,
    Stretch,
    made_up,
    read_histories,
)
from newsloom_lab.evaluate.polling import Miniflux, Run, fixed, miniflux, newsloom, replayed

NOW = datetime(2026, 3, 2, tzinfo=UTC)  # a Monday
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NEVER = datetime.max.replace(tzinfo=UTC)


def document(*articles: tuple[str, datetime | None]) -> str:
    rows = "".join(
        f"<item><guid isPermaLink='false'>{name}</guid><title>{name}</title>"
        + (f"<pubDate>{date:%a, %d %b %Y %H:%M:%S} GMT</pubDate>" if date else "")
        + "</item>"
        for name, date in articles
    )
    return f"<rss version='2.0'><channel><title>A</title><ttl>20</ttl>{rows}</channel></rss>"


def polled(folder: Path, at: datetime, *articles: tuple[str, datetime | None]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{at:%Y%m%dT%H%M%SZ}_x.xml").write_text(document(*articles))


def test_an_article_stands_from_its_date_as_far_as_the_polls_bear_it_out(tmp_path):
    feed, old = tmp_path / "feed", [("x", None), ("y", None)]
    begin, middle, end = NOW, NOW + 10 * HOUR, NOW + 20 * HOUR
    polled(feed, begin, *old, ("goes", begin))
    new = {
        "between": begin + 3 * HOUR,
        "dated before": begin - DAY,
        "dated after": begin + DAY,
        "undated": None,
    }
    polled(feed, middle, *old, *new.items())
    polled(feed, end, *old, ("last", end - HOUR))
    (feed / "notes.xml").write_text("no poll")
    (feed / f"{NOW + HOUR:%Y%m%dT%H%M%SZ}_x.xml").write_text("a poll that failed")
    (history,) = read_histories(tmp_path)
    (stretch,) = history.stretches
    assert (history.name, history.hints.ttl, history.days) == ("feed", 20 * MINUTE, 20 / 24)
    assert (stretch.begin, stretch.end) == (begin, end)
    assert sorted((one.since, one.until) for one in stretch.shown) == sorted(
        [
            *[(begin, NEVER)] * 2,
            (begin, middle),  # goes
            (begin, end),  # dated before
            (begin + 3 * HOUR, end),  # between
            *[(middle, end)] * 2,  # dated after, undated
            (end - HOUR, NEVER),  # last
        ]
    )


@pytest.mark.parametrize(
    ("second", "names"),
    [
        pytest.param(
            NOW + 13 * HOUR, "cd", id="nothing in common: something may have passed unseen"
        ),
        pytest.param(NOW + 8 * DAY, "ab", id="too long between"),
    ],
)
def test_what_may_have_passed_unseen_parts_a_history(tmp_path, second, names):
    feed = tmp_path / "feed"
    for at, of in ((NOW, "ab"), (NOW + 12 * HOUR, "ab"), (second, names), (second + DAY, names)):
        polled(feed, at, *((name, None) for name in of))
    (history,) = read_histories(tmp_path)
    assert len(history.stretches) == 2


@pytest.mark.parametrize("make", [lambda _: None, lambda folder: (folder / "empty").mkdir()])
def test_a_folder_without_histories_is_told(tmp_path, make):
    make(tmp_path)
    with pytest.raises(UserError):
        read_histories(tmp_path)
    with pytest.raises(UserError):
        read_histories(tmp_path / "nowhere")


def history(*shown: Shown, hours: int = 24) -> History:
    return History("made", (Stretch(NOW, NOW + hours * HOUR, shown),), PollHints())


@pytest.mark.parametrize(
    ("shown", "delays", "missed"),
    [
        pytest.param((Shown(NOW, NEVER, NOW),), (), 0, id="there from the first"),
        pytest.param((Shown(NOW + 10 * MINUTE, NEVER, None),), (50.0,), 0, id="found later"),
        pytest.param((Shown(NOW + HOUR, NEVER, None),), (0.0,), 0, id="found at once"),
        pytest.param(
            (Shown(NOW + 10 * MINUTE, NOW + 50 * MINUTE, None),), (), 1, id="gone between two polls"
        ),
        pytest.param(
            (Shown(NOW + 24 * HOUR - MINUTE, NEVER, None),), (1.0,), 0, id="in the last poll"
        ),
    ],
)
def test_delays_and_misses(shown, delays, missed):
    run = replayed(history(*shown), fixed(60))
    assert (run.delays, run.missed, run.requests) == (delays, missed, 25)


def test_what_stands_there_at_the_end_is_waited_for():
    run = replayed(history(Shown(NOW + 50 * MINUTE, NEVER, None), hours=1), fixed(45))
    assert (run.delays, run.requests) == ((40.0,), 2)


@pytest.mark.parametrize(
    ("gap", "number", "least", "factor", "interval"),
    [
        pytest.param(HOUR, 100, 5, 1, HOUR, id="as far apart as its articles"),
        pytest.param(HOUR, 100, 5, 2, 30 * MINUTE, id="divided by the factor"),
        pytest.param(MINUTE, 100, 5, 1, 5 * MINUTE, id="never below the least"),
        pytest.param(MINUTE, 100, 60, 1, HOUR, id="which can be set"),
        pytest.param(3 * DAY, 100, 5, 1, DAY, id="never above a day"),
        pytest.param(HOUR, 1, 5, 1, DAY, id="one article tells nothing"),
        pytest.param(HOUR, 0, 5, 1, DAY, id="none"),
    ],
)
def test_the_rule_of_miniflux(gap, number, least, factor, interval):
    rule = Miniflux(least * MINUTE, factor)
    new = [Shown(NOW, NEVER, NOW - gap * place) for place in range(number)]
    assert rule.next(NOW, new) == NOW + interval


def test_ours_never_goes_below_its_floor():
    shown = tuple(Shown(NOW + 5 * MINUTE * n, NEVER, NOW + 5 * MINUTE * n) for n in range(288))
    for minutes in (15, 60):
        run = replayed(history(*shown), newsloom(minutes))
        assert 20 < run.requests <= 24 * 60 / minutes + 1


def test_outcomes_add_up():
    one, other = Run(10, 1.0, 1, (10.0, 30.0)), Run(20, 2.0, 0, (20.0,))
    outcome = (one + other).outcome
    assert (outcome.requests_per_day, outcome.articles, outcome.missed) == (10.0, 3, 1)
    assert (outcome.mean_delay_minutes, outcome.p90_delay_minutes) == (20.0, 30.0)
    assert Run().outcome.mean_delay_minutes == 0


def test_ours_spends_less_on_quiet_feeds_than_every_hour():
    report = polling.run(made_up(), ours=[newsloom(60)], rivals=[fixed(60), miniflux()])
    ours, hourly, _miniflux = report.policies
    assert len(report.made_up) == 4
    for feed in report.made_up:
        assert ours.feeds[feed].requests < hourly.feeds[feed].requests / 3
        assert ours.feeds[feed].missed == 0


def test_made_up_feeds_are_the_same_every_time():
    assert made_up() == made_up()
    assert made_up(1) != made_up()


def test_a_rival_on_our_line_is_told_beside_it():
    steady = history(*(Shown(NOW + HOUR * n, NEVER, None) for n in range(1, 200)), hours=200)
    report = polling.run([steady], ours=[fixed(120), fixed(30)], rivals=[fixed(60), fixed(15)])
    inside, outside = report.against
    assert inside.delay_at_its_requests is not None
    assert outside.delay_at_its_requests is None


def test_on_a_real_history_ours_asks_less_for_the_same_delay(shared, tmp_path):
    """One of the seven, for time's sake; docs/work/figures.md has them all.

    The delay of a fixed interval goes with its length: requests times delay are the same for each.
    """
    name = "nationalgeographic"
    (tmp_path / name).symlink_to(shared / "data" / "feeds" / "polling" / name)
    report = polling.run(read_histories(tmp_path), ours=[newsloom(60)], rivals=[fixed(60)])
    costs = [
        one.together.requests_per_day * one.together.mean_delay_minutes for one in report.policies
    ]
    assert costs[0] < 0.7 * costs[1]


def test_the_command(newsloom, tmp_path):
    for hour in range(0, 48, 4):
        at = NOW + hour * HOUR
        polled(tmp_path / "feed", at, ("a", NOW), ("b", NOW), (f"n{hour}", at))
    told = newsloom("eval", "polling", "--histories", str(tmp_path), "--feeds")
    assert "Miniflux" in told
    report = json.loads(newsloom("eval", "polling", "--histories", str(tmp_path), "--json"))
    assert report["feeds"] == ["feed"]
    assert {one["name"] for one in report["policies"]} >= {"Newsloom, floor 60", "every 15 minutes"}
    assert report["policies"][0]["together"]["requests"] > 0
    newsloom("eval", "polling", "--histories", str(tmp_path / "feed"), status=2)
