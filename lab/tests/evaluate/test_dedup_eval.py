"""Duplicates measured: a gold worked out by hand, the golds there may be, and the peer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from newsloom.articles.entities.finder import Entity
from newsloom.duplicates.values import Thresholds
from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate import dedup
from newsloom_lab.evaluate.clusterings import agreement
from newsloom_lab.evaluate.grouping import grouped
from newsloom_lab.evaluate.layered import components, corpus
from newsloom_lab.evaluate.peers import PEERS

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
# Headlines with nothing in common.
TITLES = """
Ferry strands on the northern sandbank
Senate votes against cheaper bread
Astronomers hear a quiet pulsar
Bakers refuse new oven rules
Marathon winner returns her medal
Orchard owners count frozen blossoms
Tram drivers learn sign language
Museum loses eleven painted clocks
Glacier village moves its church
Court frees accused beekeeper
""".strip().split("\n")


def text(name, words=120):
    draw = Random(name)
    made = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(words)]
    return " ".join(word + "." * (place % 12 == 11) for place, word in enumerate(made))


def one(name, title, body, house="home", hours=0.0, **gold):
    return LabelledArticle(
        id=name,
        title=TITLES[title] if isinstance(title, int) else title,
        text=body,
        url=f"https://{house}.example/{name}",
        source=f"{house}.example",
        published=NOON + timedelta(hours=hours),
        **gold,
    )


def edited(body):
    """One word in ten another."""
    return " ".join("other" if place % 10 == 5 else word for place, word in enumerate(body.split()))


# Same text by gold: a1 a2, b1 b2, c1 c2 - but c1 and c2 share not a word. e1 and e2 are one text
# and nobody said so. So 3 pairs in truth, 3 found, 2 of them right.
HAND_MADE = [
    one("a1", 0, text("a"), duplicate="a"),
    one("a2", 0, edited(text("a")), "other", 5, duplicate="a"),
    one("b1", 1, text("b"), duplicate="b"),
    one("b2", 2, f"{text('b')} {text('foot', 30)}", "other", 5, duplicate="b", edit="foot"),
    one("c1", 3, text("c1"), duplicate="c"),
    one("c2", 4, text("c2"), "other", 5, duplicate="c", edit="anew"),
    one("d", 5, text("d")),
    one("e1", 6, text("e")),
    one("e2", 7, text("e"), "other", 5),
]


def nobody(texts):
    """Finds no names in any text."""
    return [() for _ in texts]


def measured(articles, **options):
    return dedup.run(articles, "seed", Thresholds(), nobody, **options)


def test_figures_worked_by_hand():
    report = measured(HAND_MADE)
    found = report.together.same_text
    assert (found.pairs_gold, found.pairs_found, found.pairs_right) == (3, 3, 2)
    assert found.pairwise_precision == found.pairwise_recall == pytest.approx(2 / 3)
    # Of nine articles c1 and c2 miss half of their group, and e1 and e2 have half too much.
    assert found.b_cubed_precision == found.b_cubed_recall == pytest.approx(8 / 9)
    assert found == report.together.clusters
    assert (report.articles, report.texts, report.events) == (9, 3, 3)
    assert (report.false_joins, report.missed) == (1, 1)


def test_errors_are_told_with_their_reasons():
    false, missed = measured(HAND_MADE).errors
    assert (false.kind, false.a, false.b) == ("false join", "e1", "e2")
    assert false.relation == "same text"
    assert "fingerprint" in [why.layer for why in false.evidence]
    assert (missed.kind, missed.a, missed.b, missed.edit) == ("missed", "c1", "c2", "anew")
    assert missed.evidence == ()
    assert measured(HAND_MADE, worst=1).errors == (false,)


def test_each_layer_alone():
    layers = measured(HAND_MADE).layers
    found = {name: figures.same_text.pairs_found for name, figures in layers.items()}
    assert list(found) == [
        *("guid", "url", "title", "fingerprint", "entities"),
        *("simhash", "minhash", "sentences", "containment"),
    ]
    assert (found["guid"], found["url"], found["title"], found["entities"]) == (0, 0, 1, 0)
    assert found["fingerprint"] == found["containment"] == 3
    assert 1 <= found["simhash"] <= found["minhash"] <= 3


def test_recall_by_kind_of_edit():
    by_edit = measured(HAND_MADE).recall_by_edit
    assert list(by_edit) == ["anew", "foot"]
    assert by_edit["foot"].copies == 1
    assert by_edit["foot"].recall["together"] == by_edit["foot"].recall["containment"] == 1.0
    assert by_edit["foot"].recall["title"] == by_edit["anew"].recall["together"] == 0.0


def test_what_arrives_twice_is_merged():
    again = one("a1", 8, text("again"), hours=10, duplicate="a")  # the same id in the same house
    moved = replace(one("x", 8, text("moved"), hours=40, duplicate="a"), url=HAND_MADE[0].url)
    report = measured([HAND_MADE[0], again, moved])
    assert report.together.same_text.pairwise_f1 == 1.0
    assert report.layers["guid"].same_text.pairs_right == 1
    assert report.layers["url"].same_text.pairs_right >= 1
    assert report.layers["fingerprint"].same_text.pairs_found == 0


def test_events_hold_texts_and_stories():
    articles = [
        one("a1", 0, text("a"), duplicate="a", story="s"),
        one("a2", 1, text("a"), "other", duplicate="a"),
        one("b", 2, text("b"), "third", story="s"),
        one("c", 3, text("c")),
    ]
    report = measured(articles)
    assert report.together.same_text.pairwise_f1 == 1.0
    assert report.together.clusters.pairs_gold == 3  # a2 is of the story of the text it is
    assert report.together.clusters.pairwise_precision == 1.0
    assert report.together.clusters.pairwise_recall == pytest.approx(1 / 3)


def test_without_gold_of_texts_only_events_are_judged():
    articles = [replace(each, duplicate="", story=each.duplicate) for each in HAND_MADE]
    report = measured(articles)
    assert report.together.same_text is None
    assert all(figures.same_text is None for figures in report.layers.values())
    across = report.same_text_across_events
    assert (across.pairs, across.wrong, across.precision) == (3, 1, pytest.approx(2 / 3))
    assert report.together.clusters.pairwise_precision == pytest.approx(2 / 3)


def test_revisions_are_counted_apart():
    articles = [
        one("r1", "Council votes on the harbour bridge after all", text("r1"), duplicate="r"),
        one(
            "r2",
            "Council votes on the harbour bridge after all",
            text("r2"),
            hours=5,
            duplicate="r",
        ),
        one("p", 0, text("p"), duplicate="p"),
        one("q", 0, text("p"), "other", duplicate="p"),
    ]
    report = measured(articles)
    assert (report.revisions.pairs, report.revisions.same_text) == (1, 1)
    assert report.together.same_text.pairs_found == 1


@pytest.mark.parametrize("gold", [{}, {"duplicate": "x"}, {"story": "x"}])
def test_nothing_to_find_is_said(gold):
    articles = [one("a", 0, text("a"), **gold), one("b", 1, text("b"))]
    with pytest.raises(UserError, match="the same `duplicate` or `story`"):
        measured(articles)


def test_articles_without_a_source_or_a_date_are_nobody_s():
    articles = [replace(each, url="", source="", published=None) for each in HAND_MADE]
    assert measured(articles).together.same_text.pairs_right == 2
    feeds = {each.feed_id for each in corpus(articles).unsigned}
    assert len(feeds) == len(articles)


def test_the_order_of_the_file_changes_no_group():
    def names(articles):
        report = measured(articles)
        return report.together, report.missed

    backwards = HAND_MADE[::-1]
    assert names(HAND_MADE) == names(backwards)


def test_entities_are_looked_for_only_where_wanted():
    rows = []

    def recognise(texts):
        rows.extend(texts)
        return [(Entity("person", "jane doe"),) for _ in texts]

    grouped(corpus(HAND_MADE).unsigned, Thresholds(), recognise)
    assert len(rows) < len(HAND_MADE)


def test_components():
    assert components(6, [(4, 2), (0, 1), (2, 5)]) == [0, 0, 2, 3, 2, 2]
    assert components(3, [(0, 1), (1, 2)], lambda pair: pair != (1, 2)) == [0, 0, 2]


def test_datasketch_on_the_same_articles():
    pytest.importorskip("datasketch", reason="datasketch is the peer compared with")
    empty = one("none", 8, "", "other")
    report = measured(
        [*HAND_MADE, empty, replace(empty, id="none either")], peers=[PEERS["datasketch"]]
    )
    seed, best = report.peers["datasketch_seed"], report.peers["datasketch_best"]
    assert (seed.threshold, seed.fitted, best.fitted) == (0.7, False, True)
    assert seed.same_text.pairs_found <= best.same_text.pairs_found == 3
    assert best.same_text.pairwise_f1 == pytest.approx(2 / 3)
    assert best.same_text == agreement(
        [each.duplicate or each.id for each in HAND_MADE] + ["n", "m"],
        ["a", "a", "b", "b", "c1", "c2", "d", "e", "e", "n", "m"],
    )
