"""What Newsloom knows about you: what the page says of a model and of none, and its steps."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from newsloom.app.reader import Reader
from newsloom.kernel.errors import UserError
from newsloom.ranking.encoders import registry
from newsloom.ranking.pages import model_view
from newsloom.ranking.values.models import Evaluation
from newsloom.reading.values.reading import EventKind, ListQuery
from web import crowded
from web.conftest import Visitor
from web.crowded import REPORT
from web.world import HALF_LIVES, NOW, World, article


@pytest.fixture
def coached(world: World) -> World:
    return crowded.coached(world)


def test_a_new_reader_is_told_what_comes_next(empty: World) -> None:
    page = Visitor(empty).get("/you")
    assert page.status_code == 200
    assert "Not personalised yet" in page.text
    assert "0 of 20 likes" in page.text
    assert "follow a few feeds" in page.text
    assert "Train now" not in page.text


def test_a_reader_with_feeds_is_told_to_mark(world: World, visitor: Visitor) -> None:
    world.reader().mark(world.ids()[:3], EventKind.LIKE, "test")
    page = visitor.get("/you").text
    assert "3 of 20 likes" in page
    assert "Next, mark articles" in page
    assert "Not evaluated yet" in page


class Encoded(World):
    """A world whose articles have vectors of the shipped encoder."""

    def reader(self) -> Reader:
        return replace(super().reader(), embedder=registry.shipped)


# Three titles about each of two topics, two about a third.
ABOUT_TOPICS = (
    "Inflation falls as the economy grows", "The economy slows while prices rise",
    "Unemployment and the economy: what economists expect", "A black hole in a distant galaxy",
    "Astronauts repair the space station", "Rocket brings a space telescope into orbit",
    "A recipe for lentil soup", "The best food markets of the city",
)  # fmt: skip


def test_topics_of_new_articles_become_interests_by_one_press_that_can_be_undone(
    empty: World,
) -> None:
    world = Encoded(empty.store, empty.user)
    known = {"feed": "a", "html": "", "hours": 1, "language": "en"}
    articles = [article(known | {"title": one}, n, NOW) for n, one in enumerate(ABOUT_TOPICS)]
    world.put(world.feed("https://a.example/feed", "A"), *articles)
    encoder = registry.shipped()
    titles = [(one.id, one.title) for one in world.listed()]
    vectors = encoder.embed([title for _id, title in titles])
    world.store.articles.put_vectors(encoder.model_id, [one for one, _title in titles], vectors)
    visitor = Visitor(world)
    offers = re.compile(r'<button name="text" value="([^"]+)">')
    assert sorted(offers.findall(visitor.get("/").text)) == ["Economy", "Space"]
    assert offers.findall(visitor.get("/?order=newest").text) == []
    answer = visitor.post("/interests", {"text": "Space", "at": "show=unread"})
    assert [one.text for one in world.reader().interests()] == ["Space"]
    after = visitor.get(answer.headers["location"]).text
    assert offers.findall(after) == ["Economy"]
    (undo,) = re.findall(r'action="(/interests/\d+/remove)"', after)
    assert visitor.post("/interests", {"text": "Space"}).status_code == 303
    assert len(world.reader().interests()) == 1, "pressed twice, it is one interest"
    assert visitor.post(undo, {"at": "show=unread"}).headers["location"].startswith("/?")
    assert world.reader().interests() == ()
    for words in ("sailing", "rowing", "canoeing"):
        world.reader().add_interest(words)
    assert offers.findall(visitor.get("/").text) == [], "three are enough for the list"
    assert len(offers.findall(visitor.get("/you").text)) == 2


def test_settings_lead_to_the_page_and_it_leads_back(visitor: Visitor) -> None:
    assert 'href="/you"' in visitor.get("/settings").text
    page = visitor.get("/you").text
    assert 'data-go="settings" aria-current="page"' in page
    assert '<a class="up" href="/settings">' in page


def test_a_model_is_shown_with_its_figures_and_its_history(coached: World) -> None:
    page = Visitor(coached).get("/you").text
    for words in ("0.861", "0.820 to 0.900", "24 likes, 30 dislikes", "head@2/old", "replaced"):
        assert words in page
    names = re.findall(r'<figure class="picture">\s*<h3>([^<]+)</h3>', page)
    assert names == [
        "ROC curve",
        "Precision and recall",
        "Reliability",
        "Learning curve",
        "Score distribution",
        "Quality over time",
    ]
    assert page.count('<svg class="chart"') == page.count("As numbers") == 6
    assert page.count('role="img"') == 6


def test_what_a_model_without_dislikes_was_trained_on_is_said(coached: World) -> None:
    store, figures = coached.store.models, (("likes", 40.0), ("dislikes", 0.0))
    active = store.active_model(coached.user, "relevance")
    assert active is not None
    passed = replace(active, model_id="head@2/pu", metrics=(*figures, ("passed_over", 300.0)))
    store.promote_model(coached.user, passed, instead_of=active.id)
    page = Visitor(coached).get("/you").text
    assert "40 likes, 0 dislikes, 300 skipped articles" in page
    assert passed.learned.words == "40 likes and 300 skipped articles; no dislikes"


@pytest.mark.parametrize(
    ("report", "names"),
    [
        ({}, []),
        ({"roc": [[0, 0]]}, []),
        ({"roc": "nonsense", "reliability": None}, []),
        ({"reliability": [[0.2, 0.3, 0]]}, ["Reliability"]),
        ({"roc": [[0, 0], [1, 1]], "learning_curve": [[1, 2]]}, ["ROC curve"]),
        (
            REPORT,
            [
                "ROC curve",
                "Precision and recall",
                "Reliability",
                "Learning curve",
                "Score distribution",
            ],
        ),
    ],
    ids=["nothing", "one point", "nonsense", "one bin", "some", "all"],
)
def test_what_a_report_lacks_is_not_drawn(report: dict[str, object], names: list[str]) -> None:
    assert [one.name for one in model_view.pictures(report)] == names


@pytest.mark.parametrize("value", [None, "0.9", float("nan"), [], True])
def test_a_figure_that_is_no_number_is_left_out(value: object) -> None:
    assert model_view.figures({"roc_auc": value}) == ()


@pytest.mark.parametrize(
    ("report", "words"),
    [
        pytest.param({}, "", id="nothing"),
        pytest.param({"roc_auc": 0.9}, "", id="no counts"),
        pytest.param(
            {"roc_auc": 1.0, "positives": 28.0, "negatives": 20.0},
            "From 48 labels: the true ROC AUC probably lies between 0.91 and 1.00.",
            id="a training",
        ),
        pytest.param(
            {"roc_auc": 1.0, "roc_auc_interval": [1, 1], "positives": 28, "negatives": 20},
            "From 48 labels: the true ROC AUC probably lies between 0.91 and 1.00.",
            id="kept with no width",
        ),
        pytest.param(
            REPORT | {"judged": 900, "positives": 500, "negatives": 800},
            "From 900 labels: the true ROC AUC probably lies between 0.82 and 0.90.",
            id="measured",
        ),
        pytest.param({"roc_auc": 1.0, "positives": "28", "negatives": 0}, "", id="nonsense"),
    ],
)
def test_how_sure_a_figure_is_is_said(report: dict[str, object], words: str) -> None:
    assert model_view.caution(report)[: len(words) or None] == words


def test_figures_over_time_need_two_trainings() -> None:
    made = [
        Evaluation(NOW - timedelta(days=day), f"m{day}", "frozen", {"roc_auc": 0.9 - day / 10})
        for day in range(3)
    ]
    assert model_view.over_time(made[:1]) is None
    assert model_view.over_time([replace(one, protocol="cv") for one in made]) is None
    shown = model_view.over_time(made)
    assert shown is not None
    assert [row[1] for row in shown.rows] == ["0.700", "0.800", "0.900"]


def test_training_runs_beside_the_page(coached: World) -> None:
    go_on = threading.Event()

    def train() -> str:
        assert go_on.wait(20)
        return "Trained on <b>24</b> likes."

    coached.model_actions = replace(coached.model_actions, train=train)
    for one in coached.ids()[:20]:
        coached.reader().mark([one], EventKind.LIKE, "test")
    for one in coached.ids()[20:40]:
        coached.reader().mark([one], EventKind.DISLIKE, "test")
    visitor = Visitor(coached)
    answer = visitor.post("/model/train")
    assert (answer.status_code, answer.headers["location"]) == (303, "/you?did=training")
    page = visitor.get("/you").text
    assert "Training on your labels" in page
    assert 'hx-get="/model/job"' in page
    assert visitor.post("/model/train").headers["location"] == "/you?did=busy"
    assert "hx-refresh" not in visitor.get("/model/job").headers
    go_on.set()
    wait_until(lambda: "hx-refresh" in visitor.get("/model/job").headers)
    page = visitor.get("/you").text
    assert "Trained on &lt;b&gt;24&lt;/b&gt; likes." in page
    assert "Training on your labels" not in page


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(400):
        if true():
            return
        threading.Event().wait(0.01)
    pytest.fail("it did not become so within four seconds")


def refuse() -> str:
    raise UserError("There is no trained model to roll back")


def break_down() -> str:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("act", "words"),
    [(refuse, "There is no trained model to roll back"), (break_down, "the server log")],
    ids=["refused", "broken"],
)
def test_work_that_fails_says_so(coached: World, act: Callable[[], str], words: str) -> None:
    coached.model_actions = replace(coached.model_actions, train=act)
    visitor = Visitor(coached)
    visitor.post("/model/train")
    wait_until(lambda: words in visitor.get("/you").text)


@pytest.mark.parametrize(
    ("changes", "words", "absent"),
    [
        pytest.param({}, "Takes seconds", "Train anyway", id="quick"),
        pytest.param(
            {"quick": lambda: False, "daily": "03:30"}, "minutes to hours", "in twenty", id="slow"
        ),
        pytest.param({"daily": "03:30"}, "every day at 03:30 and when", "No time", id="daily"),
        pytest.param({"quick": lambda: False}, "No time is set", "That happens by", id="never"),
        pytest.param({"rests": lambda: "Nothing new: x."}, "Train anyway", "Train now", id="rests"),
    ],
)
def test_each_step_says_what_it_does(
    coached: World, changes: dict[str, object], words: str, absent: str
) -> None:
    for place, one in enumerate(coached.ids()[:40]):
        coached.reader().mark([one], (EventKind.LIKE, EventKind.DISLIKE)[place % 2], "test")
    coached.model_actions = replace(coached.model_actions, **changes)
    page = Visitor(coached).get("/you").text
    (steps,) = re.findall(r'<ul class="doings">.*?</ul>', page, re.DOTALL)
    assert words in steps
    assert absent not in steps
    assert steps.count("<button") == steps.count('<p class="aside">') == 2


def test_training_anyway_is_another_step(coached: World) -> None:
    visitor = Visitor(coached)
    visitor.post("/model/train", {"anyway": "1"})
    wait_until(lambda: "Trained anyway." in visitor.get("/you").text)


def test_going_back_is_one_step(coached: World) -> None:
    went: list[str] = []
    coached.model_actions = replace(
        coached.model_actions, back=lambda: went.append("back") or "Rolled back"
    )
    answer = Visitor(coached).post("/model/back")
    assert (answer.headers["location"], went) == ("/you?did=back", ["back"])
    coached.model_actions = replace(coached.model_actions, back=refuse)
    assert Visitor(coached).post("/model/back").status_code == 400


def test_a_week_is_forgotten_and_learned_from_again(world: World, visitor: Visitor) -> None:
    world.reader().mark(world.ids()[:2], EventKind.LIKE, "test")
    assert world.reader().status().likes == 2
    world.now += timedelta(minutes=1)
    answer = visitor.post("/model/forget")
    assert answer.headers["location"] == "/you?did=lapsed&n=2"
    assert world.reader().status().likes == 0
    page = visitor.get("/you").text
    assert "Excluded: 2026-11-13 to 2026-11-20, 2 marks" in page
    (number,) = re.findall(r'action="/model/remember/(\d+)"', page)
    assert visitor.post(f"/model/remember/{number}").headers["location"].endswith("remembered")
    assert world.reader().status().likes == 2
    assert "Excluded from training:" not in visitor.get("/you").text
    assert visitor.post(f"/model/remember/{number}").status_code == 404


@pytest.mark.parametrize("step", ["train", "back", "measure"])
def test_a_step_that_is_not_there_is_not_found(world: World, step: str) -> None:
    assert Visitor(world).post(f"/model/{step}").status_code == 404


@pytest.mark.parametrize("step", ["train", "back", "measure", "forget", "half-lives"])
def test_no_other_site_takes_a_step(coached: World, step: str) -> None:
    visitor = Visitor(coached)
    answer = visitor.ask("POST", f"/model/{step}", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert visitor.get(f"/model/{step}").status_code in {404, 405}


def days(*values: object) -> dict[str, str]:
    return {f"days{level}": str(one) for level, one in enumerate(values, start=1)}


def test_half_lives_of_ones_own_change_the_order_at_once(world: World, visitor: Visitor) -> None:
    answer = visitor.post("/model/half-lives", days(10, 8, 6, 4, "0.5"))
    assert answer.headers["location"] == "/you?did=halving"
    page = visitor.get("/you").text
    assert re.findall(r'name="days\d" [^>]*value="([^"]+)"', page) == ["10", "8", "6", "4", "0.5"]
    assert "Your own values." in page
    own = world.reader().half_lives_in_force()
    assert own[5] == timedelta(hours=12)
    listed = world.store.lists.page(world.user, ListQuery(limit=100), world.now, own)
    scores = [one.score for one in listed]
    assert scores == sorted(scores, reverse=True)
    assert world.reader().why(listed[0].id).half_life == own[listed[0].sensitivity]
    visitor.post("/model/half-lives", {"reset": "1"})
    assert world.reader().half_lives_in_force() == HALF_LIVES


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (days(10, 8, 6, 4), "is not a number of days"),
        (days(10, 8, 6, 4, "soon<b>"), "&lt;b&gt;"),
        (days(10, 8, 6, 4, "nan"), "must be from"),
        (days(10, 8, 6, 4, "inf"), "must be from"),
        (days(10, 8, 6, 4, 0), "must be from"),
        (days(40_000, 8, 6, 4, 1), "must be from"),
        (days(10, 8, 6, 4, 5), "would last longer"),
    ],
    ids=["four", "words", "no number", "endless", "none", "too long", "wrong way"],
)
def test_half_lives_that_cannot_be_are_refused_in_words(
    world: World, visitor: Visitor, typed: dict[str, str], words: str
) -> None:
    answer = visitor.post("/model/half-lives", typed)
    assert answer.status_code == 400
    assert words in answer.text
    assert 'value="8"' in answer.text  # what was typed stays
    assert world.store.users.half_lives(world.user) is None


def test_every_word_of_a_step_is_in_the_table(coached: World) -> None:
    visitor = Visitor(coached)
    for did in ("training", "measuring", "busy", "back", "halving", "lapsed"):
        assert 'class="said' in visitor.get(f"/you?did={did}").text
