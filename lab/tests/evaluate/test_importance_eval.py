"""`newsloom eval importance` on small files of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate import importance
from newsloom_lab.evaluate.reported import read_stories

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LONG = "The harbour was closed for 12 hours and 300 ferries waited. " * 40


def article(story: int, name: str, hours: float, text: str = "Short.") -> LabelledArticle:
    """One of a story that began on its own day."""
    return LabelledArticle(
        id=f"{story} {name}",
        text=f"{text} {story} {name}",
        url=f"https://{name}.example/{story}",
        published=BEGAN + timedelta(days=10 * story, hours=hours),
        story=str(story),
    )


def made() -> list[LabelledArticle]:
    """Long articles are followed by another owner's, short ones by nobody's."""
    found = []
    for story in range(40):
        followed = story % 2 == 0
        found.append(article(story, "one", 0, LONG if followed else "Short."))
        if followed:
            found.append(article(story, "two", 30))
    return found


def test_a_signal_that_tells_what_follows_is_found():
    report = importance.judged(made())
    assert (report.stories, report.judged, report.followed) == (40, 30, pytest.approx(1 / 3))
    ways = report.ways
    assert ways["depth alone"].roc_auc == 1.0
    assert ways["all five"].roc_auc > ways["without depth"].roc_auc
    assert ways["without depth"].less == pytest.approx(
        ways["all five"].roc_auc - ways["without depth"].roc_auc
    )
    assert ways["fitted"].roc_auc == 1.0
    assert report.followed_by_sources.keys() == {"1", "2"}
    assert report.first_reports.keys() == {"depth"}
    assert report.first_reports["depth"].roc_auc == 1.0


def test_what_is_the_same_for_all_is_said():
    report = importance.judged(made())
    assert report.neutral.keys() == {"authority", "recency", "topic"}
    assert report.neutral["topic"] == "there is no reader"
    assert report.ways["recency alone"].roc_auc == 0.5
    assert report.decisions.keys() == {"corroboration", "depth"}
    assert "recency" not in importance.judged(made(), (1, 40)).neutral


def test_a_signal_is_decided_upon_where_halves_and_owners_agree():
    two = importance.judged(made()).decisions["depth"]
    assert min(half.interval[0] for half in two.halves) > 0
    assert (set(two.owners.values()), two.verdict) == ({0.0}, "undecided")
    many = [
        replace(one, url=one.url.replace("://", f"://p{int(one.story) // 2 % 3}")) for one in made()
    ]
    found = importance.judged(many).decisions["depth"]
    assert (len(found.owners), found.verdict) == (6, "helps")


@pytest.mark.parametrize(
    ("interval", "owners", "verdict"),
    [
        pytest.param((0.1, 0.2), (0.1, 0.3), "helps", id="better everywhere"),
        pytest.param((-0.2, -0.1), (-0.1,), "hurts", id="worse everywhere"),
        pytest.param((0.1, 0.2), (0.1, -0.1), "undecided", id="but for one owner"),
        pytest.param((-0.1, 0.2), (0.1,), "undecided", id="not surely"),
    ],
)
def test_verdicts(interval, owners, verdict):
    half = importance.Half(sum(interval) / 2, interval)
    found = importance.Decision((half, half), dict(enumerate(owners)))
    assert found.verdict == verdict


def test_one_owner_or_one_text_is_told_once_and_late_ones_are_not_soon():
    same = [article(1, "one", 0), article(1, "one", 20), article(1, "two", 500)]
    (first, *_) = importance._seen(same, (12,))
    assert (first.sources, first.later) == (1, 0)
    (first, *_) = importance._seen([article(1, "one", 0), article(1, "two", 20)], (12,))
    assert (first.sources, first.later) == (1, 1)


def test_nothing_to_judge_is_refused(tmp_path, newsloom):
    with pytest.raises(UserError, match="All or none"):
        importance.judged([article(1, "one", 0), article(2, "one", 0)])
    file = tmp_path / "articles.jsonl"
    file.write_text(json.dumps({"id": "1", "title": "no story"}))
    assert "No article" in newsloom("eval", "importance", "--articles", str(file), status=2)
    options = ("--articles", str(file), "--ages", "soon")
    assert "is not hours" in newsloom("eval", "importance", *options, status=2)


FEED = """<rss version="2.0"><channel><title>News</title>{}</channel></rss>"""
ITEM = """<item><title>{0}</title><link>https://{1}.example/{2}</link>
<pubDate>Thu, 01 Jan 2026 0{3}:00:00 GMT</pubDate><description>{0}</description></item>"""


def test_articles_of_polled_feeds_are_put_into_stories(tmp_path):
    told = {
        "one": ["Ferry strike halts harbour crossings", "Quiet library opens"],
        "two": ["Harbour crossings: ferry strike halts them"],
    }
    for name, titles in told.items():
        (tmp_path / name).mkdir()
        items = "".join(
            ITEM.format(title, name, place, place) for place, title in enumerate(titles)
        )
        (tmp_path / name / "20260101T120000Z_x.xml").write_text(FEED.format(items))
        (tmp_path / name / "20260301T120000Z_x.xml").write_text(FEED.format(items))  # nothing new
    found = read_stories(tmp_path)
    stories = {one.url: one.story for one in found}
    assert len(found) == 3
    assert stories["https://one.example/0"] == stories["https://two.example/0"]
    assert stories["https://one.example/1"] != stories["https://one.example/0"]
    with pytest.raises(UserError, match="no folders"):
        read_stories(tmp_path / "one")
