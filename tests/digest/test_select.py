"""What stands in a digest, and where."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.digests.select import FEWEST_TOP, KINDS, NOTEWORTHY, TOP, digest
from newsloom.digests.service.digest_articles import whole_title
from newsloom.digests.service.digests import by_subject
from newsloom.digests.values import DigestArticle, DigestGroup, DigestKind, FeedReport
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.said import length
from newsloom.summaries.summarise import CLEAR, clarity, lead_of

NOW, DAY = datetime(2026, 11, 21, 8, 0, tzinfo=UTC), timedelta(days=1)
TEXT = (
    "The harbour of Rotterdam in Holland was closed on Friday after a strike of the ferry crews. "
    "Some 4,000 passengers waited at the quay through the night. "
    "The union asks for higher wages and for shorter shifts in winter."
)


TELLING = (
    "Ferry crews ended their strike in harbour {} when the union and the port agreed on shorter "
    "shifts in winter and higher wages."
)
BLUNT = "Ferry crews end strike in harbour"
AROUND = "Some of them had worked there for forty years, and their fathers before them."


def text_of(number: int) -> str:
    """Of another harbour each: no sentence stands twice in a digest."""
    return " ".join(
        f"{one}, as harbour {number} reports." for one in TEXT.removesuffix(".").split(". ")
    )


def article(number: int, importance: float, **more: object) -> DigestArticle:
    return DigestArticle(
        **{
            "id": ArticleId(number),
            "title": f"Harbour {number} of Rotterdam closed by a strike",
            "url": f"https://paper{number}.example/a",
            "source": f"paper{number}.example",
            "publisher": f"Paper {number}",
            "owner": f"Owner {number}",
            "tier": 3,
            "category": "World" if number % 2 else "",
            "language": "en",
            "published": NOW - timedelta(hours=number % 24),
            "importance": importance,
            "text": text_of(number),
            "sensitivity": 4,
            **more,
        }
    )


def group(*articles: DigestArticle) -> DigestGroup:
    lead = articles[0]
    return DigestGroup(str(lead.id), f"Label {lead.id}", lead.id, articles)


def made(groups, kind=DigestKind.MORNING):
    return digest(groups, kind, NOW - timedelta(days=1), NOW, "Europe/Berlin", FeedReport())


def test_sections_by_importance():
    groups = [group(article(number, 95 - number)) for number in range(80)]
    found = made(groups)
    assert [one.importance for one in found.top] == [95 - number for number in range(8)]
    assert sorted(one.importance for one in found.noteworthy) == list(range(81, 88))
    assert len(found.mentioned) == 20
    assert not found.relaxed


def test_where_few_reach_70_the_best_lead_and_it_says_so():
    found = made([group(article(number, 30 - number)) for number in range(12)])
    assert found.relaxed
    assert len(found.top) == FEWEST_TOP
    assert len(found.top) + len(found.noteworthy) == 10
    assert len(found.mentioned) == 2


def test_a_topic_is_as_important_as_its_most_important_article():
    found = made([group(article(1, 10), article(2, 90))])
    assert found.top[0].importance == 90
    assert found.top[0].lead.id == 1


def test_noteworthy_stands_by_category():
    groups = [group(article(number, 60)) for number in range(8)]
    groups += [group(article(100 + number, 80)) for number in range(4)]
    found = made(groups)
    categories = [one.category for one in found.noteworthy]
    assert categories == sorted(categories)
    assert len(found.top) == 4


@pytest.mark.parametrize("kind", KINDS, ids=lambda one: str(one.kind))
def test_every_kind_holds_its_numbers(kind):
    found = made([group(article(number, 90)) for number in range(200)], kind.kind)
    assert len(found.top) + len(found.noteworthy) <= kind.stories
    assert len(found.mentioned) <= kind.mentioned
    for topic in (*found.top, *found.noteworthy):
        assert sum(length(one.text) for one in topic.summary) <= kind.words
    assert all(one.summary == () for one in found.mentioned)


def test_sentences_are_whole_and_name_their_articles():
    found = made([group(article(1, 90, text=TEXT), article(2, 80, text=TEXT))])
    summary = found.top[0].summary
    assert summary
    assert all(one.text in TEXT and one.text.endswith(".") for one in summary)
    assert all(set(one.articles) == {1, 2} for one in summary)


def test_other_numbers_of_the_same_thing_are_named():
    one = article(1, 90, text="At least 12 people were killed in the flood at Rotterdam on Friday.")
    other = article(2, 80, text="The flood at Rotterdam on Friday killed at least 15 people.")
    summary = made([group(one, other)]).top[0].summary
    rows = [sentence for sentence in summary if sentence.disagrees]
    assert len(rows) == 1
    assert "12" in rows[0].text
    assert "15" in rows[0].text
    assert "Paper 1" in rows[0].text


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param([], id="an empty window"),
        pytest.param([group(article(1, 0))], id="one article, of no importance"),
        pytest.param([group(article(1, 100))], id="one article, of all importance"),
        pytest.param([group(article(1, 50, text=""))], id="without a text"),
        pytest.param([group(article(1, 50, title=""))], id="without a title"),
    ],
)
def test_what_is_degenerate(groups):
    found = made(groups)
    assert len(found.top) == len(groups)
    assert found == made(groups)


@given(importances=st.lists(st.floats(0, 100), max_size=60), kind=st.sampled_from(DigestKind))
def test_nothing_is_told_twice_and_the_order_falls(importances, kind):
    groups = [group(article(number, one)) for number, one in enumerate(importances)]
    found = made(groups, kind)
    everything = [*found.top, *found.noteworthy, *found.mentioned]
    keys = [one.key for one in everything]
    assert len(keys) == len(set(keys))
    assert made(list(reversed(groups)), kind) == found
    assert [one.importance for one in found.top] == sorted(
        (one.importance for one in found.top), reverse=True
    )
    if not found.relaxed:
        assert all(one.importance >= TOP for one in found.top)
        assert all(one.importance < NOTEWORTHY for one in found.mentioned) or len(keys) >= 10


def told(number: int, **more: object) -> DigestArticle:
    return article(
        number, more.pop("importance", 50), published=NOW - timedelta(hours=number), **more
    )


def test_the_newest_article_of_the_main_event_leads():
    """Of the half that is nearer to the centre, where no poor source and no bare title is."""
    main = [told(6, event=1), told(4, event=1), told(2, event=1), told(3, event=1)]
    other = [told(1, event=2, importance=90)]
    assert lead_of([*main, *other]).id == 4
    poor = [told(6, event=1), told(2, event=1, tier=5), told(4, event=1), told(3, event=1)]
    assert lead_of(poor).id == 4
    bare = [told(6, event=1), told(4, event=1, text=""), told(2, event=1), told(3, event=1)]
    assert lead_of(bare).id == 6


def test_of_events_that_as_many_owners_report_one_that_is_hours_newer_leads():
    major = told(6, event=1, importance=90)
    assert lead_of([major, told(2, event=2)]).id == 2
    assert lead_of([major, told(4, event=2)]).id == 6, "two hours are as good as none"
    assert lead_of([major, told(2, event=2, text="")]).id == 6, "nothing can be told of it"
    assert lead_of([told(6, event=1), told(4, event=1), told(2, event=1)]).id == 2


def test_what_no_sentence_can_tell_is_mentioned_though_several_owners_report_it():
    bare = group(told(1, text="", importance=90), told(2, text="", importance=90))
    found = made([bare, *(group(told(n)) for n in range(3, 8))])
    assert found.top
    assert bare.lead not in {one.lead.id for one in (*found.top, *found.noteworthy)}
    assert bare.lead in {one.lead.id for one in found.mentioned}


def test_where_three_owners_report_an_event_a_title_says_what_theirs_do():
    titles = (
        "Ada Quist’s journey from a village choir to the opera",
        "Soprano Ada Quist dies at 84",
        "Ada Quist, soprano, dies aged 84",
        "Opera mourns soprano Ada Quist, who died at 84",
    )
    several = [
        told(number, event=1, title=title, owner=f"owner {number}", text="")
        for number, title in enumerate(titles, 1)
    ]
    assert lead_of(several).id in {2, 3}
    assert lead_of(several[:2]).id == 1, "two do not outvote the nearer one"


def test_other_events_of_a_matter_are_named_and_say_nothing_in_its_summary():
    events = (told(2, event=1), told(3, event=1), told(4, event=2), told(5, event=2))
    whole = made([group(*events, told(6, event=3))])  # which is older news than the lead
    (topic,) = whole.top
    assert [one.id for one in topic.others] == [4]
    assert {one for said in topic.summary for one in said.articles} <= {2, 3}


def test_a_summary_is_of_one_language_and_leans_on_nothing():
    leaning = "But it is open. He said nothing more of the matter to anybody in Rotterdam. "
    german = "Der Hafen von Rotterdam war am Freitag nach einem Streik geschlossen."
    whole = made([group(told(1, text=leaning + text_of(1)), told(2, language="de", text=german))])
    texts = [one.text for one in whole.top[0].summary]
    assert texts
    assert all("harbour 1 reports" in one for one in texts)


def test_for_you_takes_its_share_by_relevance_and_nothing_twice():
    """Not what leads already, and nothing that a model knows no good of."""
    groups = [group(article(n, 60 - n, relevance=5 * n)) for n in range(1, 21)]
    found = digest(groups, DigestKind.MORNING, NOW - DAY, NOW, "UTC", FeedReport(), for_you=0.4)
    assert [one.lead.id for one in found.for_you] == [20, 19, 18, 17, 16, 15]
    keys = [one.key for one in found.topics]
    assert len(keys) == len(set(keys)) == 20
    assert len(found.summarised) == 15
    assert not made(groups).for_you


def test_a_summary_opens_with_the_first_sentence_of_the_lead_that_tells_its_title():
    news = "Harbour 1 opens again on Monday after the strike of its ferry crews."
    text = f"Rain fell at night over the coast of Holland. {news} {text_of(1)}"
    lead = told(1, title="Harbour 1 opens again after the strike", text=text)
    whole = made([group(lead)])
    assert whole.top[0].summary[0].text == news


def test_news_comes_first_and_what_expires_never_or_explains_is_mentioned():
    evergreen = [group(article(n, 95, sensitivity=2)) for n in range(1, 4)]
    asking = [group(article(4, 94, title="Why do harbours strike?"))]
    title = "Ferry crews end strike in harbour after union agrees on winter shifts"
    slow = group(article(5, 66, title=title, text=TELLING.format(5), sensitivity=3))
    fast = group(article(6, 60))
    bare = group(article(7, 54, text="", sensitivity=4))
    news = [group(article(n, 50 - n, sensitivity=4)) for n in range(8, 18)]
    found = made([*evergreen, *asking, slow, fast, bare, *news])
    entries = [one.lead.id for one in (*found.top, *found.noteworthy)]
    assert entries[:2] == [6, 5], "what expires soon, then the rest"
    assert len(entries) == 10
    assert not {1, 2, 3, 4, 7} & set(entries[3:])
    assert {1, 2, 3, 4} <= {one.lead.id for one in found.mentioned}
    assert [one.lead.id for one in made([*evergreen, *asking]).top] == [1, 2, 3], "no news"
    assert [one.lead.id for one in made([*evergreen[:2], *asking]).top] == [1, 2], "and little"
    assert [one.lead.id for one in made(asking).top] == [4], "and nothing else"


def test_a_summary_tells_as_its_lead_does_or_as_another_where_that_has_no_text():
    title = "Ferry crews end their strike in the harbour"
    text = (
        "Ferry crews ended their strike in the harbour on Monday after eleven days. "
        "They had asked for shorter shifts in winter. Do strikes help? "
        "The owner of the ferries agreed to a raise of four percent."
    )
    lead = article(1, 90, title=title, text=text, published=NOW)
    repeats = article(2, 80, text="The crews of ferries ended a strike of the harbour.", event=1)
    adds = article(
        3, 80, text="Bakeries near the quay expect tourists again from Tuesday.", event=1
    )
    (topic,) = made([group(replace(lead, event=1), repeats, adds)]).top
    assert [one.text for one in topic.summary] == [*sentences(text)[:2]]
    bare = replace(lead, event=1, text="")
    for text, shown in ((adds.text, [adds.text]), ("They expect tourists on Tuesday.", [])):
        (topic,) = made([replace(group(bare, replace(adds, text=text, tier=5)), lead=bare.id)]).top
        assert [one.text for one in topic.summary] == shown


def test_what_several_owners_of_known_sources_report_leads():
    one = group(article(1, 75))
    two = group(article(2, 70), article(3, 60))
    made_up = group(*(article(n, 68, tier=4) for n in range(4, 9)))
    assert [topic.lead.id for topic in made([made_up, one, two]).top] == [2, 1, 4]


@pytest.mark.parametrize("many", [12, 4])
def test_what_cannot_be_told_is_mentioned_where_there_is_enough(many):
    """Sentences that do not tell what their titles do: a line says as much."""
    well = [group(article(n, 50, title=BLUNT, text=TELLING.format(n))) for n in range(many)]
    badly = [group(article(20 + n, 55, title=BLUNT, text=AROUND)) for n in range(8)]
    found = made([*well, *badly])
    assert {one.lead.id for one in (*found.top, *found.noteworthy)} == set(range(many))
    assert {one.lead.id for one in found.mentioned} == set(range(20, 28))
    assert [one.lead.id for one in made([*well[:1], *badly]).summarised] == [0]
    assert len(made(badly).top) == FEWEST_TOP, "there is nothing else"


@pytest.mark.parametrize(("title", "text", "more"), [
    ("Ferry crews end strike in harbour", "Ferry crews ended their strike in the harbour.", {}),
    ("Ferry crews end strike in your harbour", TELLING, {}),
    ("Ferry strike over", f"Rain fell for days on the coast. {TELLING}", {}),
    ("Ferry strike over", TELLING, {"sensitivity": 3}),
])  # fmt: skip
def test_an_entry_that_reads_badly_comes_after_one_that_reads_well(title, text, more):
    well = [group(article(n, 50, title=BLUNT, text=TELLING.format(n))) for n in range(1, 11)]
    badly = group(article(20, 55, title=title, text=text.format(20), **more))
    found = made([badly, *well])
    assert {one.lead.id for one in (*found.top, *found.noteworthy)} == set(range(1, 11))


CUT = "Crews of ferries are to strike in all..."
WHOLE = "Crews of ferries are to strike in all harbours of Holland on Friday"


@pytest.mark.parametrize(("title", "text", "shown"), [
    (CUT, f"{WHOLE}. They ask for more.", WHOLE),
    (CUT.replace("...", "…"), f"{WHOLE}!", f"{WHOLE}!"),
    (CUT, f"No news. {WHOLE}.", CUT),
    (CUT, f"{WHOLE} {'and then on Monday ' * 10}.", CUT),
    ("Ferries: to be continued ...", "Ferries are late.", "Ferries: to be continued ..."),
    ("", "Ferries are late.", ""),
])  # fmt: skip
def test_a_title_that_was_cut_is_completed_from_the_text(title, text, shown):
    assert whole_title(title, text) == shown


@pytest.mark.parametrize(
    ("language", "title", "told", "not_told"),
    [
        (
            "de-DE",
            "Streik der Fährleute im Hafen von Lunden beendet",
            "Nach elf Tagen ist der Streik der Fährleute im Hafen beendet, wie Reeder mitteilten.",
            "Die Fähren der Stadt fahren seit 1921 und gehören zu den ältesten im ganzen Land.",
        ),
        (
            "ko",
            "항공관제사 파업으로 파리 항공편 취소",
            "인력 부족에 항의하는 관제사들이 파업하면서 오를리 공항의 항공편 절반이 취소됐다.",
            "이 공항은 1932년에 문을 열었으며 해마다 수많은 승객이 이용하는 곳이다.",
        ),
        (
            "ru",
            "Забастовка паромщиков в порту завершена",
            "Паромщики Лундена завершили забастовку в порту после одиннадцати дней переговоров.",
            "Паром ходит здесь с 1921 года и считается одним из самых старых во всей стране.",
        ),
    ],
)
def test_entries_in_other_languages_read_well_if_the_sentence_tells_the_title(
    language, title, told, not_told
):
    one = article(1, 50, title=title, text=told, language=language)
    assert clarity(one) >= CLEAR
    assert clarity(replace(one, text=not_told)) < CLEAR


def test_the_newest_of_two_leads_unless_it_passes_the_other_on():
    first = told(9, event=1, title=BLUNT, text=TELLING.format(1))
    then = replace(first, id=ArticleId(3), owner="Other", published=NOW - timedelta(hours=3))
    assert lead_of([first, replace(then, title="Ferries sail again in harbour")]).id == 3
    assert lead_of([first, then]).id == 9
    assert lead_of([first, replace(then, owner=first.owner)]).id == 3


def test_what_announces_something_gives_way_to_a_newer_report_of_it():
    crews = "Ferry crews and the port {} their second round of talks on winter shifts in Lunden."
    before = [
        told(n, event=1, title="Ferry crews to meet for second round of talks",
             text=crews.format("are to hold"))
        for n in (7, 8, 9)
    ]  # fmt: skip
    after = told(3, event=-3, title="Ferry crews end second round of talks",
                 text=crews.format("ended"))  # fmt: skip
    other = told(2, event=-2, title="Bakers ask for cheaper flour", text=text_of(2))
    assert lead_of([*before, other]) in before
    assert lead_of([*before, after, other]) == after
    assert lead_of([*before, replace(after, published=NOW - DAY)]) in before, "older"
    assert lead_of([*before, replace(after, tier=5)]) in before, "of an unknown source"


def test_the_article_leads_whose_sentence_tells_what_its_title_does():
    title = BLUNT
    telling = told(4, event=1, title=title, text=TELLING.format(1))
    around = told(3, event=1, title=title, text=AROUND)
    asking = told(2, event=1, title="Why did ferry crews end their strike?", text=TELLING)
    others = [told(n, event=1, title=title, text=AROUND) for n in (5, 6, 7)]
    assert lead_of([telling, around, asking, *others]).id == 4
    assert lead_of([around, asking, *others, telling]).id == 4, "also of the farther half"


def test_one_owner_has_a_third_of_what_leads_where_others_matter_nearly_as_much():
    full = [group(article(n, 90 - n, owner="Full")) for n in range(6)]
    others = [group(article(10 + n, 80 - n)) for n in range(6)]
    assert [one.lead.owner for one in made([*full, *others]).top].count("Full") == 3
    little = [group(article(20 + n, 40 - n)) for n in range(6)]
    assert [one.lead.owner for one in made([*full, *little]).top].count("Full") == 6


def test_one_owner_has_a_third_of_the_other_sections_too():
    leading = [group(article(n, 90)) for n in range(8)]
    full = [group(article(100 + n, 69 - n / 50, owner="Full")) for n in range(40)]
    found = made([*leading, *full, *(group(article(200 + n, 65)) for n in range(40))])
    for section, many in ((found.noteworthy, 7), (found.mentioned, 20)):
        assert [one.lead.owner for one in section].count("Full") == round(many / 3)


def test_one_topic_of_a_subject_has_an_entry_and_what_is_as_new_is_a_line_of_it():
    def told(number: int, hours: float) -> DigestArticle:
        published = NOW - timedelta(hours=hours)
        return article(number, 90 - number, published=published, event=number)

    hours = {1: 5, 2: 6, 3: 1, 4: 23}  # the last is old news, as the entry was told since
    near = [
        replace(group(told(number, ago)), terms={"strike": 1.0}) for number, ago in hours.items()
    ]
    found = made([*near, *(group(article(10 + n, 50)) for n in range(4))])
    entries = {one.lead.id: one.others for one in (*found.top, *found.noteworthy)}
    assert sorted(entries) == [1, 10, 11, 12, 13]
    assert [one.id for one in entries[1]] == [2, 3]
    assert all(one.text == "" for one in entries[1])
    assert found.mentioned == ()


def test_what_the_owner_of_an_entry_reports_on_its_subject_is_a_line_only_if_it_is_near():
    """An owner reports on many matters in like words; what is no line is mentioned."""
    vectors = {1: (1.0, 0.0), 2: (0.66, 0.75), 3: (0.6, 0.8), 4: (0.6, 0.8)}
    others = {1: "Same", 2: "Same", 3: "Same", 4: "Other"}
    near = [
        replace(
            group(article(number, 90 - number, owner=owner, event=number, published=NOW)),
            terms={"strike": 1.0},
            vector=np.array(vectors[number], np.float32),
        )
        for number, owner in others.items()
    ]
    found = made([*near, *(group(article(10 + n, 50)) for n in range(4))])
    entries = {one.lead.id: one.others for one in (*found.top, *found.noteworthy)}
    assert [one.id for one in entries[1]] == [2, 4]
    assert [one.lead.id for one in found.mentioned] == [3]


def test_other_matters_of_the_owner_of_a_topics_lead_leave_it():
    """Its own event stays, whatever it is like; so does what other owners report."""
    owners, events = ["Same", "Same", "Same", "Same", "Other", "Same"], [1, 1, 2, 3, 4, 5]
    articles = tuple(
        article(number, 60, owner=owner, event=event)
        for number, (owner, event) in enumerate(zip(owners, events, strict=True), start=1)
    )
    turned = np.radians([0, 90, 60, 40, 90])  # the last has no vector
    rows = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    vectors = {one.id: row for one, row in zip(articles, rows, strict=False)}
    own = {one.id: {"strike": 1.0} for one in articles}
    found = by_subject(group(*articles), own, vectors, related=0.5)
    assert [[one.id for one in part.articles] for part in found] == [[1, 2, 4, 5, 6], [3]]
    assert [(part.key, part.label, part.lead) for part in found] == [
        ("1", "Label 1", 1),
        ("3", "", 3),
    ]
    alone = by_subject(group(articles[0]), own, vectors, related=0.5)
    assert [part.articles for part in alone] == [articles[:1]]


def test_one_event_told_in_two_languages_has_one_entry():
    """By the names that both have: vectors of the shipped encoder do not tell."""
    english = article(
        1,
        90,
        event=1,
        title="Rovers bring the cup home",
        text="Brannock Rovers have won the cup after a 2-1 over Hallenstad Athletic in extra time.",
    )
    german = article(
        2,
        80,
        event=2,
        language="de",
        title="Brannock gewinnt den Pokal",
        text="Die Rovers haben den Pokal gewonnen, mit 2:1 gegen Hallenstad Athletic am Sonntag.",
    )
    other = article(
        3,
        70,
        event=3,
        language="de",
        title="Trainer verlässt Hallenstad",
        text="Der Trainer von Hallenstad Athletic hat nach dem Spiel am Sonntag gekündigt.",
    )
    found = made([group(english), group(german), group(other)])
    entries = {one.lead.id: [it.id for it in one.others] for one in found.topics}
    assert entries[1] == [2]
    assert 3 in entries


def test_what_several_owners_ask_or_explain_has_no_entry_where_there_is_news():
    titles = ("Where are the next Winter Olympics?", "Why is the Strait of Hormuz so crucial?")
    asked = [
        group(*(article(10 * n + at, 95, title=titles[at], event=n) for at in range(2)))
        for n in (1, 2)
    ]
    news = [group(article(100 + n, 60)) for n in range(10)]
    found = made([*asked, *news])
    assert {one.lead.id for one in (*found.top, *found.noteworthy)} == {100 + n for n in range(10)}
    told = article(12, 50, event=1)  # where one of them tells news, it leads
    joined = replace(asked[0], articles=(*asked[0].articles, told))
    assert 12 in {one.lead.id for one in made([joined, *news]).top}


@pytest.mark.parametrize(
    ("terms", "vector", "related", "same"),
    [(0.45, 0.0, 0.5, True), (0.25, 0.6, 0.5, True), (0.25, 0.5, 0.5, False),
     (0.25, 0.5, 0.4, True), (0.35, None, 0.5, False)],
)  # fmt: skip
def test_topics_are_on_one_subject_by_their_terms_and_vectors(terms, vector, related, same):
    """A second one on a subject is only mentioned."""

    def turned(cosine: float) -> tuple[float, float]:
        return cosine, (1 - cosine**2) ** 0.5

    groups = [group(article(number, 96 - number)) for number in range(1, 25)]
    own = [{"a": 1.0}, dict(zip("ab", turned(terms), strict=True))]
    own += [{f"c{number}": 1.0} for number in range(22)]
    groups = [replace(one, terms=these) for one, these in zip(groups, own, strict=True)]
    if vector is not None:
        rows = [(1.0, 0.0), turned(vector)]
        groups[:2] = [
            replace(one, vector=np.array(row, np.float32), related=related)
            for one, row in zip(groups[:2], rows, strict=True)
        ]
    found = made(groups)
    shown = {one.key for one in (*found.top, *found.noteworthy)}
    assert groups[0].key in shown
    assert (groups[1].key not in shown) is same
