"""Layer 4: which texts are one, by each of its signals, and which are not."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from dataclasses import replace
from itertools import combinations, islice

import pytest

from newsloom.duplicates import fingerprint
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import Thresholds
from signed import article, edited, prose, signed

SEED = Thresholds()
TEXT = prose(400)
WORDS = TEXT.split()
ADVERT = prose(60, seed=9)
REPORTS = [prose(200, seed=seed) for seed in range(20, 25)]


def shuffled(text):
    sentences = text.split(". ")
    random.Random(3).shuffle(sentences)
    return ". ".join(sentences)


CASES = {
    "itself": (TEXT, TEXT, True),
    "a word other": (TEXT, TEXT.replace(WORDS[200], "kalo", 1), True),
    "a tenth of the words other": (TEXT, edited(TEXT, 0.1), True),
    "a fifth of the words other": (TEXT, edited(TEXT, 0.2), True),
    "the first half": (TEXT, " ".join(WORDS[:200]), True),
    "the last half": (TEXT, " ".join(WORDS[200:]), True),
    "an advertisement before and behind": (TEXT, f"{ADVERT} {TEXT} {ADVERT}", True),
    "sentences in another order": (TEXT, shuffled(TEXT), True),
    "shouted": (TEXT, TEXT.upper(), True),
    "half of it edited": (TEXT, edited(" ".join(WORDS[:200]), 0.05), True),
    "another text": (TEXT, prose(400, seed=2), False),
    "half of the words other": (TEXT, edited(TEXT, 0.5), False),
    "the same words in another order": (TEXT, " ".join(sorted(WORDS)), False),
    "a teaser of one sentence": (TEXT, " ".join(WORDS[:20]), False),
    "one report of a roundup of five": (REPORTS[2], " ".join(REPORTS), False),
    "the same advertisement under two texts": (f"{TEXT} {ADVERT}", f"{REPORTS[0]} {ADVERT}", False),
    "short and the same": ("Fire in the old harbour.", "fire in the old harbour", True),
    "short and nearly": ("Fire in the old harbour.", "Fire in the old airport.", False),
    "short, in a long one": (" ".join(WORDS[:12]), TEXT, False),
    "nothing": ("", "", False),
    "nothing and something": ("", TEXT, False),
    "too few words": ("Read more here", "Read more here", False),
}


@pytest.mark.parametrize(("one", "other", "same"), CASES.values(), ids=CASES.keys())
def test_texts(one, other, same):
    a, b = sign([article(one), article(other)])
    assert (fingerprint.compare(a, b, SEED) is not None) == same


def test_the_title_makes_no_difference():
    a, b = signed(TEXT, "Fire in the old harbour"), signed(TEXT, "Ten things to know today")
    assert fingerprint.compare(a, b, SEED).score == 1


def test_evidence_says_all_four_numbers():
    a, b = signed(TEXT), signed(edited(TEXT, 0.03))
    detail = fingerprint.compare(a, b, SEED).detail
    for words in ("% of the shorter text's pairs of words", "% of all", "of 3 first sentences"):
        assert words in detail
    assert "SimHash differs in" in detail


NEVER = Thresholds(
    simhash_distance=-1, minhash_jaccard=2.0, containment=2.0, shared_sentences=1_000
)
SIGNALS = {
    "SimHash": {"simhash_distance": 3},
    "MinHash": {"minhash_jaccard": 0.7},
    "containment": {"containment": 0.5},
    "sentences": {"shared_sentences": 2},
}


@pytest.mark.parametrize("limit", SIGNALS.values(), ids=SIGNALS.keys())
def test_each_signal_is_evidence_by_itself(limit):
    one = signed(TEXT)
    assert fingerprint.compare(one, one, NEVER) is None
    assert fingerprint.compare(one, one, replace(NEVER, **limit)).score == 1
    other = signed(prose(400, seed=2) + " " + " ".join(WORDS[:30]))
    assert fingerprint.compare(one, other, replace(NEVER, **limit)) is None


def test_two_of_three_sentences_are_enough_and_one_is_not():
    leads = [
        prose(400, seed).split(". ")[0] + " and some words that make it long" for seed in "123"
    ]
    one = signed(f"{'. '.join(leads)}. {prose(15)}")
    two = signed(f"{leads[1]}. {leads[0]}. {prose(15, seed=2)}")
    limits = replace(NEVER, shared_sentences=2)
    assert fingerprint.compare(one, two, limits).score == pytest.approx(2 / 3)
    other = signed(f"{leads[0]}. {prose(5, seed=2)}")
    assert fingerprint.compare(one, other, limits) is None


def test_a_standing_introduction_is_not_the_text():
    lead = " ".join(prose(400, seed=8).split(". ")[0] + f" number {n} of ten words." for n in "123")
    one, two = signed(f"{lead} {prose(300)}"), signed(f"{lead} {prose(300, seed=2)}")
    assert len(set(one.sentences) & set(two.sentences)) == 3
    assert fingerprint.compare(one, two, SEED) is None


def test_half_a_text_must_be_wholly_in_the_other():
    """Near in length half is enough; at half the length two thirds, below two fifths nothing."""
    part = signed(edited(" ".join(WORDS[:200]), 0.3))
    assert fingerprint.compare(signed(TEXT), part, SEED) is None
    assert fingerprint.compare(signed(TEXT), signed(edited(TEXT, 0.25)), SEED) is not None
    third = " ".join(WORDS[100:233])
    assert fingerprint.compare(signed(TEXT), signed(third), SEED) is None


def test_real_texts_edited_are_found_and_reports_of_one_event_kept_apart(shared):
    """The figures of docs/work/decisions/duplicates.md, on a part of the data."""
    stories = shared / "data" / "stories"
    with (stories / "fulltext_background.jsonl").open() as lines:
        texts = [json.loads(line)["text"][:2_000] for line in islice(lines, 400)]
    originals = sign([article(text) for text in texts])
    for rate, least in ((0.1, 0.99), (0.2, 0.93)):
        copies = sign([article(edited(text, rate, seed)) for seed, text in enumerate(texts)])
        pairs = zip(originals, copies, strict=True)
        found = sum(fingerprint.compare(a, b, SEED) is not None for a, b in pairs)
        assert found >= least * len(texts), (rate, found)
    events = defaultdict(list)
    with (stories / "allsides_fulltext.jsonl").open() as lines:
        rows = [json.loads(line) for line in lines][:1_200]
    for row, signature in zip(rows, sign([article(row["text"]) for row in rows]), strict=True):
        events[row["story"]].append(signature)
    pairs = [pair for some in events.values() for pair in combinations(some, 2)]
    wrong = sum(fingerprint.compare(a, b, SEED) is not None for a, b in pairs)
    assert len(pairs) > 300
    assert wrong <= 0.012 * len(pairs), wrong
