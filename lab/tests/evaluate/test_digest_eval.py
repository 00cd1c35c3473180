"""`newsloom eval digest` on small files of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsloom.digests.select import kind_of
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestKind,
    DigestTopic,
    FeedReport,
    Sentence,
)
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate import digest as measured
from newsloom_lab.evaluate.replay import Made, moments, until
from newsloom_lab.evaluate.week import read_week

BEGAN = datetime(2026, 3, 2, tzinfo=UTC)  # a Monday
STRIKE = (
    "The harbour of Rotterdam was closed after a strike of the ferry crews, the port said. "
    "Some 4,000 passengers waited at the quay through the night without any hotel. "
)
DEAL = (
    "Mediators of the ministry signed a contract with the crews that raises wages by 6 percent. "
    "The ferries leave Rotterdam again from noon, and stranded lorries are loaded first. "
)
TITLES = {
    "strike": "Ferry strike closes Rotterdam harbour",
    "deal": "Rotterdam harbour ferry strike ends with a contract",
}


def line(number: int, hours: float, source: str, title: str, text: str, **more: object) -> str:
    """An article so many hours after the week began."""
    told = {
        "id": number,
        "title": title,
        "text": text,
        "url": f"https://{source}.example/{number}",
        "published": (BEGAN + timedelta(hours=hours)).isoformat(),
        "language": "en",
    }
    return json.dumps(told | more)


def harbour() -> list[str]:
    """A strike that five papers report on Monday, its end on Tuesday, and what else there was."""
    found = [
        line(
            n,
            2 + n / 2,
            f"paper{n}",
            f"{TITLES['strike']}, paper {n} says",
            f"{STRIKE}{n + 30} ferries lay still.",
            story="s",
        )
        for n in range(5)
    ]
    found += [
        line(10 + n, 26 + n / 2, f"paper{n}", TITLES["deal"], f"{DEAL}{n} crews agreed.", story="s")
        for n in range(2)
    ]
    for n, word in enumerate(("orchard", "glacier", "violin", "parliament", "satellite")):
        text = (
            f"The {word} of {word}ville drew {n + 20} visitors and a new {word} keeper in spring."
        )
        found.append(line(20 + n, 1 + 9 * n, f"blog{n}", f"A {word} for {word}ville", text))
    return found


def written(folder: Path, lines: list[str]) -> Path:
    file = folder / "articles.jsonl"
    file.write_text("\n".join(lines))
    return file


def test_a_replayed_week_as_a_command(tmp_path, newsloom):
    file = written(tmp_path, harbour())
    told = json.loads(newsloom("eval", "digest", "--articles", str(file), "--days", "2", "--json"))
    assert (told["articles"], told["days"], told["left_out"]) == (12, 2, 0)
    assert told["digests"] + told["nothing"] == 5
    assert told["repeats"] == {"articles": 0, "sentences": 0, "headlines": 0}
    assert told["violations"] == []
    assert told["same_bytes"]
    assert told["matters_by"] == "gold stories"
    assert told["daily"]["matters"] == told["weekly"]["matters"] == 1
    assert told["daily"]["newsloom"] == told["weekly"]["newsloom"] == 1.0
    (development,) = told["developments"]
    assert development["headline"] == TITLES["deal"]
    assert development["before"].startswith(TITLES["strike"])
    assert development["new"]
    assert not any("4,000 passengers" in one for one in development["new"])
    newsloom("eval", "digest", "--articles", str(file), "--days", "1")  # as tables


def test_the_densest_days_are_taken_and_what_is_left_out_is_counted(tmp_path):
    lines = [
        line(1, 0, "one", "Early", "Text."),
        line(2, 240, "one", "Second", "Text."),
        line(3, 262, "two", "Third", "Text."),
        line(4, 263, "two", "Third again", "Text.", url="https://two.example/3"),
        line(5, 250, "two", "", "No title."),
        json.dumps({"title": "A date", "date": "2026-03-12", "source": "The Harbour Times"}),
        json.dumps({"id": 7, "title": "No date", "url": "https://one.example/7"}),
    ]
    week = read_week(written(tmp_path, lines), 3)
    assert (week.begin, week.days) == (BEGAN + timedelta(days=10), 1)
    assert [one.title for one in week.articles] == ["Second", "A date", "Third"]
    assert week.articles[1].source == "the-harbour-times.example"
    assert (week.left_out, week.outside, week.gold) == (3, 1, False)
    assert [kind for kind, _at in moments(week)] == ["morning", "evening", "weekly"]
    assert len(until(week.articles, week.begin + timedelta(hours=7))) == 2
    first = read_week(written(tmp_path, lines), 3, BEGAN.date())
    assert (first.begin, [one.title for one in first.articles]) == (BEGAN, ["Early"])
    with pytest.raises(UserError, match="No article of"):
        read_week(written(tmp_path, lines), 3, BEGAN.date() - timedelta(days=9))
    notes = " ".join(measured._notes(week, 3))
    assert "2 of 3 dates are whole days" in notes
    assert "1 days of articles, not 3" in notes
    with pytest.raises(UserError, match="nothing can be replayed"):
        read_week(written(tmp_path, [json.dumps({"id": 1, "title": "No date"})]), 7)


FEED = """<rss version="2.0"><channel><title>News</title><item><title>A bridge opens</title>
<link>https://{0}.example/1</link><pubDate>Mon, 02 Mar 2026 0{1}:00:00 GMT</pubDate>
<description>The bridge opens.</description></item></channel></rss>"""


def test_folders_of_documents_are_read_and_so_are_folders_of_polls(tmp_path):
    documents, polls = tmp_path / "documents", tmp_path / "polls"
    for number, name in enumerate(("one", "two"), start=1):
        (polls / name).mkdir(parents=True)
        (polls / name / "20260303T000000Z_x.xml").write_text(FEED.format(name, number))
        documents.mkdir(exist_ok=True)
        (documents / name).write_text(FEED.format(name, number))
    (documents / "three").write_text("no feed")
    for folder in (documents, polls):
        week = read_week(folder, 7)
        assert [one.source for one in week.articles] == ["one.example", "two.example"]
        assert not week.gold
        assert not any(one.story for one in week.articles)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UserError, match="no feed documents"):
        read_week(empty, 7)


def article(number: int, title: str = "") -> DigestArticle:
    return DigestArticle(
        ArticleId(number), title or f"Title {number}", f"https://p{number}.example/", "p.example",
        "P", "p", 3, "", "en", BEGAN, 50.0,
    )  # fmt: skip


def topic(number: int, *said: str, title: str = "", related: tuple[int, ...] = ()) -> DigestTopic:
    return DigestTopic(
        key=str(number),
        label="",
        lead=article(number, title),
        related=tuple(map(article, related)),
        summary=tuple(Sentence(one, (ArticleId(number),)) for one in said),
        importance=50.0,
        category="",
    )


def made(
    *stories: DigestTopic,
    mentioned: tuple[DigestTopic, ...] = (),
    kind: DigestKind = DigestKind.MORNING,
    hours: float = 7,
) -> Made:
    end = BEGAN + timedelta(hours=hours)
    digest = Digest(kind, BEGAN, end, "UTC", "", stories, (), mentioned, FeedReport())
    return Made(digest, "", 0.0)


def test_what_stands_twice_is_counted_in_each_series_by_itself():
    first = made(topic(1, "It rains.", related=(2,)), topic(3, "It snows."))
    second = made(topic(4, "It rains.", title="Title 1"), mentioned=(topic(2),))
    weekly = made(topic(1, "It rains."), kind=DigestKind.WEEKLY)
    assert measured.repeats([first, second], [weekly]) == measured.Repeats(1, 1, 1)
    assert measured.repeats([first], [weekly]) == measured.Repeats(0, 0, 0)


def test_what_is_outside_the_numbers_of_its_kind_is_named():
    numbers = kind_of(DigestKind.MORNING)
    enough = [topic(1)]
    many = [topic(n) for n in range(numbers.stories + 1)]
    lines = tuple(topic(100 + n) for n in range(numbers.mentioned + 1))
    long = topic(50, " ".join(["word"] * (numbers.words + 1)))
    assert measured.violations(made().digest) == []  # there was nothing
    assert measured.violations(made(*enough, mentioned=lines[:-1]).digest) == []
    assert "0 stories" in measured.violations(made(mentioned=lines[:1]).digest)[0]
    assert "16 stories" in measured.violations(made(*many).digest)[0]
    assert "21 lines" in measured.violations(made(*enough, mentioned=lines).digest)[0]
    assert "76 words" in measured.violations(made(long).digest)[0]


def known(*told: tuple[float, str, str]) -> dict[ArticleId, LabelledArticle]:
    """Articles by hours, owner and what they say."""
    return {
        ArticleId(n): LabelledArticle(
            id=str(n),
            title=text,
            text=f"{text} {n}.",
            url=f"https://{owner}.example/{n}",
            published=BEGAN + timedelta(hours=hours),
            language="en",
        )
        for n, (hours, owner, text) in enumerate(told, start=1)
    }


def test_coverage_is_of_matters_with_enough_owners_and_beside_baselines():
    fire = "Warehouse fire in Lisbon destroys archive of azulejo tiles"
    articles = known(
        (1, "one", fire), (2, "two", fire), (3, "three", fire),
        (4, "one", "Chess master wins a tournament of rapid games in Oslo"),
        (5, "one", "Beekeepers count fewer hives after a dry winter in Ohio"),
        (30, "two", "Chess master wins a tournament of rapid games in Oslo"),
    )  # fmt: skip
    matters = [frozenset(map(ArticleId, those)) for those in ((1, 2, 3), (4, 6), (5,))]
    shown = made(topic(2, "A fire.", related=(1, 3)))
    found = measured._coverage([shown], matters, articles, 2)
    assert found == measured.Coverage(1, 1.0, 1.0, 0.0)  # the chess has one owner by then
    unsaid = made(topic(2, related=(1, 3)))
    missed = measured._coverage([unsaid], matters, articles, 2)
    assert missed is not None
    assert missed.newsloom == 0.0  # it has no summary
    assert measured._coverage([shown], matters, articles, 4) is None
    assert measured._coverage([], matters, articles, 1) is None


def test_a_story_tells_of_a_matter_by_its_lead_or_by_half_of_its_articles():
    matter = frozenset(map(ArticleId, (1, 2)))
    for story, tells in (((1, 8, 9), True), ((8, 1), True), ((8, 9, 1), False), ((8, 9), False)):
        assert measured._tells([ArticleId(one) for one in story], matter) is tells


def test_developments_name_what_was_told_before():
    first, again = made(topic(1, "Old.")), topic(2, "New.", title="Later")
    again = replace(again, key="1", developed=True)
    (found,) = measured.developments([first, made(again, hours=18)])
    assert (found.before, found.headline, found.new) == ("Title 1", "Later", ("New.",))
