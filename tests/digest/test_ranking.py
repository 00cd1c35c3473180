"""Which sentences are worth most."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newsloom.digests.values import DigestArticle
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.boilerplate import tells_nothing
from newsloom.summaries.ranking import candidates
from newsloom.summaries.said import written

FERRY = "The ferry strike closed the harbour of Rotterdam on Friday."
HALF = "“The ferry strike closed the harbour of Rotterdam on Friday."
CREWS = "Crews of the ferry want higher wages, and the strike goes on."
HARBOUR = "The harbour lost a million euros in the strike of the crews."
WEATHER = "Tomorrow rain is expected over most of Denmark."


def scores(*sentences: str, language: str = "en") -> dict[str, float]:
    article = DigestArticle(
        ArticleId(1), "Title", "", "a.example", "A", "A", 3, "", language,
        datetime(2026, 11, 21, tzinfo=UTC), 50.0, "\n".join(sentences),
    )  # fmt: skip
    return {one.text: one.score for one in candidates([article])}


def test_what_shares_most_with_the_others_is_worth_most() -> None:
    found = scores(CREWS, WEATHER, FERRY, HARBOUR)
    assert min(found, key=found.__getitem__) == WEATHER
    assert found[WEATHER] < 0.5 * found[HARBOUR]


def test_of_equals_the_earlier_is_worth_more() -> None:
    found = scores(WEATHER, "A new museum opens in Turin.")
    assert found[WEATHER] > found["A new museum opens in Turin."] > 0


def test_half_a_quotation_is_worth_less() -> None:
    assert scores(HALF, CREWS, HARBOUR)[HALF] < scores(FERRY, CREWS, HARBOUR)[FERRY]


def test_no_sentence_and_sentences_without_words_are_ranked() -> None:
    assert scores("") == {}
    assert set(scores("It is what it is.", "So be it then, and now.")) == {
        "It is what it is.",
        "So be it then, and now.",
    }


def test_words_as_they_are_written() -> None:
    assert written("The PM’s fighter-bomber flew 12 miles, he said.") == {
        "pm's", "fighter-bomber", "flew", "miles", "said",
    }  # fmt: skip
    assert written("Die Brücke ist zu.", "de") == {"brücke"}
    assert written("東京都は", "ja") == {"東京", "京都", "都は"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The share offer of the airline was oversubscribed, the agency reported.",
        "Film stars donated the profits of the evening to the tsunami relief fund.",
        "Four in ten subscribers of the operator regularly read the news on it.",
    ],
)
def test_news_of_subscribers_and_gifts_is_news(sentence: str) -> None:
    assert not tells_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Subscribe to our daily briefing for more of this.",
        "You can unsubscribe at any time with one click.",
        "Please donate to keep our journalism free for all.",
        "Donate today to keep our journalism free for all.",
    ],
)
def test_invitations_tell_nothing(sentence: str) -> None:
    assert tells_nothing(sentence)
