"""A spaCy model as the finder of names: real ones, made here and loaded from a folder."""

from __future__ import annotations

import sys

import pytest

from newsloom.articles.entities.finder import Entity, Span, recognizer
from newsloom.kernel.errors import ModelError

PATTERNS = [
    {"label": "PERSON", "pattern": "Dr. Angela Merkel"},
    {"label": "GPE", "pattern": "Berlin"},
    {"label": "FAC", "pattern": "Tempelhof"},
    {"label": "NORP", "pattern": "Greens"},
    {"label": "ORG", "pattern": "NATO"},
    {"label": "DATE", "pattern": [{"LOWER": "monday"}, {}, {"LOWER": "march"}, {"LOWER": "3"}]},
    {"label": "PRODUCT", "pattern": "iPhone"},
]
TEXT = (
    "On Monday, March 3 Dr. Angela Merkel left Berlin for NATO\n"
    "The Greens saw an iPhone in Tempelhof"
)


def test_without_spacy_it_says_what_to_do():
    if "spacy" in sys.modules:
        pytest.skip("spaCy is loaded already")
    try:
        import spacy  # noqa: F401
    except ImportError:
        with pytest.raises(ModelError, match=r"needs spacy, .*newsloom\[spacy\]"):
            recognizer("en_core_web_sm")
    else:
        pytest.skip("spaCy is installed here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns(PATTERNS)
    place = tmp_path_factory.mktemp("model")
    pipeline.to_disk(place)
    return str(place)


@pytest.mark.torch
def test_a_folder_is_loaded_and_its_labels_become_kinds(folder):
    found = recognizer(folder)
    assert found.model_id.startswith("spacy:en_")
    (entities,) = found.recognise([TEXT])
    assert set(entities) == {
        Entity("person", "angela merkel"),
        Entity("place", "berlin"),
        Entity("place", "tempelhof"),
        Entity("organisation", "greens"),
        Entity("organisation", "nato"),
        Entity("date", "monday"),
        Entity("date", "3 march"),
    }


@pytest.mark.torch
def test_tokens_of_others_are_tagged(folder):
    words = ["Berlin", "", "\ud800", "NATO", "iPhone"]
    assert recognizer(folder).tag([words, []]) == [
        (Span(0, 1, "place"), Span(3, 4, "organisation")),
        (),
    ]


@pytest.mark.torch
def test_a_trained_model_finds_what_it_was_shown(tmp_path):
    spacy = pytest.importorskip("spacy")
    from spacy.training import Example

    pipeline = spacy.blank("en")
    pipeline.add_pipe("ner")
    shown = [
        ("Ann lives in Rome", {"entities": [(0, 3, "PERSON"), (13, 17, "GPE")]}),
        ("Bob lives in Oslo", {"entities": [(0, 3, "PERSON"), (13, 17, "GPE")]}),
    ]
    examples = [Example.from_dict(pipeline.make_doc(text), gold) for text, gold in shown]
    spacy.util.fix_random_seed(0)
    optimizer = pipeline.initialize(lambda: examples)
    for _ in range(40):
        pipeline.update(examples, sgd=optimizer)
    pipeline.to_disk(tmp_path)
    (entities,) = recognizer(str(tmp_path)).recognise(["Ann lives in Oslo"])
    assert entities == (Entity("person", "ann"), Entity("place", "oslo"))


@pytest.mark.torch
def test_a_model_that_finds_no_names_is_refused(tmp_path):
    pytest.importorskip("spacy").blank("en").to_disk(tmp_path)
    with pytest.raises(ModelError, match="finds no names"):
        recognizer(str(tmp_path))


@pytest.mark.torch
@pytest.mark.parametrize("name", ["en_core_web_none", "/nowhere/at/all"])
def test_a_model_that_is_not_there(name):
    pytest.importorskip("spacy")
    with pytest.raises(ModelError, match="spaCy cannot load the model"):
        recognizer(name)


@pytest.mark.torch
def test_a_folder_that_is_no_model(tmp_path):
    pytest.importorskip("spacy")
    (tmp_path / "config.cfg").write_text("no model")
    with pytest.raises(ModelError, match="spaCy cannot load"):
        recognizer(str(tmp_path))
