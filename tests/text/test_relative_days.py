"""Days that sentences name, as they read on another day. Wednesday 18 November 2026 is the day they
were written on, if nothing else is said."""

from __future__ import annotations

from datetime import date

import pytest

from newsloom.kernel.text.relative_days import TONGUES, resolved

WROTE = date(2026, 11, 18)
NEXT, LATER = date(2026, 11, 19), date(2026, 11, 27)


def read(text: str, on: date, tag: str = "en") -> str:
    return resolved(text, tag, [WROTE], on)


@pytest.mark.parametrize(
    ("tag", "on", "text", "says"),
    [
        ("en", NEXT, "He said yesterday that it was over.", "He said on Tuesday that it was over."),
        ("en-GB", NEXT, "Yesterday morning, he left.", "On Tuesday morning, he left."),
        ("", NEXT, "Yesterday's vote was close.", "Tuesday's vote was close."),
        ("en", NEXT, "A man was shot last night in Leeds.",
         "A man was shot on Tuesday night in Leeds."),
        ("en", NEXT, "It shook the town this morning.", "It shook the town on Wednesday morning."),
        ("en", NEXT, "The firm today announced a deal.", "The firm on Wednesday announced a deal."),
        ("en", NEXT, "The game is tomorrow.", "The game is today."),
        ("en", NEXT, "From tomorrow it costs more.", "From today it costs more."),
        ("en", LATER, "The game is tomorrow.", "The game is on Thursday 19 November."),
        ("en", LATER, "He has lived there since yesterday.",
         "He has lived there since Tuesday 17 November."),
        ("en", LATER, "The court ruled on Tuesday that it may go.",
         "The court ruled on Tuesday 17 November that it may go."),
        ("en", LATER, "Three died Tuesday night, police said.",
         "Three died on the night of Tuesday 17 November, police said."),
        ("en", LATER, "The bridge opened last Wednesday.",
         "The bridge opened on Wednesday 11 November."),
        ("en", LATER, "They will vote on Friday on the bill.",
         "They will vote on Friday 20 November on the bill."),
        ("en", LATER, "On Friday, the court will hear it.",
         "On Friday 20 November, the court will hear it."),
        ("en", date(2027, 1, 4), "He said on Monday it was over.",
         "He said on Monday 16 November 2026 it was over."),
        ("en", LATER, "“I said yesterday it is,” he said on Monday.",
         "“I said yesterday it is,” he said on Monday 16 November."),
        ("de", LATER, "Das Gericht hat am Dienstag entschieden.",
         "Das Gericht hat am Dienstag (17. November) entschieden."),
        ("de", LATER, "Sie war am vergangenen Montag dort.",
         "Sie war am Montag (16. November) dort."),
        ("de", NEXT, "Gestern Abend hat es gebrannt.", "Am Dienstagabend hat es gebrannt."),
        ("de", NEXT, "Der Rat stimmt morgen ab.", "Der Rat stimmt heute ab."),
        ("fr", LATER, "Il a annoncé mardi soir sa démission.",
         "Il a annoncé mardi 17 novembre au soir sa démission."),
        ("fr", NEXT, "Hier soir, un homme a été tué.", "Mardi soir, un homme a été tué."),
        ("es", LATER, "Anunció el martes su dimisión.",
         "Anunció el martes 17 de noviembre su dimisión."),
        ("es", NEXT, "Anoche hubo un incendio.", "El martes por la noche hubo un incendio."),
        ("it", LATER, "Ha annunciato martedì le dimissioni.",
         "Ha annunciato martedì 17 novembre le dimissioni."),
        ("it", NEXT, "Il voto si terrà domani.", "Il voto si terrà oggi."),
    ],
)  # fmt: skip
def test_a_day_is_that_of_the_reader(tag: str, on: date, text: str, says: str) -> None:
    assert read(text, on, tag) == says
    assert read(text, WROTE, tag) == text


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("en", "“We met yesterday,” he said."),
        ("en", "He said “it is over since yesterday."),  # half a quotation
        ("en", "Many people today live in towns."),
        ("en", "It is known today as the old bridge."),
        ("en", "It was popular every Tuesday."),
        ("en", "The Sunday Times reported it was over."),
        ("en", "It was open until Tuesday."),
        ("en", "The talks on Tuesday may bring peace."),  # no tense is certain
        ("en", "He met Tuesday’s children."),
        ("en", "He was there on Tuesday, 17 November."),
        ("en", "All courts will reopen tomorrow, November 19."),
        ("de", "Am Morgen hat es gebrannt."),
        ("de", "Heute leben viele in Städten."),
        ("de", "Dort hat sie am Dienstag einen Termin."),
        ("fr", "Le premier tour a lieu dimanche."),
        ("fr", "Le musée était fermé le mardi."),
        ("es", "Esta mañana hubo un incendio."),
        ("es", "La reunión de mañana es larga."),
        ("it", "Il museo era chiuso il lunedì."),
        ("nl", "Gisteren was het koud."),
        ("ja", "昨日は寒かった。"),
    ],
)
def test_what_is_not_certain_stays(tag: str, text: str) -> None:
    for on in (NEXT, LATER):
        assert read(text, on, tag) == text


def test_a_weekday_of_the_last_or_the_next_week_needs_no_date() -> None:
    past, ahead = "The court ruled on Tuesday.", "The court will rule on Friday."
    for day in range(19, 24):
        assert read(past, date(2026, 11, day)) == past
    assert read(past, date(2026, 11, 24)) == "The court ruled on Tuesday 17 November."
    assert read(ahead, date(2026, 11, 19)) == ahead
    assert read(ahead, date(2026, 11, 20)) == "The court will rule on Friday 20 November."


def test_where_the_day_of_writing_is_not_certain_weekdays_alone_are_dated() -> None:
    days = [date(2026, 11, 18), date(2026, 11, 19)]
    assert resolved("He said yesterday it was over.", "en", days, LATER).endswith("it was over.")
    assert "yesterday" in resolved("He said yesterday it was over.", "en", days, LATER)
    text = "He said on Monday it was over."
    assert resolved(text, "en", days, LATER) == "He said on Monday 16 November it was over."
    assert resolved("He said on Thursday it was over.", "en", days, LATER) == (
        "He said on Thursday it was over."
    )


@pytest.mark.parametrize("tag", TONGUES)
def test_any_text_is_taken(tag: str) -> None:
    tongue = TONGUES[tag]
    words = [*tongue.weekdays, *tongue.offsets, '"', "“", "(", "'", ",", ""]
    for one in words:
        for other in words:
            text = f"{one} {other} {one}".strip()
            assert resolved(text, tag, [WROTE], LATER).count('"') == text.count('"')
