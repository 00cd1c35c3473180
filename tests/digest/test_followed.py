"""When a followed story has developed, and what is told of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from newsloom.digests.followed import StoryNews, developments, key_of, news
from newsloom.digests.formats import FORMATS
from newsloom.digests.memory import by_key, remember
from newsloom.digests.values import DigestArticle, DigestGroup, DigestKind
from newsloom.digests.written import read_digest, values
from newsloom.kernel.ids import ArticleId

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SANK = "The ferry Halcyon sank off Port Lorne on Monday with 240 people on board."
SEARCH = "Rescue boats searched the bay for survivors through the night."
ARREST = "Police arrested captain Marek Dolan after 41 bodies were found on the beach."


def article(number: int, owner: str, text: str, title: str = "Ferry sinks") -> DigestArticle:
    return DigestArticle(
        id=ArticleId(number),
        title=title,
        url=f"https://{owner}/{number}",
        source=owner,
        publisher=owner,
        owner=owner,
        tier=3,
        category="",
        language="en",
        published=NOW - timedelta(hours=number),
        importance=50.0,
        text=text,
    )


def came(*articles: DigestArticle, known: tuple[DigestArticle, ...] = ()) -> StoryNews:
    group = DigestGroup(key_of(7), "The ferry", articles[0].id, articles)
    return StoryNews("The ferry", group, known)


FIRST = (article(1, "one.test", f"{SANK} {SEARCH}"), article(2, "two.test", SANK))


def told(one: StoryNews, *before: StoryNews):
    memories = [remember([each.group], [key_of(7)], ArticleId(9)) for each in before]
    return developments([one], DigestKind.STORIES, by_key(memories))


def test_a_story_that_is_new_is_told_whole():
    (topic,) = told(came(*FIRST))
    assert (topic.story, topic.label, topic.developed, topic.new_sources) == (
        7, "The ferry", False, 0,
    )  # fmt: skip
    assert topic.summary


def test_what_says_nothing_new_is_not_told():
    again = article(3, "one.test", SANK)
    assert told(came(again, known=FIRST)) == ()
    assert told(came(again), came(*FIRST)) == ()


def test_new_facts_are_told_alone():
    (topic,) = told(came(article(3, "one.test", f"{SANK} {ARREST}"), known=FIRST))
    assert [one.text for one in topic.summary] == [ARREST]
    assert topic.developed
    assert topic.new_sources == 0


def test_what_was_told_before_is_not_told_again():
    later = article(3, "one.test", f"{SANK} {ARREST}")
    assert told(came(later, *FIRST), came(later, *FIRST)) == ()
    same = article(4, "one.test", f"{ARREST} {SANK}")
    assert told(came(same, later, *FIRST), came(later, *FIRST)) == ()


def test_half_as_many_sources_more_are_news():
    three = (*FIRST, article(3, "three.test", SANK))
    one, two = article(4, "four.test", SANK), article(5, "five.test", SANK)
    assert told(came(one, known=three)) == ()
    (topic,) = told(came(one, two, known=three))
    assert topic.new_sources == 2
    (topic,) = told(came(article(2, "two.test", SANK), known=FIRST[:1]))
    assert topic.new_sources == 1


def test_what_a_topic_of_an_earlier_digest_told_of_it_is_known():
    topic = DigestGroup("1", "Ferry", FIRST[0].id, FIRST)
    memory = remember([topic], ["1"], ArticleId(2))
    one = came(*FIRST, article(3, "one.test", SANK))
    assert developments([one], DigestKind.MORNING, by_key([memory])) == ()


def test_news_is_a_digest_that_can_be_kept_and_shown():
    nasty = replace(FIRST[0], title="<script>x</script>")
    one = came(nasty, FIRST[1])
    topics = told(replace(one, title="<img src=x onerror=x>\n"))
    made = news(topics, NOW - timedelta(hours=1), NOW, "UTC", "https://reader.example")
    assert read_digest(values(made)) == made
    for form in FORMATS:
        text = form.render(made)
        assert "https://reader.example/story/7" in text
        assert "Feed Health" not in text
        if form.name in {"html", "markdown"}:
            assert "<img" not in text.replace("\\<img", "")
            assert "<script>" not in text.replace("\\<script\\>", "")
    assert news(topics * 2, NOW, NOW, "UTC", "").title.endswith("and 1 more")
