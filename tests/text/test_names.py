"""What looks like a name in a headline and its lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.names import MOST, likely_names

LEAD = (
    "BERLIN (Reuters) - German Chancellor Angela Merkel met President Donald Trump at the White "
    "House on Friday. Trump praised J.K. Rowling. However, George W. Bush did not."
)


@pytest.mark.parametrize(
    ("title", "lead", "names"),
    [
        pytest.param("", "", (), id="nothing"),
        pytest.param("all in small letters", "and here as well", (), id="no capitals"),
        pytest.param("", "Shares fell. Traders left.", (), id="first words of sentences"),
        pytest.param("", "He saw Rome. Rome saw him.", ("rome",), id="first and also inside"),
        pytest.param("", "In Paris they met.", ("paris",), id="behind a function word"),
        pytest.param("", "we met Mr. Smith there", ("smith",), id="a title goes"),
        pytest.param("", "saw President Joe Biden go", ("joe biden",), id="an office goes"),
        pytest.param("", "to Joe Biden. Then Biden went", ("joe biden",), id="the last name alone"),
        pytest.param("", "with J.K. Rowling", ("jk rowling",), id="initials"),
        pytest.param("", "with George W. Bush", ("george w bush",), id="a middle initial"),
        pytest.param("", "near Bashar al-Assad now", ("bashar al-assad",), id="an article"),
        pytest.param("", "saw Ursula von der Leyen", ("ursula von der leyen",), id="particles"),
        pytest.param("", "the Bank of England said", ("bank of england",), id="of"),
        pytest.param(
            "", "saw Jean Monnet of Air France", ("jean monnet", "air france"), id="of, two names"
        ),
        pytest.param("", "the O'Brien case", ("o'brien",), id="an apostrophe"),
        pytest.param("", "and Italy's Eni in Rome", ("italy", "rome", "eni"), id="possessive"),
        pytest.param("", "on Monday in March he left", (), id="days and months are no names"),
        pytest.param("", "the U.S. and the UK", ("united kingdom", "united states"), id="one form"),
        pytest.param("", "asked us about it", (), id="us is a word"),
        pytest.param("", "à Évian-les-Bains", ("évian-les-bains",), id="accents"),
        pytest.param("", "в Москве сказал", ("москве",), id="Cyrillic"),
        pytest.param("", "visited Ｒｏｍｅ twice", ("rome",), id="full width"),
        pytest.param("", "習近平在北京", (), id="Chinese has no capitals"),
        pytest.param("", "قال الرئيس", (), id="Arabic has no capitals"),
        pytest.param("", "ექვსი კაცი", (), id="Georgian"),
        pytest.param("Angela Merkel Wins Again In Rome", "", (), id="title case alone"),
        pytest.param(
            "Merkel Meets Trump In Great Form", "when Merkel and Trump met", ("merkel", "trump"),
            id="title case is read by its lead",
        ),
        pytest.param("MERKEL MEETS TRUMP", "when Merkel met", ("merkel",), id="all capitals"),
    ],
)  # fmt: skip
def test_names(title, lead, names):
    assert likely_names(title, lead) == names


@pytest.mark.parametrize("shape", [str, str.title, str.upper], ids=["plain", "title", "upper"])
def test_the_case_of_a_headline_changes_no_name_that_the_lead_has(shape):
    title = "Angela Merkel meets Donald Trump in Washington"
    names = likely_names(shape(title), LEAD)
    assert {"angela merkel", "donald trump", "white house", "george w bush"} <= set(names)


def test_most_words_come_first_then_the_longest_then_the_alphabet():
    names = likely_names("", "saw Zeno and Abel and Bank of England and Ann Lee and Methuselah")
    assert names == ("bank of england", "ann lee", "methuselah", "abel", "zeno")


CAPITALISED = st.sampled_from(
    ["Angela", "Merkel", "Bank", "of", "England", "U.S.", "Monday", "President", "and", ".", "'s"]
)


@given(st.lists(CAPITALISED).map(" ".join), st.text(max_size=300))
def test_at_most_so_many_normal_names_and_none_twice(lead, title):
    names = likely_names(title, lead)
    assert len(names) <= MOST
    assert len(set(names)) == len(names)
    assert all(name == name.casefold().strip() and len(name) > 1 for name in names)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A" * 5_000_000, id="one word"),
        pytest.param("Aa " * 1_700_000, id="one run"),
        pytest.param("A." * 2_500_000, id="initials"),
        pytest.param("Aa-" * 1_700_000, id="hyphens"),
        pytest.param("Aa of the " * 500_000, id="links"),
        pytest.param("😀" * 2_000_000, id="emoji"),
        pytest.param("\ud800\x00" * 1_000_000, id="no characters"),
        pytest.param("\n" * 5_000_000, id="lines"),
    ],
)
def test_anything_is_read(text):
    assert len(likely_names(text, text)) <= MOST
