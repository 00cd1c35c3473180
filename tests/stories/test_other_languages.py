"""Reports of one event in languages that the shipped encoder does not know; written for this."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from newsloom.ranking.encoders import registry
from newsloom.ranking.values.models import E5_VECTORS, event_vectors
from newsloom.stories.prepared import Background, Prepared, prepare
from newsloom.stories.same_event import SameEvent, judge_of
from newsloom.stories.values.pages import Piece
from newsloom.topics.tfidf import shipped

DAY = datetime(2026, 3, 4, tzinfo=UTC)

# Two reports of one event, and one of another.
REPORTS = {
    "it": (
        "Terremoto nelle Marche, due feriti e scuole chiuse",
        "Scossa di terremoto nelle Marche: due feriti, chiuse le scuole",
        "Il governo approva la riforma delle pensioni",
    ),
    "nl": (
        "Twee gewonden bij brand in flat in Rotterdam",
        "Brand in flat in Rotterdam: twee gewonden naar ziekenhuis",
        "Kabinet wil accijns op benzine verlagen",
    ),
    "ru": (
        "Суд в Москве приговорил бывшего министра к четырём годам",
        "Бывший министр получил четыре года: приговор суда в Москве",
        "Учёные нашли новый вид глубоководных рыб",
    ),
    "pl": (
        "Pożar hali w Łodzi, ewakuowano sto osób",
        "Sto osób ewakuowanych: pożar hali magazynowej w Łodzi",
        "Rząd przyjął projekt budżetu na przyszły rok",
    ),
}


@pytest.fixture(scope="module")
def ready() -> dict[str, list[Prepared]]:
    encoder, background = registry.embedder("minilm-int8", 1), Background(shipped())
    return {
        code: [
            prepare(Piece(place, title, "", DAY, f"{place}.test", code), vector, background)
            for place, (title, vector) in enumerate(zip(titles, encoder.embed(titles), strict=True))
        ]
        for code, titles in REPORTS.items()
    }


def test_one_event_is_told_from_another(ready: dict[str, list[Prepared]]) -> None:
    judge = SameEvent()
    same = {code: judge.probability(one, other) for code, (one, other, _) in ready.items()}
    apart = {code: judge.probability(one, another) for code, (one, _, another) in ready.items()}
    assert {code: chance for code, chance in same.items() if chance < 0.5} == {}
    # Without the means: .39 to .87, each.
    assert {code for code in REPORTS if same[code] - apart[code] < 0.3} == set()
    assert sum(apart.values()) / len(apart) < 0.3, apart


def test_each_encoder_has_its_own_weights_and_only_what_knows_no_language_is_centred() -> None:
    assert judge_of(E5_VECTORS).version != judge_of("all-MiniLM").version == SameEvent().version
    vector = np.eye(1, 384, dtype=np.float32)[0]
    piece = Piece(1, "Der Zug ist nicht da", "", DAY, "1.test", "de")
    background = Background(shipped())
    assert judge_of("all-MiniLM").centred
    assert not judge_of(E5_VECTORS).centred
    assert np.array_equal(prepare(piece, vector, background, centred=False).vector, vector)
    assert not np.array_equal(prepare(piece, vector, background).vector, vector)


def test_events_are_compared_by_the_active_encoder_where_it_has_weights() -> None:
    assert event_vectors(E5_VECTORS, "all-MiniLM") == E5_VECTORS
    assert event_vectors("some-other", "all-MiniLM") == "all-MiniLM"
