"""What the pages say of the reader's model, as the program is wired: no page contradicts one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import EventKind, ListQuery
from publisher import Publisher, rss
from web.conftest import Visitor

SEA, LAW = ("ferry", "harbour", "island", "tide"), ("senate", "vote", "budget", "treaty")

COUNTED = re.compile(r"(\d+)(?: of (\d+))? (likes?|dislikes?)\b")


@pytest.fixture
def read(whole: Whole, publisher: Publisher) -> list[ArticleId]:
    """Sixty articles on two subjects, the sea and the law in turn."""
    articles = [
        (f"{n}", f"https://gazette.test/{n}", f"{(SEA if n % 2 else LAW)[n // 2 % 4]} {n}")
        for n in range(60)
    ]
    whole.follow(publisher.puts("/feed.xml", rss("The Gazette", *articles)))
    whole.run()
    query = ListQuery(limit=100)
    half_lives = whole.app.settings.ranking.half_lives()
    listed = whole.app.store.lists.page(whole.app.user, query, whole.clock(), half_lives)
    return [one.id for one in sorted(listed, key=lambda one: int(one.title.rsplit(" ", 1)[1]))]


def label(whole: Whole, articles: list[ArticleId]) -> None:
    """What is of the sea is liked, what is of the law is not."""
    for place, one in enumerate(articles):
        kind = EventKind.LIKE if place % 2 else EventKind.DISLIKE
        whole.app.reader().mark([one], kind, "test")


def words(page: str) -> str:
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def counted(text: str) -> dict[str, set[int]]:
    """Every number of likes and of dislikes that a text names."""
    found: dict[str, set[int]] = {"like": set(), "dislike": set()}
    for have, _of, kind in COUNTED.findall(text):
        found[kind.removesuffix("s")].add(int(have))
    return found


def test_a_daily_training_without_labels_leaves_no_count_behind(
    whole: Whole, read: list[ArticleId]
) -> None:
    """28 likes stood beside "Not yet: 0 of 20 likes", which was as of the night before."""
    whole.app.train_due()
    label(whole, read[:50])
    page = words(Visitor(whole, whole.app.reader()).get("/you").text)
    assert counted(page) == {"like": {25}, "dislike": {25}}
    assert "0 of" not in page


def test_every_page_counts_the_same(whole: Whole, read: list[ArticleId]) -> None:
    visitor = Visitor(whole, whole.app.reader())
    label(whole, read[:48])
    whole.run()
    for path in ("/you", "/", f"/articles/{read[0]}/why"):
        page = words(visitor.get(path).text)
        assert counted(page) in ({"like": {24}, "dislike": {24}}, {"like": set(), "dislike": set()})
    # One more of each: what was learned and what was given are told apart wherever both stand.
    label(whole, read[48:50])
    model = words(visitor.get("/you").text)
    assert "from 24 likes and 24 dislikes" in model
    assert "You now have 25 likes and 25 dislikes" in model
    assert "24 likes and 24 dislikes" in words(visitor.get(f"/articles/{read[0]}/why").text)
    assert "24 likes and 24 dislikes" in words(visitor.get("/you").text)


def test_the_figure_of_the_history_is_the_one_judged_by(
    whole: Whole, read: list[ArticleId]
) -> None:
    label(whole, read[:48])
    whole.run()
    page = words(Visitor(whole, whole.app.reader()).get("/you").text)
    assert page.count("24 likes, 24 dislikes") == 1
    assert "(probably 0.92 to 1.00) on 48 held-out labels" in page
    assert "From 48 labels: the true ROC AUC probably lies between 0.92 and 1.00." in page


def test_only_the_training_that_makes_sense_is_offered_and_said_why(
    whole: Whole, read: list[ArticleId]
) -> None:
    visitor = Visitor(whole, whole.app.reader())
    assert "<button" not in _doings(visitor)
    label(whole, read[:48])
    offered = _doings(visitor)
    assert "Train now" in offered
    assert "Takes seconds" in offered
    assert "every day at 01:00 and when one label in twenty has changed" in offered
    assert "Train anyway" not in offered
    whole.run()
    offered = _doings(visitor)
    assert "Train now" not in offered
    assert "Train anyway" in offered
    assert "was trained on the same labels" in offered
    label(whole, read[48:50])
    assert "Train now" in _doings(visitor)
    visitor.post("/model/back")
    offered = _doings(visitor)
    assert "Train anyway" in offered
    assert "Paused: you rolled back head@" in offered


def test_a_newer_training_silences_the_last_daily_one(whole: Whole, read: list[ArticleId]) -> None:
    visitor = Visitor(whole, whole.app.reader())
    label(whole, read[:48])
    whole.app.train_due()
    whole.clock.ahead += timedelta(days=1)
    whole.app.train_due()
    page = words(visitor.get("/you").text)
    assert re.search(r"Last daily training, [-\d: ]+UTC : Nothing new", page)
    label(whole, read[48:56])
    whole.run()
    assert "Last daily training" not in words(visitor.get("/you").text)


def _doings(visitor: Visitor) -> str:
    page = visitor.get("/you").text
    found = re.search(r'<ul class="doings">.*?</ul>', page, re.DOTALL)
    return " ".join(re.sub(r"<(?!button)[^>]*>", " ", found[0]).split()) if found else ""
