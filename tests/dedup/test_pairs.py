"""What two articles are to each other: the cases that are easily taken for another one."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates.packed import Signature
from newsloom.duplicates.pairs import judge_pair
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import Evidence, Relation, Thresholds, Unsigned
from newsloom.kernel.ids import ArticleId, FeedId

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
SAME, NEAR, EVENT, REVISED = (
    Relation.SAME_TEXT,
    Relation.NEAR_DUPLICATE,
    Relation.SAME_EVENT,
    Relation.REVISION,
)
SEED = Thresholds()

HEADLINE = "Harbour authority closes northern terminal after crane collapse"
REPORT = """The harbour authority of Port Ellis closed its northern terminal on Tuesday after a
loading crane collapsed onto an empty freighter, injuring two dock workers. Witnesses said the arm
of the crane buckled in strong wind shortly before noon and fell across the deck of the Marta
Lindqvist, which had come in from Gdansk the evening before. Director Helen Okafor told reporters
that the terminal would stay shut until engineers had examined the remaining three cranes, which
were built by the same company in 1987. "Nobody goes back to work under those machines before we
know why this one failed," she said. The union of dock workers had asked for an inspection last
autumn after cracks were found in a weld, but the report was never published. Its chairman Jonas
Hartmann said the accident had been waiting to happen and demanded an independent inquiry. About
forty ships a week use the northern terminal, most of them carrying timber and grain. They will be
sent to the southern basin, where waiting times of up to two days are expected. The mayor visited
the injured in hospital and promised that the city would publish every document it holds."""
OTHER_REPORT = """Two people were hurt when a crane came down at Port Ellis, forcing officials to
shut part of the docks and divert shipping for an unknown time. Emergency services were called at
11:47 and freed one man who was trapped in a control cabin, a fire service spokeswoman said. Unions
have complained for months about the state of the equipment there, pointing to a survey that found
damaged welds. Shipping companies warned of delays for deliveries of wood to sawmills further
inland, and a grain trader said that prices could rise if the closure lasts beyond the weekend."""
UNRELATED = """The orchestra opened its season with a programme of works that are rarely heard,
among them a symphony by Louise Farrenc and a suite that the conductor found in the archive of a
monastery. The hall was not quite full, but those who came stood and applauded for ten minutes. The
soloist, who is nineteen years old, played an encore by candle light after the power failed."""


def article(
    title: str = HEADLINE,
    text: str = REPORT,
    source: str = "ellis-post.example",
    *,
    feed: int = 0,
    hours: float = 0.0,
) -> Unsigned:
    return Unsigned(
        id=ArticleId(1),
        feed_id=FeedId(feed or sum(map(ord, source))),
        source=source,
        dated=NOON + timedelta(hours=hours),
        title=title,
        text=text,
    )


def verdict(a: Unsigned, b: Unsigned, thresholds: Thresholds = SEED):
    one, other = sign([a, replace(b, id=ArticleId(2))])
    found = judge_pair(one, other, thresholds)
    assert judge_pair(other, one, thresholds) == found
    return found


def edited(text: str, share: float) -> str:
    draw = random.Random(share)
    words = text.split()
    for place in draw.sample(range(len(words)), round(share * len(words))):
        words[place] = draw.choice(UNRELATED.split())
    return " ".join(words)


ELSEWHERE = "northern-herald.example"
FULL = f"{REPORT} {OTHER_REPORT}"

SAME_TEXTS = {
    "wire copy": article(source=ELSEWHERE, hours=3),
    "wire copy under another title": article("Two hurt as crane falls on ship", REPORT, ELSEWHERE),
    "again under another id": article(hours=10),
    "again, retitled by its publisher": article("Two hurt as crane falls on ship", hours=5),
    "again in another feed of the publisher": article(feed=77, hours=1),
    "without a source": article(source="", feed=9),
    "without a source, retitled": article("Two hurt as crane falls on ship", source="", feed=9),
    "half of it": article(text=REPORT[: len(REPORT) // 2], source=ELSEWHERE),
    "half of it, own": article(text=REPORT[len(REPORT) // 2 :], hours=2),
    "boilerplate around": article(text=f"Skip to content. {REPORT} Share this.", source=ELSEWHERE),
    "reordered": article(text=" ".join(reversed(REPORT.split(". "))), source=ELSEWHERE),
    "weeks later elsewhere": article(source=ELSEWHERE, hours=24 * 20),
    **{
        f"{share:.0%} of the words edited, {where}": article(text=edited(REPORT, share), **place)
        for share in (0.01, 0.05, 0.1, 0.2, 0.25)
        for where, place in (
            ("elsewhere", {"source": ELSEWHERE}),
            ("own", {"hours": 4}),
            ("no source", {"source": "", "feed": 9}),
        )
    },
    **{
        f"{share:.0%} of the words edited, retitled": article(
            "Two hurt as crane falls on ship", edited(REPORT, share), ELSEWHERE
        )
        for share in (0.05, 0.1)
    },
}


@pytest.mark.parametrize("copy", SAME_TEXTS.values(), ids=SAME_TEXTS.keys())
def test_a_copy_is_the_same_text(copy: Unsigned) -> None:
    found = verdict(article(), copy)
    assert found.relation is SAME
    assert found.evidence[0].layer == "fingerprint"
    assert not found.wants_entities


def test_all_evidence_is_kept_the_decisive_first() -> None:
    found = verdict(article(), article(source=ELSEWHERE))
    assert [one.layer for one in found.evidence] == ["fingerprint", "title"]
    assert all(0 < one.score <= 1 and one.detail for one in found.evidence)


WIRE = f"PORT ELLIS (Reuters) - {REPORT}"


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        pytest.param(article(), article(source=ELSEWHERE), "; two sources", id="two sources"),
        pytest.param(article(), article(hours=1), "; one source", id="one source"),
        pytest.param(article(), article(source="", feed=9), "64 bits", id="unknown"),
        pytest.param(
            article(text=WIRE), article(text=WIRE, source=ELSEWHERE), "both from Reuters", id="wire"
        ),
    ],
)
def test_where_one_text_stands_is_noted(a: Unsigned, b: Unsigned, words: str) -> None:
    assert verdict(a, b).evidence[0].detail.endswith(words)


def quake(size: str, place: str, hour: str) -> str:
    return (
        f"A magnitude {size} earthquake was reported at {hour} on Tuesday {place}, according to "
        "the Geological Survey. In the past ten days there have been no other earthquakes of "
        "magnitude 3.0 or greater centered nearby. Find out what to do before and during an "
        "earthquake. This "
        "report was written by an algorithm and reviewed by an editor before it was published."
    )


def listing(street: str, rooms: int, price: str) -> str:
    return (
        f"Bright {rooms} room flat in {street} for {price} a month. The flat has a fitted kitchen, "
        "a bathroom with a window and a balcony to the courtyard. Shops, schools and the "
        "underground "
        "are a few minutes away. Viewings by appointment only. No agent's fee, deposit three "
        "months' rent. Please send us your documents with the first message."
    )


def market(index: str, change: str, leader: str) -> str:
    return (
        f"The main index closed at {index} points on the exchange, up {change} percent, led by "
        f"{leader}. Analysts said investors were waiting for the decision of the central bank. "
        "Trading volume was about average. Bonds were little changed and the currency was steady "
        "against its main rivals in late trading."
    )


def match(home: str, away: str, score: str, scorer: str) -> str:
    return (
        f"{home} beat {away} {score} on Saturday with a goal by {scorer}. The home side had more "
        "of the ball in the first half and deserved the points in the end. Match facts, "
        "line-ups and "
        "ratings of all players can be found in our data centre. This text was generated from data."
    )


JOB = (
    "At Acme we build software that people love. We are looking for somebody who wants to grow "
    "with us. You will work in a small team with short ways and much responsibility. We offer "
    "flexible "
    "hours, thirty days of leave, a budget for training and a bicycle. We are an equal opportunity "
    "employer and welcome everybody. Please apply with your curriculum vitae and a short letter. "
)
BOILERPLATE = "Read the full story on our site."
LONG_BOILERPLATE = (
    "Continue reading the full story on the site of the Ellis Post, your newspaper for the harbour "
    "and the islands, with all the news of the day."
)
SPONSOR = (
    "Thanks to our sponsor for supporting the channel! Get twenty percent off with our code at "
    "the link below. Follow us on all platforms, join the community and tell your friends. "
    "Music by the "
    "usual library. If you want to help us make more of these, become a member and get access to "
    "early cuts, our workshop diary and the monthly question round with everybody in the team. "
)

NOT_THE_SAME = {
    "weekly links of two sites": (
        article("Weekly links", OTHER_REPORT),
        article("Weekly links", UNRELATED, ELSEWHERE),
    ),
    "weekly links of one site": (
        article("Weekly links", OTHER_REPORT),
        article("Weekly links", UNRELATED, hours=60),
    ),
    "episodes": (
        article("Episode 12", SPONSOR + OTHER_REPORT),
        article("Episode 13", SPONSOR + UNRELATED, hours=48),
    ),
    "episodes with the same notes": (
        article("The workshop show, episode 12", SPONSOR),
        article("The workshop show, episode 13", SPONSOR, hours=48),
    ),
    "show notes under other titles": (
        article("We built a raft from bottles", f"A raft that floats. {SPONSOR}"),
        article("Can you weld under water?", f"We try it out. {SPONSOR}", hours=48),
    ),
    "this week in Rust": (
        article("This week in Rust 540", REPORT),
        article("This week in Rust 541", UNRELATED, hours=71),
    ),
    "a live page on two days": (
        article("Live updates: storm over the islands", REPORT),
        article("Live updates: storm over the islands", REPORT[:500] + UNRELATED, hours=24),
    ),
    "live pages of two sources": (
        article("Live updates", REPORT),
        article("Live updates", UNRELATED, ELSEWHERE),
    ),
    "briefings of two days": (
        article("Morning briefing: Monday", REPORT),
        article("Morning briefing: Tuesday", OTHER_REPORT, hours=24),
    ),
    "open threads": (
        article("Open thread", SPONSOR),
        article("Open thread", SPONSOR, hours=24),
    ),
    "obituaries": (
        article("Obituaries", OTHER_REPORT),
        article("Obituaries", UNRELATED, ELSEWHERE, hours=5),
    ),
    "earthquakes by one bot": (
        article("Magnitude 3.4 quake near Holm", quake("3.4", "12 miles from Holm", "5:13 a.m.")),
        article("Magnitude 4.1 quake near Sund", quake("4.1", "3 miles from Sund", "9:40 p.m.")),
    ),
    "earthquakes in one place": (
        article("Earthquake shakes Holm", quake("3.4", "12 miles from Holm", "5:13 a.m.")),
        article(
            "Earthquake shakes Holm", quake("4.1", "15 miles from Holm", "9:40 p.m."), hours=17
        ),
    ),
    "earthquakes by two bots": (
        article("Quake of 3.4 near Holm", quake("3.4", "12 miles from Holm", "5:13 a.m.")),
        article(
            "Quake of 4.1 near Sund", quake("4.1", "3 miles from Sund", "9:40 p.m."), ELSEWHERE
        ),
    ),
    "flats": (
        article("2 room flat in Mill Street", listing("Mill Street", 2, "900 euros")),
        article("3 room flat in Castle Road", listing("Castle Road", 3, "1,250 euros"), hours=1),
    ),
    "market reports": (
        article("Stocks close higher", market("12,310", "0.4", "Nordbank")),
        article("Stocks close higher", market("12,388", "0.6", "Seehaus"), hours=24),
    ),
    "market reports of two sources": (
        article("Stocks close higher", market("12,310", "0.4", "Nordbank")),
        article("Stocks close higher", market("12,388", "0.6", "Seehaus"), ELSEWHERE, hours=24),
    ),
    "results": (
        article("Holm beat Sund 2-1", match("Holm", "Sund", "2-1", "Erik Berg")),
        article("Vik beat Dal 3-0", match("Vik", "Dal", "3-0", "Ola Moen"), hours=1),
    ),
    "jobs": (
        article("Senior engineer (Berlin)", f"{JOB} The job is in Berlin, from 1 April 2026."),
        article("Office manager (Porto)", f"{JOB} The job is in Porto, from 15 May 2026."),
    ),
    "one job in two towns": (
        article("Senior engineer, Berlin", f"{JOB} The job is in Berlin, from 1 April 2026."),
        article("Senior engineer, Porto", f"{JOB} The job is in Porto, from 15 May 2026."),
    ),
    "two tutorials that differ in the language": (
        article("Unit tests of deployments in the cloud with C#", REPORT),
        article("Unit tests of deployments in the cloud with F#", edited(REPORT, 0.1), hours=1),
    ),
    "boilerplate for text": (
        article("Mayor opens new bridge", BOILERPLATE),
        article("Storm damages school roof", BOILERPLATE, hours=1),
    ),
    "boilerplate for text, longer": (
        article("Mayor opens new bridge", LONG_BOILERPLATE),
        article("Storm damages school roof", LONG_BOILERPLATE, hours=1),
    ),
    "boilerplate of a group of papers": (
        article("Mayor opens new bridge", LONG_BOILERPLATE.replace("Ellis Post", "paper")),
        article("Storm hits roof", LONG_BOILERPLATE.replace("Ellis Post", "paper"), ELSEWHERE),
    ),
    "a caption": (
        article("Mayor opens bridge", "Photo: Jane Doe / Getty Images"),
        article("School roof damaged", "Photo: Jane Doe / Getty Images", ELSEWHERE),
    ),
    "titles alone in one source": (
        article("Parliament votes on harbour bill today", ""),
        article("Parliament votes on harbour bill today", "", hours=20),
    ),
    "a short title alone elsewhere": (
        article("Harbour bill passed", ""),
        article("Harbour bill passed", "", ELSEWHERE),
    ),
    "a title alone, weeks apart": (
        article(HEADLINE, ""),
        article(HEADLINE, "", ELSEWHERE, hours=24 * 9),
    ),
    "titles that say little": (
        article("Introduction", OTHER_REPORT),
        article("Introduction", UNRELATED, ELSEWHERE),
    ),
    "a roundup that holds the report": (
        article(),
        article("What happened at sea", " ".join((UNRELATED, REPORT, *[UNRELATED[::-1]] * 8))),
    ),
    "beyond the window": (article(), article(source=ELSEWHERE, hours=24 * 31)),
    "nothing in common": (article(), article("Orchestra opens season", UNRELATED, ELSEWHERE)),
    "nothing at all": (article("", ""), article("", "", ELSEWHERE)),
}


@pytest.mark.parametrize(("a", "b"), NOT_THE_SAME.values(), ids=NOT_THE_SAME.keys())
def test_what_only_looks_alike_is_nothing(a: Unsigned, b: Unsigned) -> None:
    assert verdict(a, b).relation is None


OTHERS = {
    "the same headline over another report elsewhere": (
        article(),
        article(HEADLINE, OTHER_REPORT, ELSEWHERE, hours=6),
        NEAR,
    ),
    "a title alone elsewhere": (
        article(HEADLINE, ""),
        article(HEADLINE, "", ELSEWHERE, hours=6),
        NEAR,
    ),
    "a title alone and a report": (article(HEADLINE, ""), article(source=ELSEWHERE), NEAR),
    "half taken over under another headline": (
        article(text=FULL),
        article("Two hurt as crane falls on ship", REPORT + UNRELATED * 2, ELSEWHERE, hours=2),
        NEAR,
    ),
    "rewritten by its publisher": (article(), article(HEADLINE, OTHER_REPORT, hours=9), REVISED),
    "rewritten in another feed of the publisher": (
        article(),
        article(HEADLINE, OTHER_REPORT, feed=77, hours=9),
        REVISED,
    ),
    "rewritten much later": (article(), article(HEADLINE, OTHER_REPORT, hours=24 * 8), None),
}


@pytest.mark.parametrize(("a", "b", "relation"), OTHERS.values(), ids=OTHERS.keys())
def test_one_headline_over_two_texts(a: Unsigned, b: Unsigned, relation: Relation | None) -> None:
    found = verdict(a, b)
    assert found.relation is relation
    assert not found.evidence or found.evidence[0].layer == "title" or relation is NEAR


TEASER = (
    "After three weeks of restrictions many aspects of everyday life in Port Ellis have changed."
)
RETITLED = {
    "some words": ("Six ways the closure changed Port Ellis", "How the closure changed Port Ellis"),
    "a quotation": (
        "Harbour chief in grave danger after surgery - reports",
        "Harbour chief reportedly in grave danger",
    ),
}


@pytest.mark.parametrize(("before", "after"), RETITLED.values(), ids=RETITLED.keys())
def test_a_title_changed_over_a_teaser_that_stayed(before: str, after: str) -> None:
    assert verdict(article(before, TEASER), article(after, TEASER, hours=2)).relation is SAME


def named(signature: Signature, names: str) -> Signature:
    return replace(signature, entities=frozenset(f"person:{name}" for name in names.split()))


EVENT_A = article(
    "Helen Okafor shuts terminal in Port Ellis", "Helen Okafor of Port Ellis told Jonas Hartmann."
)
EVENT_B = article(
    "Port Ellis: crane falls, Helen Okafor speaks",
    "Jonas Hartmann and Helen Okafor met in Port Ellis.",
    ELSEWHERE,
    hours=5,
)


SURE, LIKELY, UNLIKELY = (Evidence("event", score) for score in (0.9, 0.8, 0.6))


def test_names_are_asked_for_only_where_they_may_decide() -> None:
    one, other = sign([EVENT_A, EVENT_B])
    verdict = judge_pair(one, other, SEED, LIKELY)
    assert verdict.relation is None
    assert verdict.wants_entities
    assert judge_pair(named(one, "a b"), other, SEED, LIKELY).wants_entities
    assert not judge_pair(one, other, SEED, SURE).wants_entities
    assert not judge_pair(one, other, SEED, UNLIKELY).wants_entities
    assert not judge_pair(one, other, SEED).wants_entities


def test_names_are_not_asked_for_where_they_would_not_decide() -> None:
    own = replace(EVENT_B, feed_id=EVENT_A.feed_id, title="Director speaks about docks")
    assert not judge_pair(*sign([EVENT_A, own]), SEED, LIKELY).wants_entities
    kindred = replace(own, title="Helen Okafor shuts a terminal in Port Ellis again")
    assert judge_pair(*sign([EVENT_A, kindred]), SEED, LIKELY).wants_entities


def test_the_same_names_within_a_day_are_one_event() -> None:
    one, other = sign([EVENT_A, EVENT_B])
    found = judge_pair(named(one, "a b c d"), named(other, "a b c d"), SEED, LIKELY)
    assert found.relation is EVENT
    assert [why.layer for why in found.evidence] == ["event", "entities"]
    assert judge_pair(named(other, "a b c d"), named(one, "a b c d"), SEED, LIKELY) == found
    assert judge_pair(named(one, "a b c d"), named(other, "a b c d"), SEED).relation is None


def test_what_is_likely_enough_is_one_event_whatever_the_names() -> None:
    one, other = sign([EVENT_A, EVENT_B])
    found = judge_pair(one, other, SEED, SURE)
    assert found.relation is EVENT
    assert found.evidence == (SURE,)
    assert judge_pair(one, other, SEED, UNLIKELY).relation is None


def test_one_publishers_articles_need_kindred_headlines_to_be_one_event() -> None:
    own = replace(EVENT_B, feed_id=EVENT_A.feed_id, title="Director speaks about docks")
    assert judge_pair(*sign([EVENT_A, own]), SEED, SURE).relation is None
    kindred = replace(own, title="Helen Okafor shuts a terminal in Port Ellis again")
    assert judge_pair(*sign([EVENT_A, kindred]), SEED, SURE).relation is EVENT


def test_other_names_are_another_event() -> None:
    one, other = sign([EVENT_A, EVENT_B])
    found = judge_pair(named(one, "a b c d"), named(other, "e f g h"), SEED, LIKELY)
    assert found.relation is None
    assert not found.wants_entities


def test_the_same_names_a_day_later_are_not_looked_at() -> None:
    one, other = sign([EVENT_A, replace(EVENT_B, dated=NOON + timedelta(hours=25))])
    assert judge_pair(one, other, SEED, LIKELY).wants_entities is False


texts = st.one_of(
    st.sampled_from(
        ["", "word", REPORT, OTHER_REPORT, UNRELATED, BOILERPLATE, SPONSOR, "🎉" * 50, "ก" * 300]
    ),
    st.text(max_size=200),
)
titles = st.one_of(
    st.sampled_from(["", "Weekly links", HEADLINE, "Episode 12", "Episode 13", "🎉"]),
    st.text(max_size=60),
)


@given(titles, texts, titles, texts, st.booleans(), st.integers(0, 100))
def test_judging_is_symmetric_and_total(
    title: str, text: str, other_title: str, other_text: str, own: bool, hours: int
) -> None:
    b = article(other_title, other_text, "" if own else ELSEWHERE, feed=1, hours=hours)
    found = verdict(article(title, text, feed=1 if own else 2), b)
    assert (found.relation is None) == (not found.evidence)
