"""What developed, told apart from what is only told again: pairs judged by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newsloom.digests.memory import by_key, developed, known_of, remember, said_in
from newsloom.digests.select import digest
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    FeedReport,
    Memory,
)
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.said import is_new, said

NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)

QUAKE = (
    "A magnitude 6.1 earthquake struck near the port of Almar on Sunday. At least 12 people were "
    "killed and 40 injured, the interior ministry said. Rescue teams searched collapsed houses in "
    "the old town through the night. Schools will stay closed on Monday."
)
BANK = (
    "The central bank of Norland kept its key rate at 3.5 percent on Thursday. Governor Ida Berg "
    "said inflation was falling more slowly than expected. Analysts had expected no change."
)
# What was known, what is said now, and whether a person would call it news.
CASES = (
    ("the same in other words", QUAKE, "An earthquake of magnitude 6.1 struck Almar.", False),
    ("the same toll", QUAKE, "The quake killed at least 12 people, officials said.", False),
    ("a detail known yesterday", QUAKE, "Rescue teams searched the collapsed houses.", False),
    ("closed schools again", QUAKE, "Schools stay closed on Monday in Almar.", False),
    ("a higher toll", QUAKE, "The death toll rose to 27 as more bodies were found.", True),
    ("a survivor", QUAKE, "A girl was pulled alive from rubble after 30 hours.", True),
    ("an aftershock", QUAKE, "A second tremor of magnitude 5.4 hit the coast on Tuesday.", True),
    ("help from abroad", QUAKE, "Greece and Turkey offered helicopters and field hospitals.", True),
    ("a visit", QUAKE, "President Lena Voss will visit and pledged emergency funds.", True),
    ("the same rate", BANK, "Norland's central bank left its key rate at 3.5 percent.", False),
    ("the same remark", BANK, "Inflation falls more slowly than expected, said Berg.", False),
    ("no change expected", BANK, "No change had been expected by analysts.", False),
    ("a cut", BANK, "The bank surprised markets with a cut to 3.25 percent.", True),
    ("a resignation", BANK, "Ida Berg resigned after a dispute with the finance minister.", True),
    ("markets", BANK, "The crown fell 2 percent against the euro after the decision.", True),
    ("a court", BANK, "A court ordered lenders to repay fees charged since 2019.", True),
    ("filler about yesterday", BANK, "The governor said so on Thursday.", False),
    ("another headline of it", QUAKE, "Earthquake near Almar port kills at least 12", False),
    ("German, the same", "Der Zug hielt in Kassel. Drei Menschen wurden verletzt.",
     "In Kassel wurden drei Menschen verletzt.", False),
    ("German, new", "Der Zug hielt in Kassel. Drei Menschen wurden verletzt.",
     "Die Bahn sperrt die Strecke bis Freitag und lässt die Weichen prüfen.", True),
)  # fmt: skip


@pytest.mark.parametrize(("known", "sentence", "new"), [one[1:] for one in CASES],
                         ids=[one[0] for one in CASES])  # fmt: skip
def test_developments_are_told_apart_from_repeats(known: str, sentence: str, new: bool) -> None:
    tongue = "de" if "Kassel" in known else "en"
    before = said_in([article(1, "", known, language=tongue)])
    assert is_new(said(sentence, tongue), before) is new


def article(
    number: int, title: str, text: str, *, hours: float = 1, language: str = "en", owner: str = ""
) -> DigestArticle:
    owner = owner or f"owner{number}"
    return DigestArticle(
        id=ArticleId(number),
        title=title,
        url=f"https://{owner}.test/{number}",
        source=f"{owner}.test",
        publisher=owner,
        owner=owner,
        tier=2,
        category="World",
        language=language,
        published=NOW - timedelta(hours=hours),
        importance=60.0,
        text=text,
    )


def group(key: str, *articles: DigestArticle) -> DigestGroup:
    return DigestGroup(key, "", articles[0].id, articles, {"almar": 1.0})


def made(groups: list[DigestGroup], *memories: Memory) -> Digest:
    return digest(
        groups, DigestKind.MORNING, NOW - timedelta(hours=14), NOW, "UTC", FeedReport(),
        by_key(memories), (one for memory in memories for one in memory.told),
    )  # fmt: skip


def yesterday() -> Memory:
    first = group("q", article(1, "Earthquake near Almar", QUAKE))
    return remember([first], ["q"], ArticleId(1))


def test_what_was_told_is_not_told_again() -> None:
    again = group("q", article(2, "Almar struck by earthquake", QUAKE))
    assert not made([again], yesterday()).top


def test_an_article_that_stood_in_a_digest_never_stands_in_the_next() -> None:
    old = article(1, "Earthquake near Almar", QUAKE)
    new = article(3, "Toll rises", "The death toll rose to 27 as more bodies were found.")
    found = made([group("q", old, new)], yesterday())
    (topic,) = found.top
    assert topic.lead.id == new.id
    assert not topic.related
    assert topic.developed


def test_what_is_new_is_said_and_nothing_else() -> None:
    text = f"{QUAKE} The death toll rose to 27 as more bodies were found under a hotel."
    (topic,) = made([group("q", article(3, "Quake", text))], yesterday()).top
    assert [one.text for one in topic.summary] == [
        "The death toll rose to 27 as more bodies were found under a hotel."
    ]
    assert all(one.new for one in topic.summary)


def test_where_no_new_sentence_can_be_shown_a_known_one_is_below_the_title() -> None:
    text = f"{QUAKE} He also says that the dam of Kern broke and flooded eleven villages."
    (topic,) = made([group("q", article(3, "Dam of Kern floods villages", text))], yesterday()).top
    assert topic.summary
    assert all(one.text in QUAKE and not one.new for one in topic.summary)


def test_another_topic_is_not_held_back() -> None:
    (topic,) = made([group("b", article(4, "Rate", BANK))], yesterday()).top
    assert not topic.developed
    assert not any(one.new for one in topic.summary)


STANDING = "Five things you need to know about the harbour and its ferries this morning."


def test_a_standing_sentence_of_a_feed_is_told_once() -> None:
    one = group("m", article(10, "Monday", f"{STANDING} The quay of Rotterdam was flooded."))
    other = group("n", article(11, "More", f"{STANDING} A crane of the port fell into a canal."))
    both = made([one, other])
    said = [sentence.text for topic in both.top for sentence in topic.summary]
    assert said.count(STANDING) == 1
    assert len(said) == 3
    next_day = group("o", article(12, "Tuesday", f"{STANDING} The bridge was opened to lorries."))
    (topic,) = made([next_day], remember([one], ["m"], ArticleId(11), said)).top
    assert [one.text for one in topic.summary] == ["The bridge was opened to lorries."]


def test_what_was_found_and_not_shown_holds_nothing_back() -> None:
    """A topic that stood in no section was told to nobody."""
    several = group("q", article(1, "Quake", QUAKE), article(2, "Quake", QUAKE))
    memory = remember([several], [], ArticleId(2))
    assert [one.shown for one in memory.topics] == [False]
    assert made([group("q", article(5, "Quake", QUAKE))], memory).top


def test_three_digests_know_what_all_before_told() -> None:
    second = group("q", article(6, "Toll rises", "The death toll rose to 27 in the old town."))
    memory = remember([second], ["q"], ArticleId(6))
    again = group("q", article(7, "Toll", f"{QUAKE} The death toll rose to 27 in the old town."))
    assert not made([again], memory, yesterday()).top


def test_a_group_without_text_is_judged_by_its_titles() -> None:
    known = known_of(yesterday().topics)
    assert not developed(group("q", article(8, "Earthquake near Almar port", "")), known)
    assert developed(group("q", article(8, "Minister Kern resigns over Almar dam", "")), known)


def test_only_what_is_shown_is_remembered_whole() -> None:
    many = [group(str(one), article(10 * one, "a", QUAKE), article(10 * one + 1, "b", QUAKE))
            for one in range(1, 100)]  # fmt: skip
    memory = remember(many, ["1"], None)
    shown = [one for one in memory.topics if one.shown]
    assert [one.key for one in shown] == ["1"]
    assert len(memory.topics) == 61
    assert all(not one.words for one in memory.topics if not one.shown)
    assert replace(shown[0]).articles == (10, 11)
