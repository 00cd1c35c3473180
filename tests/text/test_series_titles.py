"""Titles that could stand over another article tomorrow, and those that could not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates.series_titles import a_step_apart, informative, issue, looks_recurring
from newsloom.kernel.text.headlines import headline, normal_title

SERIES = """
Weekly links
Links for 2026-03-01
Sunday reading list
What we're reading
What I'm reading this week
Episode 12
Ep. 204: Rust
This week in Rust 540
This Week in Matrix
Week notes
Morning briefing: Monday
Daily briefing
The Daily Digest
Your Tuesday evening news roundup
News in brief
Live updates
Ukraine war live updates
Live: Senate hearing as it happened
Live blog: budget 2026
Watch live: President speaks
Open thread
Weekend open thread
Daily discussion thread
Letters
Letters to the editor
Corrections and clarifications
Obituaries
Horoscope for Friday
Crossword 29,112
Weather
Weather forecast for Tuesday
Stocks close higher
Market wrap: Monday
Oil prices today
Lottery: winning numbers
Ask HN: Who is hiring? (March 2026)
Photos of the day
Picture of the week
On this day in history
Police log
Release notes 2.3
v1.2.3
2026-03-01
Wochenrückblick
Das Wetter am Montag
Horoskop für heute
Leserbriefe
Folge 33
Revue de presse du lundi
En direct : la journée politique
Météo du jour
Courrier des lecteurs
Titulares del martes
El tiempo hoy
Última hora: minuto a minuto
Rassegna stampa
Meteo: le previsioni di domani
Resumo da semana
Het weer vandaag
Nieuwsoverzicht
Veckans nyhetsbrev
Дайджест новостей
Прогноз погоды на завтра
Курс валют на сегодня
Pogoda na dziś
早报
今日要闻
每周新闻
第12期
天气预报
今日の天気
今週のまとめ
오늘의 날씨
""".strip().split("\n")

ONE_ARTICLE = """
Senate passes infrastructure bill after months of talks
Pope Francis dies at 88
Supreme Court to hear abortion case
Obama wins re-election
Earthquake kills dozens in western Turkey
Podcast: how the Habsburgs lost the Netherlands to a tax
Apple delays release of electric car until 2028
Fed raises interest rates by half a point
Stocks tumble as Silicon Valley Bank collapses and depositors flee
Letter from Aleppo: what the siege left of my grandmother's street
Merkel kündigt Rückzug von der Parteispitze an
Incendie de Notre-Dame : la flèche s'est effondrée
El Gobierno aprueba la reforma laboral sin la oposición
Нобелевскую премию мира получил журналист Муратов
苹果公司推迟发布新款电动汽车
""".strip().split("\n")


@pytest.mark.parametrize("title", SERIES)
def test_a_title_of_a_series_is_known(title: str) -> None:
    assert looks_recurring(normal_title(title))


@pytest.mark.parametrize("title", ONE_ARTICLE)
def test_a_title_of_one_article_is_not_taken_for_a_series(title: str) -> None:
    assert not looks_recurring(normal_title(title))


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        pytest.param("Episode 12", "Episode 13", True, id="numbers"),
        pytest.param("Weather for Monday", "Weather for Friday", True, id="days"),
        pytest.param("Part one", "Part two", True, id="numbers as words"),
        pytest.param("Rocky II", "Rocky III", True, id="Roman numbers"),
        pytest.param("My struggle", "My 30-year struggle", False, id="a number more"),
        pytest.param(
            "Magnitude 4.1 quake off Japan", "Magnitude 5.2 quake off Japan", True, id="size"
        ),
        pytest.param("Horoskop für Montag", "Horoskop für Freitag", True, id="German days"),
        pytest.param("Episode 12", "Episode 12", False, id="the same"),
        pytest.param("Rain on Monday", "Snow on Friday", False, id="another word too"),
        pytest.param("2024", "2025", False, id="nothing but numbers"),
    ],
)
def test_a_step_of_a_series(a: str, b: str, apart: bool) -> None:
    one, other = normal_title(a), normal_title(b)
    assert a_step_apart(one, other) is apart
    assert a_step_apart(other, one) is apart


@given(st.text(max_size=60))
def test_any_title_has_an_answer(title: str) -> None:
    normal = normal_title(title)
    assert informative(normal) >= 0
    assert not a_step_apart(normal, normal)
    assert looks_recurring(normal) in (True, False)


@pytest.mark.parametrize("title", ["Introduction", "Untitled", "Hello world", "What a mess"])
def test_a_title_that_says_little_is_no_series_but_counted(title: str) -> None:
    assert not looks_recurring(normal_title(title))
    assert informative(normal_title(title)) < 3


def test_words_in_scripts_without_blanks_count_by_their_letters() -> None:
    assert informative("苹果公司推迟发布新款电动汽车") == 7


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Lecture 8: Linear maps", ("lecture", "8")),
        ("Lecture 9: Groups", ("lecture", "9")),
        ("The Virtuous Woman, Part Two", ("part", "two")),
        ("Morning prayer 4/18/2020", ("prayer", "morning 4 18 2020")),
        ("What happened on 1 May", ("what happened on", "1 may")),
        ("Python 3.12.1 released", ("python released", "3 12 1")),
        ("Horoscope for Monday", ("horoscope for", "monday")),
        ("Toll rises to 12 in Lima", None),
        ("Second ferry sinks", None),
        ("Third day of the trial", None),
        ("No 10 denies report", None),
        ("", None),
    ],
)
def test_a_title_names_the_issue_of_a_series(title, found):
    assert issue(headline(title)) == found
