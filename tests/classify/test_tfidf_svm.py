"""The words of likes and dislikes: what counts as a word, what is learned, and safe bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readers import NOW, article, label

from newsloom.kernel.errors import ModelError
from newsloom.kernel.text.stop_words import stop_words
from newsloom.ranking.learning import terms
from newsloom.ranking.learning.calibration import balanced
from newsloom.ranking.learning.terms import Rows, counted, learned, tokens
from newsloom.ranking.learning.tfidf_svm import SvmTrainer, from_payload, solve
from newsloom.ranking.measure.metrics import calibration_error, roc_auc
from newsloom.ranking.values.models import NotYet, StoredModel

LIKED = ["harbour", "ship", "tide", "crane", "dock", "sailor", "anchor", "mast"]
DISLIKED = ["recipe", "oven", "butter", "sugar", "dough", "kitchen", "salt", "spoon"]
COMMON = [f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def titles(count, seed=0, noise=0.0):
    """Titles about ships or baking among words of both; whether the reader likes each."""
    draw = np.random.default_rng(seed)
    about = draw.random(count) < 0.5
    liked = about ^ (draw.random(count) < noise)
    made = []
    for one in about:
        own = draw.choice(LIKED if one else DISLIKED, 2)
        made.append(" ".join([*own, *draw.choice(COMMON, 5)]))
    return made, liked


def labelled(made, liked):
    return [
        label(bool(one), number=number, title=title)
        for number, (title, one) in enumerate(zip(made, liked, strict=True))
    ]


def points(model, made):
    return model.score([article(one) for one in made], np.zeros((len(made), 0)), [""] * len(made))


@pytest.fixture(scope="module")
def model():
    return SvmTrainer((20, 20)).train(labelled(*titles(300, noise=0.1)), np.zeros((300, 0)), NOW)


# --- words ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The harbour was closed", ["harbour", "closed"], id="stop words"),
        pytest.param("HARBOUR ﬁre", ["harbour", "fire"], id="case and ligature"),
        pytest.param("in 2021 and 3.5 GPT-4 F1 5g", ["gpt", "f1", "5g"], id="numbers"),
        pytest.param("see https://a.test/x?y=harbour now a@b.test", [], id="addresses"),
        pytest.param("don't Newsloom's", ["don", "newsloom"][1:], id="apostrophes"),
        pytest.param("snake_case", ["snake", "case"], id="underscore"),
        pytest.param("中国经济", ["中国", "经济"], id="Han"),
        pytest.param("日本のAI株", ["日本", "ai"], id="kana, Latin, one alone"),
        pytest.param("ภาษา", ["ภาษา"], id="Thai"),
        pytest.param("한국 경제", ["한국", "경제"], id="Hangul has spaces"),
        pytest.param("हिन्दी में", ["हिन्दी", "में"], id="Devanagari keeps its signs"),
        pytest.param("café e\u0301tude", ["café", "étude"], id="accents composed"),
        pytest.param("x" * 41 + " " + "y" * 40, ["y" * 40], id="too long for a word"),
        pytest.param("", [], id="nothing"),
        pytest.param("\0\ud800🙂 — !", [], id="no word at all"),
    ],
)
def test_words(text, expected):
    assert list(tokens(text, "en")) == expected


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("de", "Die Stadt und der Krieg war lang", ["stadt", "krieg", "lang"]),
        ("en", "War toll: many die", ["war", "toll", "die"]),
        ("fr", "Le port est dans la ville", ["port", "ville"]),
        ("es", "El puerto está en la ciudad", ["puerto", "ciudad"]),
        ("xx", "the harbour", ["the", "harbour"]),
        ("", "the harbour", ["harbour"]),
    ],
)
def test_stop_words_belong_to_their_language(language, text, left):
    assert list(tokens(text, language)) == left


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_stop_words_are_written_as_words_are_read(language):
    for word in stop_words(language):
        assert list(tokens(word, "xx")) in ([word], []), word


@given(st.text(max_size=300), st.sampled_from(["en", "de", "ja", ""]))
def test_any_text_gives_short_folded_words(text, language):
    for word in tokens(text, language):
        assert 0 < len(word) <= terms.LONGEST
        assert not word.isspace()


def test_a_whole_book_is_cut():
    assert len(list(tokens("harbour " * 100_000, "en"))) <= terms.MAX_CHARACTERS // 8 + 1


# --- rows ---


def dense(rows):
    made = np.zeros((rows.count, rows.width))
    made[rows.places, rows.columns] = rows.values
    return made


def test_rows_are_scikit_learns_tf_idf():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    made, _ = titles(80)
    made[3] = made[3] + " " + made[3] + " harbour harbour"
    theirs = text.TfidfVectorizer(analyzer=lambda one: list(tokens(one, "en")), sublinear_tf=True)
    expected = theirs.fit_transform(made).toarray()
    known = learned([counted(article(one)) for one in made])
    assert list(known.terms) == sorted(theirs.vocabulary_)
    rows = known.rows([counted(article(one)) for one in made])
    assert dense(rows) == pytest.approx(expected, abs=1e-12)


def test_rows_of_unknown_words_are_empty_and_harmless():
    known = learned([counted(article(one)) for one in titles(20)[0]])
    rows = known.rows([{}, {"zzz": 3}, {"harbour": 1}])
    assert dense(rows).sum(axis=1).tolist() == [0.0, 0.0, 1.0]


def test_more_words_than_fit_leave_the_most_held():
    counts = [{"rare": 1, "b": 1}, {"b": 1, "c": 2}, {"b": 1, "c": 1, "a": 1}]
    known = learned(counts, most=3)
    assert known.terms == ("a", "b", "c")


def sparse(matrix):
    places, columns = np.nonzero(matrix)
    return Rows(*matrix.shape, places, columns, matrix[places, columns])


@given(st.integers(0, 2**32 - 1))
def test_a_sparse_matrix_multiplies_as_its_dense_form(seed):
    draw = np.random.default_rng(seed)
    matrix = draw.standard_normal((7, 5)) * (draw.random((7, 5)) < 0.4)
    rows = sparse(matrix)
    weights, numbers = draw.standard_normal(5), draw.standard_normal(7)
    assert rows.times(weights) == pytest.approx(matrix @ weights)
    assert rows.transposed_times(numbers) == pytest.approx(matrix.T @ numbers)
    chosen = draw.integers(0, 7, 4)
    assert dense(rows.take(chosen)) == pytest.approx(matrix[chosen])


# --- the machine ---


@pytest.mark.parametrize("cost", [0.05, 1.0, 10.0])
def test_the_line_is_liblinears(cost):
    svm = pytest.importorskip("sklearn.svm")
    made, liked = titles(200, noise=0.15)
    rows = learned(counts := [counted(article(one)) for one in made]).rows(counts)
    truth = liked.astype(float)
    weights = np.random.default_rng(3).random(200) + 0.1
    theirs = svm.LinearSVC(C=cost, tol=1e-8, max_iter=100_000)
    theirs.fit(dense(rows), liked, sample_weight=balanced(truth, weights))
    ours = solve(rows, truth, cost * balanced(truth, weights))
    assert ours.weights == pytest.approx(theirs.coef_[0], abs=1e-3)
    assert ours.bias == pytest.approx(theirs.intercept_[0], abs=1e-3)


def test_rows_without_any_word_leave_the_bias():
    line = solve(Rows(4, 0, *(np.zeros(0, np.intp),) * 2, np.zeros(0)), np.ones(4), np.ones(4))
    assert line.weights.shape == (0,)
    assert 0.5 < line.bias < 1.0


# --- the trainer ---


@pytest.mark.parametrize(
    ("likes", "dislikes"),
    [(0, 0), (30, 0), (0, 30), (19, 30), (30, 19)],
    ids=["none", "likes only", "dislikes only", "a like too few", "a dislike too few"],
)
def test_too_few_labels_of_one_kind_is_not_yet(likes, dislikes):
    made = labelled(["ship"] * likes + ["oven"] * dislikes, [True] * likes + [False] * dislikes)
    assert SvmTrainer((20, 20)).train(made, np.zeros((0, 0)), NOW) == NotYet(
        likes, dislikes, (20, 20)
    )


def test_it_learns_the_words_and_how_sure_to_be(model):
    made, liked = titles(2_000, seed=9, noise=0.1)
    found = points(model, made)
    assert roc_auc(liked, found) > 0.85
    assert calibration_error(liked, found / 100) < 0.1
    assert (model.positives + model.negatives, model.trained) == (300, NOW)
    assert model.vector_model == ""


def test_rare_likes_are_not_drowned():
    made, liked = titles(2_000, seed=4)
    rare = np.concatenate([np.flatnonzero(liked)[:30], np.flatnonzero(~liked)[:600]])
    trained = SvmTrainer((20, 20)).train(
        labelled([made[row] for row in rare], liked[rare]), np.zeros((630, 0)), NOW
    )
    rest = np.setdiff1d(np.arange(2_000), rare)
    assert roc_auc(liked[rest], points(trained, [made[row] for row in rest])) > 0.95


def test_heavier_evidence_pulls_harder():
    made, liked = titles(200, seed=2)
    weighed = [
        dataclasses.replace(one, weight=5.0) if "harbour" in one.article.title else one
        for one in labelled(made, liked)
    ]
    plain = SvmTrainer((20, 20)).train(labelled(made, liked), np.zeros((200, 0)), NOW)
    heavy = SvmTrainer((20, 20)).train(weighed, np.zeros((200, 0)), NOW)
    ratio = [
        one.line.weights[one.vocabulary.places["harbour"]]
        / one.line.weights[one.vocabulary.places["anchor"]]
        for one in (plain, heavy)
    ]
    assert ratio[1] > ratio[0]


def test_labels_without_words_score_at_their_rate():
    made = labelled(["the of"] * 100, [True] * 25 + [False] * 75)
    trained = SvmTrainer((20, 20)).train(made, np.zeros((100, 0)), NOW)
    assert points(trained, ["anything", ""]) == pytest.approx([25, 25], abs=3)


def test_company_and_order_change_no_score(model):
    made, _ = titles(4_500, seed=8)
    together = points(model, made)
    alone = [points(model, [one])[0] for one in made[::500]]
    assert together[::500].tolist() == alone
    assert points(model, made[::-1])[::-1].tolist() == together.tolist()


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_has_a_score(model, title, text):
    found = model.score([article(title, text)], np.zeros((1, 0)), [""])
    assert 0 <= found[0] <= 100


def test_reasons_name_the_words(model):
    told = model.parts(article("harbour ship oven worda"), np.zeros(0, np.float32), "")
    effects = {reason.text: reason.effect for reason in told if reason.kind == "term"}
    assert effects["harbour"] > 1
    assert effects["ship"] > 1
    assert effects["oven"] < -1
    assert [abs(one.effect) for one in told] == sorted((abs(r.effect) for r in told), reverse=True)


@pytest.mark.parametrize(
    "title", ["harbour ship oven worda", "", "nothing known", " ".join(COMMON)]
)
def test_reasons_add_up_to_the_score(model, title):
    told = model.parts(article(title), np.zeros(0, np.float32), "")
    assert sum(one.effect for one in told) == pytest.approx(
        points(model, [title])[0] - 50, abs=1e-6
    )


def test_reasons_of_a_long_text_stay_few(model):
    told = model.parts(article(" ".join(LIKED + DISLIKED + COMMON)), np.zeros(0, np.float32), "")
    assert len(told) <= 11


# --- its bytes ---


def stored(payload):
    return StoredModel("", "relevance", payload, hashlib.sha256(payload).hexdigest(), NOW)


def test_bytes_give_back_the_model(model):
    again = SvmTrainer((20, 20)).load(stored(model.to_payload()))
    made, _ = titles(50, seed=6)
    assert again.model_id == model.model_id
    assert points(again, made).tolist() == points(model, made).tolist()
    assert again.metrics == model.metrics


def test_the_same_labels_give_the_same_bytes(model):
    again = SvmTrainer((20, 20)).train(labelled(*titles(300, noise=0.1)), np.zeros((300, 0)), NOW)
    assert again.to_payload() == model.to_payload()


def test_other_labels_give_another_id(model):
    other = SvmTrainer((20, 20)).train(labelled(*titles(300, noise=0.11)), np.zeros((300, 0)), NOW)
    assert other.model_id != model.model_id


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({"version": "tfidf-svm@9"}, id="another version"),
        pytest.param({"bias": float("nan")}, id="not a number"),
        pytest.param({"bias": None}, id="nothing"),
        pytest.param({"weights": []}, id="no weights"),
        pytest.param({"weights": [[1.0]]}, id="a matrix"),
        pytest.param({"terms": ["a", "a"], "holders": [1, 1], "weights": [1, 1]}, id="twice"),
        pytest.param({"terms": ["a"], "holders": [0], "weights": [1]}, id="held by none"),
        pytest.param({"terms": ["a"], "holders": [9_999], "weights": [1]}, id="by more than all"),
        pytest.param({"trained": "yesterday"}, id="no time"),
        pytest.param({"metrics": 7}, id="metrics of the wrong type"),
    ],
)
def test_bytes_that_say_nonsense_are_refused(edit, model):
    payload = json.dumps(json.loads(model.to_payload()) | edit).encode()
    with pytest.raises(ModelError, match="cannot be read"):
        from_payload(payload, hashlib.sha256(payload).hexdigest())


@pytest.mark.parametrize("payload", [b"", b"\x80\x04.", b"[" * 100_000, b"[]", b"null"])
def test_other_bytes_are_refused(payload):
    with pytest.raises(ModelError, match="cannot be read"):
        from_payload(payload, hashlib.sha256(payload).hexdigest())


def test_a_flipped_byte_is_refused(model):
    payload = bytearray(model.to_payload())
    digest = hashlib.sha256(payload).hexdigest()
    payload[40] ^= 1
    with pytest.raises(ModelError, match="hash"):
        from_payload(bytes(payload), digest)
