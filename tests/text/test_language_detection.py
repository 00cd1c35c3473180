"""Languages of texts, beside what feeds declare."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.language import detect

GERMAN = "Der Bundestag hat am Freitag über das Gesetz zur Rente abgestimmt."
TEXTS = {
    "de": GERMAN,
    "en": "The council voted on Friday to close the old bridge for repairs.",
    "fr": "Le gouvernement a présenté vendredi son projet de loi sur les retraites.",
    "es": "El Gobierno aprobó el viernes la nueva ley sobre las pensiones.",
    "it": "Il governo ha approvato venerdì la nuova legge sulle pensioni.",
    "pl": "Rząd przyjął w piątek nową ustawę o emeryturach.",
    "ru": "Правительство в пятницу одобрило новый закон о пенсиях.",
    "ja": "政府は金曜日に年金に関する新しい法案を承認しました。",
    "zh": "政府星期五批准了一项关于养老金的新法律。",
    "ko": "정부는 금요일에 연금에 관한 새로운 법안을 승인했다.",
    "ar": "وافقت الحكومة يوم الجمعة على قانون جديد للمعاشات.",
}


def test_a_text_says_its_language_whatever_its_feed_declares() -> None:
    declared = ("", "en-US", "nonsense")
    wrong = [(code, one) for code, text in TEXTS.items() for one in declared
             if detect(text, one).partition("-")[0] != code]  # fmt: skip
    assert not wrong


def test_what_is_declared_stays_where_the_text_agrees_or_says_too_little() -> None:
    assert detect(GERMAN, "de-AT") == "de-AT"
    short = ["", " ", "12:34", "!!!", "OK Computer", "https://www.example.com/der/die/das"]
    assert {detect(text, "sv") for text in short} == {"sv"}
    assert detect("12:34") == ""


@given(st.text(), st.sampled_from(["", "de", "zh-Hant"]))
def test_any_text_has_an_answer(text: str, declared: str) -> None:
    found = detect(text, declared)
    assert found == declared or 2 <= len(found) <= 3
