"""People, organisations, places and dates by the shipped model."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.articles.entities.features import case_of
from newsloom.articles.entities.finder import (
    LEAD_WORDS,
    Entity,
    Span,
    entity_text,
    once,
    recognizer,
)
from newsloom.articles.entities.model import MANIFEST, WEIGHTS, WORDS, load
from newsloom.articles.entities.names import normal_name
from newsloom.articles.entities.tokens import MAX_TOKENS, sentences
from newsloom.kernel.errors import ModelError
from newsloom.kernel.text.dates import dates

NEWS = (
    "German Chancellor Angela Merkel met President Emmanuel Macron in Paris on Friday, a spokesman "
    "for the European Commission said. Microsoft opened an office in Nairobi in May 2021."
)


def found(text):
    return set(map(str, recognizer().recognise([text])[0]))


def test_news_in_running_text():
    assert {
        "person:angela merkel",
        "person:emmanuel macron",
        "place:paris",
        "date:friday",
        "organisation:european commission",
        "organisation:microsoft",
        "place:nairobi",
        "date:may 2021",
    } <= found(NEWS)


@pytest.mark.parametrize(
    "headline",
    [
        pytest.param("Angela Merkel visits London with John Kerry", id="running text"),
        pytest.param("Angela Merkel Visits London With John Kerry", id="title case"),
        pytest.param("ANGELA MERKEL VISITS LONDON WITH JOHN KERRY", id="capitals"),
    ],
)
def test_headlines_in_any_case(headline):
    assert {"person:angela merkel", "place:london", "person:john kerry"} <= found(headline)


def test_names_in_other_languages_are_sure_or_left_out():
    texts = {
        "Caso Tarantini, il procuratore ha sentito ieri Silvio Berlusconi a Napoli per ore.": {
            "person:silvio berlusconi", "place:napoli", "date:yesterday"
        },
        "Geile Texte schreiben: von der Bewerbung bis zum Profil, so geht das heute.": {
            "date:today"
        },
        "東京地裁、Martha Wainwrightさんに懲役4年の判決を言い渡した。": set(),
    }  # fmt: skip
    wrong = {text: found(text) for text, names in texts.items() if found(text) - names}
    assert not wrong
    assert "person:silvio berlusconi" in found(next(iter(texts)))


def test_each_once_in_order_of_appearance():
    (entities,) = recognizer().recognise(["Rome and Paris. Then Rome again, and Monday."])
    assert entities == (
        Entity("place", "rome"),
        Entity("place", "paris"),
        Entity("date", "monday"),
    )


def test_a_text_is_read_alone_whatever_stands_beside_it():
    texts = [NEWS, "Rome fell on Monday.", "", NEWS[:80]]
    together = recognizer().recognise(texts)
    assert together == [recognizer().recognise([text])[0] for text in texts]


def test_threads_do_not_meet():
    texts = [NEWS, "In Oslo Ann Smith of Unilever spoke.", "Peter Jones left Madrid."] * 10
    alone = recognizer().recognise(texts)
    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(lambda text: recognizer().recognise([text])[0], texts))
    assert several == alone


def test_tokens_of_others_are_tagged_with_dates():
    words = ["Angela", "Merkel", "left", "Paris", "on", "3", "March", "2021", "."]
    (spans,) = recognizer().tag([words])
    assert [(" ".join(words[one.start : one.end]), one.kind) for one in spans] == [
        ("Angela Merkel", "person"),
        ("Paris", "place"),
        ("3 March 2021", "date"),
    ]


def test_a_last_name_is_found_where_the_whole_one_stands_elsewhere():
    alone = ["so", "they", "ate", "the", "Rice"]
    assert recognizer().tag([alone]) == [()]
    document = [alone, ["Angela", "Rice", "said", "so", "."]]
    assert recognizer().tag(document) == [(Span(4, 5, "person"),), (Span(0, 2, "person"),)]


def test_a_sentence_of_any_length_is_tagged():
    words = ["Angela", "Merkel", "spoke", "."] * MAX_TOKENS
    (spans, none) = recognizer().tag([words, []])
    assert sum(one.kind == "person" for one in spans) == MAX_TOKENS
    assert none == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" \n\n ", id="blank"),
        pytest.param("Rome", id="one word"),
        pytest.param("a" * 5_000_000, id="one word of 5 MB"),
        pytest.param("A" * 5_000_000, id="one capital word of 5 MB"),
        pytest.param("Aa Bb " * 900_000, id="5 MB of names"),
        pytest.param("1.1 " * 1_200_000, id="numbers"),
        pytest.param("3 March 2021 " * 400_000, id="dates"),
        pytest.param("\n" * 5_000_000, id="lines"),
        pytest.param("😀" * 1_000_000, id="emoji"),
        pytest.param("\ud800\x00\u202e" * 1_000_000, id="no characters"),
        pytest.param("中国人民" * 1_000_000, id="no spaces"),
        pytest.param("’s 's " * 1_000_000, id="possessives"),
    ],
)
def test_anything_is_read(text):
    assert all(one.name for one in recognizer().recognise([text])[0])


@given(st.text())
def test_any_text_is_read_the_same_twice(text):
    entities = recognizer().recognise([text])[0]
    assert entities == recognizer().recognise([text])[0]
    assert len(set(entities)) == len(entities)


@given(st.lists(st.lists(st.text(max_size=8), max_size=12), max_size=3))
def test_any_tokens_are_tagged_within_their_sentence(document):
    tagged = recognizer().tag(document)
    assert len(tagged) == len(document)
    for words, spans in zip(document, tagged, strict=True):
        places = [place for one in spans for place in range(one.start, one.end)]
        assert len(set(places)) == len(places)
        assert all(0 <= place < len(words) for place in places)


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(str(files("newsloom.articles.entities") / "data"), folder)
    return folder


def test_the_model_is_named_by_its_weights(copy):
    assert load(copy).model_id == recognizer().model_id
    assert "/" in recognizer().model_id


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        pytest.param(WEIGHTS, b"", "does not match this version", id="empty weights"),
        pytest.param(WORDS, b"other", "does not match this version", id="other words"),
        pytest.param(MANIFEST, b"{", "is damaged", id="no manifest"),
        pytest.param(MANIFEST, b'{"version": "1"}', "is damaged", id="half a manifest"),
        pytest.param(MANIFEST, None, "cannot be read", id="nothing"),
    ],
)
def test_a_damaged_model_is_refused(copy: Path, name, content, words):
    (copy / name).unlink()
    if content is not None:
        (copy / name).write_bytes(content)
    with pytest.raises(ModelError, match=words):
        load(copy)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("On Monday he left", ["monday"], id="a weekday"),
        pytest.param("March 3, 2021", ["3 march 2021"], id="American"),
        pytest.param("3 March", ["3 march"], id="British"),
        pytest.param("Sept. 11th, 2001 and Jan. 6", ["11 september 2001", "6 january"], id="short"),
        pytest.param("2021-03-03T10:00Z", ["3 march 2021"], id="ISO 8601"),
        pytest.param("am 03.04.2021", ["3 april 2021"], id="German figures"),
        pytest.param("am 3. März 2021, einem Mittwoch", ["3 march 2021", "wednesday"], id="German"),
        pytest.param("le 3 mars 2021, mardi", ["3 march 2021", "tuesday"], id="French"),
        pytest.param("el 3 de marzo de 2021", ["3 march 2021"], id="Spanish"),
        pytest.param("вчера, 3 мая 2021", ["yesterday", "3 may 2021"], id="Russian"),
        pytest.param("in October and in 2016", ["october", "2016"], id="a month, a year"),
        pytest.param("He may march on", [], id="verbs"),
        pytest.param("May I? March on Rome", [], id="verbs with a capital"),
        pytest.param("March 20,000 people; 2,016 of 1.2.3.4", [], id="figures"),
        pytest.param("yesterday", ["yesterday"], id="relative to nothing"),
    ],
)
def test_dates(text, names):
    assert [one.name for one in dates(text)] == names


@given(st.text(st.sampled_from("3 March2021.,-/thinMayО ")))
def test_dates_stand_in_order_inside_the_text(text):
    places = [(one.start, one.end) for one in dates(text)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)


@pytest.mark.parametrize(
    ("kind", "written", "name"),
    [
        ("person", "Mr. Donald Trump's", "donald trump"),
        ("person", "President Biden", "biden"),
        ("person", "President", "president"),
        ("organisation", "The White House", "white house"),
        ("place", "U.S.", "united states"),
        ("place", "the UK", "united kingdom"),
        ("place", "“Ｒｏｍｅ”", "rome"),
        ("person", "'s", ""),
    ],
)
def test_one_form_of_a_name(kind, written, name):
    assert normal_name(kind, written) == name


def test_a_last_name_is_the_whole_one_of_the_same_text():
    joe, biden = Entity("person", "joe biden"), Entity("place", "biden")
    assert once([biden, joe, Entity("date", "monday"), biden]) == (joe, Entity("date", "monday"))


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        pytest.param("He left. She came.", ["He left .", "She came ."], id="sentences"),
        pytest.param(
            "Mr. Smith of the U.S. left", ["Mr. Smith of the U.S. left"], id="short forms"
        ),
        pytest.param("Trump's plan", ["Trump 's plan"], id="possessive"),
        pytest.param('"Go." "Why?"', ['" Go . "', '" Why ? "'], id="quotation marks"),
        pytest.param("one\ntwo", ["one", "two"], id="lines"),
        pytest.param("AT&T rose 1,000.5%", ["AT&T rose 1,000.5 %"], id="signs"),
    ],
)
def test_sentences_and_tokens(text, cut):
    assert [" ".join(token.text for token in tokens) for tokens in sentences(text)] == cut


@given(st.text(max_size=400))
def test_tokens_stand_where_they_say(text):
    for tokens in sentences(text):
        assert 0 < len(tokens) <= MAX_TOKENS
        for token in tokens:
            assert text[token.start : token.end].startswith(token.text)


@pytest.mark.parametrize(
    ("sentence", "case"),
    [
        ("He left the city", "m"),
        ("He left", "m"),
        ("Man Leaves City After Storm", "T"),
        ("MAN LEAVES CITY", "U"),
        ("he left the city", "l"),
    ],
)
def test_the_case_of_a_sentence(sentence, case):
    assert case_of(sentence.split()) == case


def test_the_title_and_the_first_words_are_looked_at():
    text = entity_text("Title", "word " * 500)
    assert text.splitlines()[0] == "Title"
    assert len(text.split()) == LEAD_WORDS + 1
    assert len(entity_text("", "x" * 5_000_000)) < 2_000


def test_quality_on_names_held_out_of_training(shared):
    from newsloom_lab.evaluate.conll import read_conll
    from newsloom_lab.evaluate.entities import run

    place = shared / "data/entities/wikigold/CONLL-format/data/wikigold.conll.txt"
    if not place.exists():
        pytest.skip("needs wikigold")
    report = run(recognizer(), read_conll(place)[::5])  # what lab/scripts/entity_sets.py holds out
    assert report.f1 > 0.7
