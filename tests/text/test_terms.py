"""Terms: stems in the language of the article, whole words where nothing is known of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.articles.terms import LONGEST, TITLE_WEIGHT, WORDS, printed, terms
from newsloom.kernel.text.stop_words import stop_words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        pytest.param("Elections and voters voting", "en", {"elect", "voter", "vote"}, id="English"),
        pytest.param("Die Häuser der Stadt", "de", {"haus", "stadt"}, id="German"),
        pytest.param("Les élections présidentielles", "fr", {"élect", "présidentiel"}, id="French"),
        pytest.param("выборы выборов", "ru", {"выбор"}, id="Russian"),
        pytest.param("The elections of the state", "en-US", {"elect", "state"}, id="a whole tag"),
        pytest.param("東京都", "ja", {"東京", "京都"}, id="Japanese"),
        pytest.param("Wybory prezydenta", "pl", {"wybor", "prezydent"}, id="Polish"),
        pytest.param("Вибори президента", "uk", {"вибори", "президента"}, id="not stemmed"),
        pytest.param("L'élection d'aujourd'hui", "fr", {"élect", "aujourd'hui"}, id="elision"),
        pytest.param("中国科学家今天在北京", "zh", {"中国", "科学", "北京", "今天"}, id="Chinese"),
        pytest.param("การเลือกตั้งในประเทศไทย", "th", {"เลือก", "ประเทศ", "ไทย"}, id="Thai"),
        pytest.param("Britain's PM won't", "en", {"britain", "pm"}, id="apostrophes"),
        pytest.param("2024 12 G20 covid19", "en", {"g20", "covid19"}, id="numbers alone"),
        pytest.param("", "en", set(), id="nothing"),
        pytest.param("x" * (LONGEST + 1), "en", set(), id="no word"),
    ],
)
def test_terms(text, language, expected):
    assert set(terms("", text, language)) == expected


def test_a_title_counts_twice_and_the_text_only_so_far():
    assert terms("Harbour", "harbour", "en")["harbour"] == TITLE_WEIGHT + 1
    far = terms("", "word " * WORDS + "beyond", "en")
    assert far == {"word": WORDS}


def test_printed_gives_the_word_for_each_term():
    assert dict(printed("Elections in Ohio", "en")) == {"elect": "Elections", "ohio": "Ohio"}
    assert dict(printed("東京都が感染拡大", "ja")) == {
        "東京": "東京都", "京都": "東京都", "感染": "感染", "拡大": "拡大"
    }  # fmt: skip


@given(
    title=st.text(max_size=200),
    text=st.text(max_size=2_000),
    language=st.sampled_from(["", "en", "de", "ja", "th", "xx"]),
)
def test_any_text_has_terms_of_bounded_length(title, text, language):
    found = terms(title, text, language)
    assert all(0 < len(term) <= 3 * LONGEST for term in found)
    assert not set(found) & stop_words(language)
    assert terms(title, text, language) == found


@pytest.mark.parametrize(
    "text",
    ["https://shop.test/item?x=sextant", "www.sextant.test/a", "ann@sextant.test", "@sextant",
     "[sextant id=5]", "[/sextant]", '[caption width="3" class="sextant"]'],
)  # fmt: skip
def test_what_is_no_word_makes_no_term(text: str) -> None:
    assert set(terms(f"Tides {text}", f"{text} rise", "en")) == {"tide", "rise"}


def test_what_stands_in_brackets_is_text() -> None:
    assert "sextant" in terms("", "He took it [the sextant] along", "en")
