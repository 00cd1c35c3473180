"""Feeds whose articles come under other ids: known by their text, and only where all seem new."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newsloom.duplicates.incoming import by_text, renaming, seems_renamed
from newsloom.duplicates.values import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    JudgedArticle,
    Judgement,
)
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.ids import ArticleId, FeedId

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
NEW = Judgement(Action.NEW)


def copy(text: str) -> Copy:
    return Copy(FeedId(1), f"id of {text}", "", "", text, 9, f"hash of {text}", NOW)


def known_text(text: str, article: int, dated: datetime = NOW) -> tuple[ArticleId, str, datetime]:
    return ArticleId(article), copy(text).content_hash, dated


def judged(*texts: str, judgement: Judgement = NEW) -> list[JudgedArticle]:
    return [
        JudgedArticle(IncomingArticle(ParsedArticle(), copy(text), ()), judgement) for text in texts
    ]


def known(*texts: str, by: str, action: Action = Action.UNCHANGED) -> list[JudgedArticle]:
    return judged(*texts, judgement=Judgement(action, ArticleId(99), Evidence(by, 1.0)))


def actions(found: tuple[JudgedArticle, ...]) -> str:
    return " ".join(one.judgement.action for one in found)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (judged(*"abc"), True),
        (judged(*"ab"), False),
        ([], False),
        (judged(*"abc") + known("d", by="guid"), False),
        (judged(*"abcdefghi") + known("j", by="guid"), True),
        (known(*"abc", by="guid"), False),
    ],
    ids=["all new", "too few", "empty", "some known", "nearly all new", "all known"],
)
def test_only_a_document_of_news_alone_is_looked_at(document, expected) -> None:
    assert seems_renamed(document) is expected


def test_articles_are_known_by_title_and_text_under_other_ids() -> None:
    stored = [known_text(text, number) for number, text in enumerate("abc", start=1)]
    found = by_text(judged(*"abcd"), stored)
    assert actions(found) == "unchanged unchanged unchanged new"
    assert [one.judgement.target for one in found] == [1, 2, 3, None]


def test_a_stored_article_is_taken_once() -> None:
    found = by_text(judged("a", "a", "a"), [known_text("a", 1), known_text("a", 2)])
    assert actions(found) == "unchanged unchanged new"
    assert {one.judgement.target for one in found} == {1, 2, None}


def test_one_that_is_known_by_its_id_is_not_taken_for_another() -> None:
    document = judged("a", "b", "c", "d") + judged(
        "e", judgement=Judgement(Action.UNCHANGED, ArticleId(1), Evidence("guid", 1.0))
    )
    found = by_text(
        document, [known_text(text, number) for number, text in enumerate("abc", start=1)]
    )
    assert actions(found) == "new unchanged unchanged new unchanged"


def test_a_single_text_that_returns_among_news_proves_nothing() -> None:
    document = tuple(judged("open thread", "b", "c", "d"))
    assert by_text(document, [known_text("open thread", 1)]) == document


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (known(*"abc", by="url"), True),
        (known(*"abc", by="text"), True),
        (known(*"abc", by="url", action=Action.REVISED), True),
        (known(*"abc", by="url", action=Action.DUPLICATE), False),
        (known(*"abc", by="guid"), False),
        (known(*"ab", by="url"), False),
        (known(*"abc", by="url") + known(*"defg", by="guid"), False),
        ([], False),
    ],
    ids=["by link", "by text", "changed too", "of another feed", "by id", "two", "some", "none"],
)
def test_it_is_told_when_most_ids_are_others(document, told) -> None:
    assert bool(renaming(document)) is told
