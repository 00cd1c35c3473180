"""The shipped encoder: what holds of every vector, and that the vectors mean something."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.ranking.encoders.onnx_encoder import MAX_CHARACTERS, MAX_TOKENS
from newsloom.ranking.encoders.registry import embedder

ENCODER = embedder("minilm-int8", threads=2)

# Wobble of float32 sums between batch shapes; measured at 1.3e-7 over 6,000 texts.
SAME = 1e-5

TEXTS = [
    "Parliament votes on the budget tonight",
    "",
    "Short",
    "The volcano on the island erupted again, and three villages were cleared before dawn. " * 6,
    "Neue Bahnstrecke zwischen Berlin und Prag eröffnet",
    "火山が再び噴火した",
    "Short",
    "Rates rise. " * 12,
    "Budget vote tonight in parliament",
    "Chipmaker's quarterly profit beats forecasts",
]

ODD = {
    "empty": "",
    "spaces": " " * 100_000,
    "nul": "\0",
    "nul inside": "a\0b",
    "lone surrogate": "a\ud800b",
    "emoji": "👩‍👩‍👧‍👦" * 3_000,
    "one long word": "a" * 100_000,
    "100 kB of words": "all the news of the day " * 4_200,
    "controls": "".join(map(chr, range(32))),
    "right to left": "\u202eأخبار اليوم\u202c",
    "combining marks": "e" + "\u0301" * 5_000,
    "private use and unassigned": "\ue000\U0010ffff\ufdd0",
    "tokens written out": "[CLS] [SEP] [PAD] [MASK] [UNK]",
}


@pytest.fixture(scope="module")
def in_order() -> np.ndarray:
    return ENCODER.embed(TEXTS)


def lengths(vectors: np.ndarray) -> np.ndarray:
    return np.linalg.norm(vectors, axis=1)


def test_the_shape_and_the_kind_of_the_answer(in_order):
    assert in_order.shape == (len(TEXTS), ENCODER.dimensions)
    assert in_order.dtype == np.float32
    assert lengths(in_order) == pytest.approx(1, abs=SAME)


def test_nothing_in_nothing_out():
    assert ENCODER.embed([]).shape == (0, ENCODER.dimensions)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_text_has_a_unit_vector(text: str):
    assert lengths(ENCODER.embed([text])) == pytest.approx(1, abs=SAME)


@given(st.lists(st.text(st.characters(), max_size=300), min_size=1, max_size=4))
@settings(max_examples=40)
def test_any_text_has_a_unit_vector(texts: list[str]):
    assert lengths(ENCODER.embed(texts)) == pytest.approx(1, abs=SAME)


def test_a_text_has_the_same_vector_alone_and_in_company():
    alone = np.concatenate([ENCODER.embed([text]) for text in TEXTS])
    assert np.abs(ENCODER.embed(TEXTS) - alone).max() < SAME
    assert np.abs(ENCODER.embed(TEXTS * 5) - np.tile(alone, (5, 1))).max() < SAME


@given(order=st.permutations(range(len(TEXTS))))
@settings(max_examples=10)
def test_order_is_kept(in_order, order: list[int]):
    shuffled = ENCODER.embed([TEXTS[place] for place in order])
    assert np.abs(shuffled - in_order[order]).max() < SAME


@pytest.mark.parametrize("threads", [0, 1, 3, 64])
def test_threads_change_nothing(threads: int):
    other = embedder("minilm-int8", threads=threads)
    assert np.abs(other.embed(TEXTS * 2) - ENCODER.embed(TEXTS * 2)).max() < SAME


def test_many_threads_may_call_at_once(in_order):
    with ThreadPoolExecutor(8) as pool:
        for vectors in pool.map(ENCODER.embed, [TEXTS] * 12):
            assert np.abs(vectors - in_order).max() < SAME


def test_only_the_head_of_a_long_text_is_read():
    head = "one " * MAX_TOKENS
    longer = ENCODER.embed([head, head + "two " * 500])
    assert np.array_equal(longer[0], longer[1])
    assert len(head) < MAX_CHARACTERS


RELATED = [
    (
        "Volcano erupts on island, villages evacuated",
        "Thousands flee homes as lava flows from crater",
        "Central bank raises interest rates again",
    ),
    (
        "Striker scores twice as hosts win cup final",
        "Late goal settles the championship match",
        "New vaccine approved for use in children",
    ),
    (
        "Phone maker unveils thinner flagship handset",
        "The company's latest smartphone has a better camera",
        "Court sentences former minister for bribery",
    ),
    (
        "A guide to growing tomatoes on a balcony",
        "How to start a small vegetable garden",
        "Oil prices fall after producers meet",
    ),
]


@pytest.mark.parametrize("related", RELATED, ids=lambda titles: titles[0].split()[0])
def test_related_titles_are_nearer_than_unrelated_ones(related: tuple[str, str, str]):
    one, near, far = ENCODER.embed(related)
    assert one @ near > one @ far + 0.1
    assert near @ one > near @ far + 0.1


def test_torch_is_never_imported():
    code = (
        "import sys\n"
        "from newsloom.ranking.encoders.registry import embedder\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'onnxruntime'}\n"
        "assert not heavy & set(sys.modules), 'imported before it is needed'\n"
        "assert embedder('minilm-int8').embed(['text']).shape == (1, 384)\n"
        "assert heavy & set(sys.modules) == {'onnxruntime'}, sorted(heavy & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stderr
