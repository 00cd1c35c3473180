"""Edited copies: each kind changes what it says and no more, and the gold holds together."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from random import Random

import pytest
from rapidfuzz.distance import Levenshtein

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import article
from newsloom_lab.evaluate.edited import ALONE, KINDS, LATEST, with_copies

SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def words(count, seed):
    """Words that were never in a newspaper, with sentences and paragraphs."""
    draw = Random(seed)
    made = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(count)]
    for place in range(9, count, 10):
        made[place] += ".\n\n" if place % 30 == 9 else "."
    return " ".join(made)


def lines(count=40, length=200, **fields):
    return [
        (
            f"line {number}",
            {
                "id": f"a{number}",
                "title": words(6, f"t{number}"),
                "text": words(length, number),
                "url": f"https://home.example/{number}",
                "source": "home.example",
                "published": "2026-01-31T09:30:00Z",
                "story": f"s{number}",
                **fields,
            },
        )
        for number in range(count)
    ]


def pairs(kind="", **options):
    """Each original with a copy of it."""
    made = list(with_copies(lines(), kinds=[kind] if kind else (), **options))
    originals = {one["id"]: one for one in made if "edit" not in one}
    return [(originals[one["duplicate"]], one) for one in made if "edit" in one]


EDITED = {name: int(name.rpartition("-")[2]) / 100 for name, _ in KINDS if name[-1].isdigit()}


@pytest.mark.parametrize("kind", EDITED)
def test_so_many_words_are_edited_as_it_says(kind):
    edits = total = 0
    for original, copy in pairs(kind):
        before, after = original["text"].split(), copy["text"].split()
        distance = Levenshtein.distance(before, after)
        assert 1 <= distance <= max(1, round(EDITED[kind] * len(before)))
        edits, total = edits + distance, total + len(before)
        assert copy["title"] == original["title"]
    # An edit beside an edit can be told in fewer: a word put in where the next one was deleted.
    assert edits / total == pytest.approx(EDITED[kind], rel=0.15)


def test_two_halves_are_the_whole():
    for (original, first), (_, second) in zip(
        pairs("first-half"), pairs("second-half"), strict=True
    ):
        assert first["text"].split() + second["text"].split() == original["text"].split()
        assert abs(len(first["text"].split()) - len(second["text"].split())) <= 1


def test_a_page_stands_around_the_text():
    for original, copy in pairs("boilerplate"):
        assert not Counter(original["text"].split()) - Counter(copy["text"].split())
        assert not copy["text"].startswith(original["text"][:50])


def test_another_headline_over_the_same_text():
    for original, copy in pairs("retitled"):
        assert copy["text"] == original["text"]
        assert copy["title"]
        assert copy["title"] != original["title"]


def test_the_same_paragraphs_in_another_order():
    for original, copy in pairs("reordered"):
        assert Counter(copy["text"].split()) == Counter(original["text"].split())
        assert copy["text"].split() != original["text"].split()


def test_the_surface_changes_no_letter():
    def letters(text):
        return [one for one in text.casefold() if one.isalnum()]

    (_, quoted), *_ = lines(1)
    quoted = {**quoted, "text": f'{quoted["text"]} "It\'s here," he said - "so there".'}
    made = [*with_copies([("", quoted)] * 3, kinds=["surface"])]
    copies = [one for one in made if "edit" in one]
    assert copies
    for copy in copies:
        assert letters(copy["text"]) == letters(quoted["text"])
        assert "“" in copy["text"]
        assert '"' not in copy["text"]
        assert "’" in copy["text"]


def test_wire_copy_names_its_agency():
    for original, copy in pairs("wire"):
        assert original["text"] in copy["text"]
        assert any(name in copy["text"].split(") - ")[0] for name in ("(Reuters", "(AP", "(AFP"))


def test_gold_holds_together():
    made = list(with_copies(lines(count=200), copies=2))
    ids = [one["id"] for one in made]
    originals = {one["id"]: one for one in made if "edit" not in one}
    copies = [one for one in made if "edit" in one]
    assert len(set(ids)) == len(ids)
    assert [one for one in ids if one in originals] == [f"a{number}" for number in range(200)]
    for copy in copies:
        original = originals[copy["duplicate"]]
        assert original["duplicate"] == original["id"]
        assert copy["story"] == original["story"]
        assert copy["url"] != original["url"]
        assert copy["source"] != original["source"]
        later = datetime.fromisoformat(copy["published"]) - datetime.fromisoformat(
            original["published"]
        )
        assert timedelta(0) < later < LATEST
        assert article(copy, "a line").edit == copy["edit"]
    alone = [one for one in originals.values() if "duplicate" not in one]
    assert len(alone) == 200 // ALONE
    assert len(copies) == 2 * (200 - len(alone))
    counts = Counter(one["edit"] for one in copies)
    assert counts.keys() == {name for name, _ in KINDS}
    assert max(counts.values()) - min(counts.values()) <= 1
    json.dumps(made)


def test_a_group_that_is_known_is_kept():
    made = list(with_copies(lines(duplicate="g")))
    assert {one["duplicate"] for one in made} == {"g"}


def test_the_same_seed_makes_the_same_copies():
    assert pairs(seed=3) == pairs(seed=3)
    assert pairs(seed=3) != pairs(seed=4)


@pytest.mark.parametrize("body", ["", "A few words only.", " \n "])
def test_too_little_text_is_copied_nowhere(body):
    made = list(with_copies(lines(text=body)))
    assert len(made) == 40
    assert not [one for one in made if "edit" in one or "duplicate" in one]


def test_hostile_texts_are_edited_in_bounds():
    for text in ("x" * 100_000, "🎉 " * 40, "word " * 40, "a\ud800 " * 30, "字" * 400 + " b" * 20):
        for kind, _ in KINDS:
            for one in with_copies(lines(count=3, text=text), kinds=[kind]):
                assert len(one["text"]) < 2 * len(text) + 3_000


def test_an_unknown_kind_is_an_error_that_names_the_known():
    with pytest.raises(UserError, match=r"no edit 'words-99'; there are words-1"):
        list(with_copies(lines(1), kinds=["words-99"]))


def test_a_text_without_spaces_is_edited_in_pieces_of_its_own_language():
    made = "".join(chr(0x4E00 + number) for number in Random(1).sample(range(5_000), 200))
    japanese = lines(1, text=made, language="ja") * 2
    both = [*japanese, *lines(4)]
    copies = [one for one in with_copies(both, kinds=["words-10"]) if one.get("language") == "ja"]
    for one in (one for one in copies if "edit" in one):
        assert 1 <= Levenshtein.distance(one["text"], made) <= 2 * 10
        assert one["text"].isalpha()
        assert not one["text"].isascii()
    assert any("edit" in one for one in copies)
