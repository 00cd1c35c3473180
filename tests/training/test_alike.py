"""What every quick trainer's models promise, and what none may do with hostile bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import TrainingSettings
from newsloom.ranking.encoders.registry import TRAINERS, Workplace
from newsloom.ranking.values.models import ArticleText, Label, StoredModel
from store.builders import DIMENSIONS, NOW, VECTORS
from training.world import NEEDED

QUICK = [row for row in TRAINERS if row.quick]
WORDS = ("ferry harbour island storm", "senate vote budget minister")


def text(number, liked, title="", body=""):
    title = title or f"{WORDS[liked]} {number}"
    return ArticleText(ArticleId(number), title, body, "a.test", "en", NOW, FeedId(1))


def rows(liked, seed=0):
    draw = np.random.default_rng(seed)
    made = draw.standard_normal((len(liked), DIMENSIONS)).astype(np.float32)
    made[:, 0] += np.where(liked, 2.0, -2.0)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture(scope="module", params=QUICK, ids=lambda row: row.name)
def trainer(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    return request.param.make(Workplace(TrainingSettings(), NEEDED, VECTORS, folder))


@pytest.fixture(scope="module")
def model(trainer):
    liked = np.arange(80) % 2
    labels = [Label(text(n, one), "", bool(one), NOW) for n, one in enumerate(liked)]
    return trainer.train(labels, rows(liked), NOW)


ODD = {
    "NaN vector": (text(1, 1), np.full(DIMENSIONS, np.nan)),
    "infinite vector": (text(1, 1), np.full(DIMENSIONS, np.inf)),
    "zero vector": (text(1, 1), np.zeros(DIMENSIONS)),
    "huge vector": (text(1, 1), np.full(DIMENSIONS, 1e30)),
    "no text": (text(1, 1, title=" ", body=""), np.ones(DIMENSIONS)),
    "100 KB of text": (text(1, 1, body="ferry " * 17_000), np.ones(DIMENSIONS)),
    "one word of 100 KB": (text(1, 1, title="a" * 100_000), np.ones(DIMENSIONS)),
    "controls and emoji": (text(1, 1, title="\x01\u202e👩‍👩‍👧 \ufffd"), np.ones(DIMENSIONS)),
}


@pytest.mark.parametrize(("article", "vector"), ODD.values(), ids=ODD)
def test_m12_any_article_gets_a_score(model, article, vector):
    vectors = np.array([vector], np.float32)
    with np.errstate(all="ignore"):
        (score,) = model.score([article], vectors, [""])
    assert 0.0 <= score <= 100.0


def test_m15_a_score_does_not_depend_on_what_stands_beside_it(model):
    liked = np.arange(300) % 2
    texts, vectors = [text(1_000 + n, one) for n, one in enumerate(liked)], rows(liked, seed=4)
    whole = model.score(texts, vectors, [""] * 300)
    for size in (1, 7, 128):
        parts = [
            model.score(
                texts[at : at + size], vectors[at : at + size], [""] * len(texts[at : at + size])
            )
            for at in range(0, 300, size)
        ]
        assert np.abs(np.concatenate(parts) - whole).max() < 1e-6
    assert (model.score(texts, vectors, [""] * 300) == whole).all()


def test_the_same_labels_make_the_same_model(trainer, model):
    liked = np.arange(80) % 2
    labels = [Label(text(n, one), "", bool(one), NOW) for n, one in enumerate(liked)]
    assert trainer.train(labels, rows(liked), NOW).to_payload() == model.to_payload()


def test_a_model_survives_its_bytes(trainer, model):
    payload = model.to_payload()
    stored = StoredModel(
        model.model_id, "relevance", payload, hashlib.sha256(payload).hexdigest(), NOW
    )
    back = trainer.load(stored)
    texts, vectors = [text(5, 1), text(6, 0)], rows([1, 0])
    assert back.model_id == model.model_id
    assert (back.score(texts, vectors, ["", ""]) == model.score(texts, vectors, ["", ""])).all()
    for place in range(0, len(payload), max(1, len(payload) // 40)):
        damaged = bytearray(payload)
        damaged[place] ^= 1
        with pytest.raises(ModelError):
            trainer.load(replace(stored, payload=bytes(damaged)))


BOMB = """
import hashlib, pathlib, pickletools, sys
from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders.registry import TRAINERS, Workplace
from newsloom.kernel.settings import TrainingSettings
from newsloom.ranking.values.models import StoredModel
from datetime import UTC, datetime

folder, marker = pathlib.Path(sys.argv[1]), sys.argv[2]
bomb = b"cposix\\nsystem\\n(S'touch %s'\\ntR." % marker.encode()
payload = bomb
stored = StoredModel("m", "relevance", payload, hashlib.sha256(payload).hexdigest(),
                     datetime(2026, 1, 1, tzinfo=UTC))
heard = []
sys.addaudithook(lambda name, _args: heard.append(name))
refused = []
for row in TRAINERS:
    trainer = row.make(Workplace(TrainingSettings(), (20, 20), "encoder@1", folder))
    for bytes_ in (payload, b"PK\\x03\\x04" + payload, b"\\x93NUMPY" + payload):
        try:
            trainer.load(StoredModel("m", "relevance", bytes_,
                         hashlib.sha256(bytes_).hexdigest(), stored.trained))
        except ModelError:
            refused.append(row.name)
wicked = {"pickle.find_class", "os.system", "os.exec", "subprocess.Popen", "marshal.loads"}
heard = [name for name in heard if name in wicked - {"marshal.loads"}]
assert not heard, heard
assert len(refused) == 3 * len(TRAINERS), refused
assert not pathlib.Path(marker).exists()
steps = [(step.name, given) for step, given, _place in pickletools.genops(bomb)]
assert ("GLOBAL", "posix system") in steps, "the bomb is a real one"
assert "REDUCE" in dict(steps), "and goes off when it is read"
"""


def test_m01_a_pickle_is_refused_and_never_run(tmp_path):
    marker = tmp_path / "exploded"
    command = [sys.executable, "-c", BOMB, str(tmp_path / "weights"), str(marker)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_room_of_ours_reads_pickles():
    source = Path(sys.modules["newsloom"].__file__).parent
    # A worker process reads its task from the process that started it, over a pipe.
    own = {source / "engines" / "child.py", source / "engines" / "children.py"}
    for file in {*source.rglob("*.py")} - own:
        content = file.read_text(encoding="utf-8")
        assert "import pickle" not in content, file
        assert "allow_pickle=True" not in content, file
