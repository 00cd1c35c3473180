"""`newsloom train` and `models` as typed, and from cron."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from publisher import Publisher, rss

Newsloom = Callable[..., str]

SEA = ["ferry", "harbour", "island", "coast", "lighthouse", "sailor", "tide"]
LAW = ["senate", "vote", "budget", "minister", "court", "treaty", "tax"]


def title(number: int) -> str:
    words = SEA if number % 2 else LAW
    return " ".join(words[(number + step) % 7] for step in range(4)) + f" {number}"


@pytest.fixture
def read(newsloom: Newsloom, publisher: Publisher) -> list[int]:
    """A feed of 60 articles on two subjects; their numbers, odd ones of the sea first."""
    articles = [(f"{n}", f"https://gazette.test/{n}", title(n)) for n in range(60)]
    newsloom("add", publisher.puts("/feed.xml", rss("The Gazette", *articles)))
    newsloom("run")
    listed = json.loads(newsloom("list", "--json", "--limit", "100"))
    places = {int(one["title"].rsplit(" ", 1)[1]): one["id"] for one in listed}
    return [places[n] for n in (*range(1, 60, 2), *range(0, 60, 2))]


def label(newsloom: Newsloom, likes: list[int], dislikes: list[int]) -> None:
    newsloom("like", *map(str, likes))
    newsloom("dislike", *map(str, dislikes))


def test_too_few_labels_are_said_and_no_failure(newsloom: Newsloom) -> None:
    """Exit status 0: cron does not send a letter every night."""
    assert newsloom("train").startswith("Not yet: 0 of 20 likes and 0 of 20 dislikes")
    told = json.loads(newsloom("train", "--json"))
    assert told["promoted"] is False
    assert "No personal model yet" in newsloom("models")
    assert "There is no trained model to roll back" in newsloom("train", "--undo", status=2)


def test_one_class_is_not_enough(newsloom: Newsloom, read: list[int]) -> None:
    newsloom("like", *map(str, read[:25]))
    assert newsloom("train").startswith("Not yet: 25 of 20 likes and 0 of 20 dislikes")


def test_train_list_and_go_back(newsloom: Newsloom, read: list[int]) -> None:
    label(newsloom, read[:24], read[30:54])
    first = json.loads(newsloom("train", "--json"))
    assert first["promoted"]
    assert first["model_id"] in newsloom("models")
    assert newsloom("train").startswith("Nothing new")
    first = json.loads(newsloom("train", "--anyway", "--json"))
    assert "is active from now on" in first["words"]
    label(newsloom, read[24:30], read[54:])
    second = json.loads(newsloom("train", "--json"))
    told = json.loads(newsloom("models", "--json"))
    assert told["ranks"] == second["model_id"]
    assert [one["active"] for one in told["models"]] == [True, False, False]
    assert told["models"][0]["metrics"]["positives"] == 30
    assert told["models"][0]["verdict"]
    assert first["model_id"] in newsloom("train", "--undo")
    assert "withdrawn" in newsloom("models")
    newsloom("run")
    assert json.loads(newsloom("models", "--json"))["ranks"] == first["model_id"]
    assert newsloom("train").startswith("Paused")
    doctor = newsloom("doctor", status=1)
    assert (
        "personalised, trained on 24 likes and 24 dislikes; there are 30 likes, 30 dislikes"
        in doctor
    )
    (_title, *articles) = json.loads(newsloom("list", "--all", "--json", "--limit", "2"))
    assert "trained on 24 likes and 24 dislikes" in newsloom("why", str(articles[0]["id"]))
    assert "Use `newsloom train --anyway` to train anyway" in newsloom("train")


def test_a_figure_from_few_labels_comes_with_what_it_is_worth(
    newsloom: Newsloom, read: list[int]
) -> None:
    """ROC AUC 1.000 from 48 labels was shown as if it were certain."""
    label(newsloom, read[:24], read[30:54])
    trained = newsloom("train")
    assert trained.startswith("Trained on 24 likes and 24 dislikes; ")
    assert "probably 0." in trained
    columns = newsloom("models").splitlines()[0].split("\t")
    low, high = map(float, columns[6].split(" to "))
    assert low < float(columns[5]) <= high
    assert high - low > 0.05
    assert columns[4] == "24+24"
    text = newsloom("eval", "relevance", status=0)
    assert "1.000 to 1.000" not in text
    curve = newsloom("eval", "relevance", "--curve", "30", "--fit", "cv")
    assert "1.000 to 1.000" not in curve


def test_another_trainer_by_setting(
    newsloom: Newsloom, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    label(newsloom, read[:24], read[30:54])
    newsloom("train")
    monkeypatch.setenv("NEWSLOOM_TRAINING_TRAINER", "tfidf-svm")
    newsloom("train")
    told = json.loads(newsloom("models", "--json"))
    assert [one["trainer"] for one in told["models"]] == ["tfidf-svm", "head"]
    assert told["ranks"] in {one["model_id"] for one in told["models"]}


def test_without_a_language_model_it_says_not_yet(newsloom: Newsloom) -> None:
    assert newsloom("train", "--sensitivity").startswith("Not yet: a language model has rated 0")
    found = json.loads(newsloom("train", "--sensitivity", "--json"))
    assert (found["promoted"], found["ratings"], found["of_each"]) == (False, 0, [0] * 5)


def test_there_is_nothing_to_undo(newsloom: Newsloom) -> None:
    assert "nothing to undo" in newsloom("train", "--sensitivity", "--undo")
    found = json.loads(newsloom("train", "--sensitivity", "--undo", "--json"))
    assert found["in_force"].startswith("ordinal-minilm@3/")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(
            ("--producer", "chat/nobody/1"), "no ratings of 'chat/nobody/1'", id="unknown"
        ),
        pytest.param(
            ("--undo", "--producer", "x"), "--undo takes no --anyway, --producer", id="both"
        ),
    ],
)
def test_what_cannot_be_is_said(newsloom: Newsloom, arguments: tuple[str, ...], words: str) -> None:
    assert words in newsloom("train", "--sensitivity", *arguments, status=2)
    assert "need --sensitivity" in newsloom("train", "--later", status=2)
