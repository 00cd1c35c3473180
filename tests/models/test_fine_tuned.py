"""The fine-tuning trainer on small random instances of the real architectures, offline."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import json
import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.encoders import fine_tuned
from newsloom.ranking.encoders.encoder_classifier import (
    Classifier,
    Lesson,
    Recipe,
    fine_tune,
    first_that_works,
    load_folder,
    split,
)
from newsloom.ranking.encoders.fine_tuned import FineTuner
from newsloom.ranking.values.models import ArticleText, Label, NotYet, StoredModel

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(
        importlib.util.find_spec("torch") is None, reason="torch is not installed here"
    ),
]

NOW = datetime(2026, 11, 21, tzinfo=UTC)
# A random network must learn in seconds what a trained one would refine.
QUICK = Recipe(tokens=64, epochs=3, batch=8, rate=3e-3)

LIKED = ["harbour", "ship", "tide", "crane", "dock", "sailor", "anchor", "mast"]
DISLIKED = ["recipe", "oven", "butter", "sugar", "dough", "kitchen", "salt", "spoon"]
COMMON = ["the", "new", "report", "says", "more", "about", "this", "week"]


def articles(count, seed=0):
    """Half about ships and half about baking, with words both have."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        words = chance.choices((LIKED, DISLIKED)[number % 2], k=3) + chance.choices(COMMON, k=4)
        chance.shuffle(words)
        made.append(
            ArticleText(
                ArticleId(number),
                " ".join(words[:5]),
                " ".join(words[5:]),
                "a.test",
                "en",
                NOW,
                FeedId(1),
            )
        )
    return made


def labels(count, seed=0):
    return [
        Label(one, "", number % 2 == 0, NOW - timedelta(hours=count - number))
        for number, one in enumerate(articles(count, seed))
    ]


VOCABULARY = [" ".join(LIKED + DISLIKED + COMMON)] * 4


@pytest.fixture(scope="module", params=["modernbert", "bert"])
def base(request, tmp_path_factory):
    import tiny_encoders

    folder = tmp_path_factory.mktemp(request.param)
    return getattr(tiny_encoders, request.param)(folder, VOCABULARY)


@pytest.fixture(scope="module")
def modernbert(tmp_path_factory):
    import tiny_encoders

    return tiny_encoders.modernbert(tmp_path_factory.mktemp("base"), VOCABULARY)


def tuner(base, folder, **more):
    return FineTuner(folder, (20, 20), str(base), recipe=QUICK, device="cpu", **more)


def stored(model):
    payload = model.to_payload()
    return StoredModel(
        model.model_id, "relevance", payload, hashlib.sha256(payload).hexdigest(), model.trained
    )


@pytest.fixture(scope="module")
def trained(modernbert, tmp_path_factory):
    """A trainer and what it made of 80 labels."""
    made = tuner(modernbert, tmp_path_factory.mktemp("weights"))
    return made, made.train(labels(80), None, NOW)


def scores(model, batch):
    return model.score(batch, None, [""] * len(batch))


def test_it_learns_what_the_labels_say(base, tmp_path):
    model = tuner(base, tmp_path).train(labels(80), None, NOW)
    unseen = scores(model, articles(40, seed=5))
    assert unseen[::2].min() > unseen[1::2].max()
    assert ((unseen >= 0) & (unseen <= 100)).all()
    assert dict(model.metrics)["average_precision"] == 1.0
    assert (model.positives, model.negatives, model.trained) == (40, 40, NOW)
    assert model.personal
    assert model.vector_model == ""


def test_a_stored_model_scores_as_the_one_that_was_trained(trained):
    trainer, model = trained
    again = trainer.load(stored(model))
    assert again.model_id == model.model_id
    assert (scores(again, articles(20, 3)) == scores(model, articles(20, 3))).all()


def test_the_same_labels_give_the_same_bytes(modernbert, trained, tmp_path):
    import torch

    torch.manual_seed(123)
    before = torch.random.get_rng_state()
    again = tuner(modernbert, tmp_path).train(labels(80), None, NOW)
    assert again.model_id == trained[1].model_id
    assert (torch.random.get_rng_state() == before).all(), "chance outside was touched"


def test_company_changes_no_score(base, tmp_path):
    """Not by the last bit: what is left of a bit, calibration may multiply by a thousand."""
    model = tuner(base, tmp_path).train(labels(80), None, NOW)
    # Most have as many tokens as others, some have none like them.
    batch = [
        dataclasses.replace(one, text=" ".join(COMMON[: n % 5]))
        for n, one in enumerate(articles(30, 9))
    ]
    alone = np.concatenate([scores(model, [one]) for one in batch])
    assert (scores(model, batch) == alone).all()
    assert (scores(model, batch[::-1] * 2)[:30] == alone[::-1]).all()


def test_any_text_has_a_score(trained):
    hostile = [
        "",
        " ",
        "\0",
        "\ud800",
        "é" * 100_000,
        "字" * 5_000,
        "[MASK] [CLS] [SEP]",
        "a\n" * 99,
    ]
    batch = [dataclasses.replace(articles(1)[0], title=text, text="") for text in hostile]
    found = scores(trained[1], batch)
    assert np.isfinite(found).all()
    assert ((found >= 0) & (found <= 100)).all()
    assert scores(trained[1], []).shape == (0,)


def test_reasons_add_up_to_the_score(trained):
    model = trained[1]
    one = articles(1)[0]
    told = model.parts(one, None, "")
    assert [reason.kind for reason in told] == ["text"], "as many likes as dislikes: no prior"
    assert sum(reason.effect for reason in told) == pytest.approx(scores(model, [one])[0] - 50)


@pytest.mark.parametrize(
    ("likes", "dislikes"), [(0, 0), (40, 0), (19, 30), (30, 19)], ids=lambda n: str(n)
)
def test_too_few_of_a_class_is_not_yet(likes, dislikes, tmp_path):
    few = [dataclasses.replace(one, positive=True) for one in labels(likes)]
    few += [dataclasses.replace(one, positive=False) for one in labels(dislikes)]
    made = tuner("nowhere", tmp_path).train(few, None, NOW)
    assert made == NotYet(likes, dislikes, (20, 20))


def test_newest_takes_as_many_of_each_class(modernbert, tmp_path):
    uneven = [one for place, one in enumerate(labels(120)) if one.positive or place % 6 == 1]
    kept = fine_tuned._newest(uneven)
    assert sum(one.positive for one in kept) == 20
    assert len(kept) == 40
    likes = [one.at for one in uneven if one.positive]
    assert min(one.at for one in kept if one.positive) == sorted(likes)[-20]
    model = tuner(modernbert, tmp_path, balance="newest").train(uneven, None, NOW)
    assert (model.positives, model.negatives) == (60, 20)


def test_a_fifth_of_each_class_is_held_out_by_the_seed():
    truth = np.array([1.0] * 50 + [0.0] * 150)
    kept, held = split(truth, Recipe())
    assert sorted([*kept, *held]) == list(range(200))
    assert truth[held].sum() == 10
    assert len(held) == 40
    assert (split(truth, Recipe())[1] == held).all()
    assert not (split(truth, Recipe(seed=1))[1] == held).all()


def test_the_best_epoch_is_kept(modernbert, tmp_path):
    """A rate so high that it only destroys: the first epoch is best, or any equal to it."""
    import torch

    from newsloom.ranking.encoders.encoder_classifier import load_base

    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = load_base(str(modernbert), "", "cpu", 64)
    rows = network.tokens(articles(64))
    truth = np.array([1.0, 0.0] * 32)
    learn = Lesson(rows[:48], truth[:48], np.ones(48))
    judge = Lesson(rows[48:], truth[48:], np.ones(16))
    seen = []

    class Watched(Classifier):
        def logits(self, rows):
            found = Classifier.logits(self, rows)
            # The second of three is what there is to be found.
            seen.append(found if len(seen) == 1 else -judge.truth + np.arange(16) * 1e-6)
            return seen[-1]

    watched = Watched(network.network, network.tokenizer, "cpu", 64)
    recipe = dataclasses.replace(QUICK, rate=1e-2)
    outcome = fine_tune(watched, learn, judge, recipe, tmp_path)
    assert outcome.epoch == 2
    network.tokenizer.save_pretrained(tmp_path)
    kept = load_folder(tmp_path, "cpu", 64).logits(judge.rows)
    assert kept == pytest.approx(seen[1], abs=1e-6)


def test_weights_move_less_with_a_smaller_rate_and_stay_with_none(modernbert, tmp_path):
    from newsloom.ranking.encoders.encoder_classifier import load_base

    def moved(rate):
        network = load_base(str(modernbert), "", "cpu", 64)
        before = [one.detach().clone() for one in network.network.parameters()]
        rows = network.tokens(articles(16))
        lesson = Lesson(rows, np.array([1.0, 0.0] * 8), np.ones(16))
        recipe = dataclasses.replace(QUICK, epochs=1, rate=rate)
        fine_tune(network, lesson, lesson, recipe, tmp_path)
        pairs = zip(before, network.network.parameters(), strict=True)
        return max(float((old - new.detach()).abs().max()) for old, new in pairs)

    assert moved(0.0) == 0.0
    assert 0.0 < moved(1e-5) < moved(1e-3)


# --- what is on disk ---


def test_a_version_holds_numbers_and_json_only(trained):
    trainer, model = trained
    version = trainer.folder / model.model_id.rpartition("/")[2]
    kinds = {file.suffix for file in version.iterdir()}
    assert kinds == {".json", ".safetensors"}
    assert [one.name for one in trainer.folder.iterdir()] == [version.name], "no part is left"
    assert (version / "description.json").read_bytes() == model.to_payload()


def damage_flip(version):
    file = version / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def damage_config(version):
    config = json.loads((version / "config.json").read_text())
    (version / "config.json").write_text(json.dumps(config | {"auto_map": {"AutoModel": "x.Y"}}))


def damage_cut(version):
    file = version / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-8])


def damage_gone(version):
    (version / "model.safetensors").unlink()


def damage_pickle(version):
    (version / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n")


def damage_all(version):
    for file in version.iterdir():
        file.unlink()
    version.rmdir()


@pytest.mark.parametrize(
    "damage",
    [damage_flip, damage_config, damage_cut, damage_gone, damage_pickle, damage_all],
    ids=lambda one: one.__name__.removeprefix("damage_"),
)
def test_damage_is_refused(damage, trained, tmp_path):
    import shutil

    trainer, model = trained
    shutil.copytree(trainer.folder, tmp_path / "copy")
    moved = dataclasses.replace(trainer, folder=tmp_path / "copy")
    assert moved.load(stored(model)).model_id == model.model_id
    damage(tmp_path / "copy" / model.model_id.rpartition("/")[2])
    with pytest.raises(ModelError, match="newsloom train"):
        moved.load(stored(model))


def test_a_payload_with_another_hash_is_refused(trained):
    trainer, model = trained
    with pytest.raises(ModelError, match="hash"):
        trainer.load(dataclasses.replace(stored(model), payload=b"{}"))


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({"version": "modernbert@9"}, id="another version"),
        pytest.param({"slope": float("nan")}, id="not a number"),
        pytest.param({"files": {"../../x": {"sha256": "", "bytes": 1}}}, id="outside its folder"),
        pytest.param({"files": []}, id="files of the wrong type"),
        pytest.param({"trained": "yesterday"}, id="no time"),
        pytest.param({"tokens": 0}, id="no tokens"),
    ],
)
def test_a_payload_that_says_nonsense_is_refused(edit, trained):
    trainer, model = trained
    payload = json.dumps(json.loads(model.to_payload()) | edit).encode()
    bad = dataclasses.replace(
        stored(model), payload=payload, sha256=hashlib.sha256(payload).hexdigest()
    )
    with pytest.raises(ModelError, match="cannot be read"):
        trainer.load(bad)


# --- what is not there ---


def test_a_base_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ModelError, match="cannot be loaded"):
        tuner(tmp_path / "no-such-model", tmp_path / "weights").train(labels(60), None, NOW)
    assert list((tmp_path / "weights").iterdir()) == [], "no part is left"


def test_a_base_of_pickled_weights_is_refused(modernbert, tmp_path):
    import shutil

    import torch

    folder = tmp_path / "pickled"
    shutil.copytree(modernbert, folder)
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="safetensors"):
        tuner(folder, tmp_path / "weights").train(labels(60), None, NOW)


def test_a_base_that_brings_code_is_refused(modernbert, tmp_path):
    import shutil

    folder = tmp_path / "coded"
    shutil.copytree(modernbert, folder)
    marker = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    config = json.loads((folder / "config.json").read_text()) | {
        "model_type": "own",
        "auto_map": {
            "AutoConfig": "own.OwnConfig",
            "AutoModelForSequenceClassification": "own.Own",
        },
    }
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="cannot be loaded"):
        tuner(folder, tmp_path / "weights").train(labels(60), None, NOW)
    assert not marker.exists()


def test_a_gpu_that_is_not_there_is_said(modernbert, tmp_path):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    trainer = dataclasses.replace(tuner(modernbert, tmp_path), device="cuda")
    with pytest.raises(ModelError, match="no GPU"):
        trainer.train(labels(60), None, NOW)


def test_scoring_goes_on_where_a_device_fails(trained, caplog):
    trainer, model = trained
    version = trainer.folder / model.model_id.rpartition("/")[2]
    sound = load_folder(version, "cpu", 64)
    rows = sound.tokens(articles(4))
    expected = sound.logits(rows)
    # Tensors of the device "meta" hold no numbers: every run on it fails, as on a lost GPU.
    lost = Classifier(sound.network, sound.tokenizer, "meta", 64)
    assert (lost.logits(rows) == expected).all()
    assert lost.device == "cpu"
    assert "the processor goes on" in caplog.text


def test_training_begins_again_where_a_device_fails(caplog):
    def act(device):
        tried.append(device)
        if device == "cuda":
            raise RuntimeError("CUDA out of memory")
        return "trained"

    tried = []
    assert first_that_works(("cuda", "cpu"), act) == "trained"
    assert tried == ["cuda", "cpu"]
    assert "begins again on cpu" in caplog.text
    with pytest.raises(ModelError, match="out of memory"):
        first_that_works(("cuda",), act)
