"""Layer 3: which headlines are alike, and how few others share a key with one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from newsloom.duplicates import title
from newsloom.duplicates.values import Thresholds
from newsloom.kernel.text.headlines import headline
from signed import signed, vocabulary

SEED = Thresholds()
TEN = "Minister resigns over leaked letter about harbour fire in old town"
CASES = {
    "the same": (TEN, TEN, 1.0),
    "another case, other signs": (TEN, TEN.upper().replace(" ", ", ", 2) + "!", 1.0),
    "breaking": (TEN, f"Breaking: {TEN}", 1.0),
    "a publisher behind it": (TEN, f"{TEN} - BBC News", 1.0),
    "another order": (TEN, " ".join(reversed(TEN.split())), 1.0),
    "one word more of eleven": (TEN, f"{TEN} today", 11 / 12),
    "two words less of eleven": (TEN, " ".join(TEN.split()[2:]), None),
    "a word written otherwise": (
        "Minister resigns over leaked letters on harbour",
        "Minister resigns over leaked letter on harbour",
        46 / 47,
    ),
    "two words written otherwise": (
        "Ministers resigns over leaked letters about the harbour fires",
        "Minister resigns over leaked letter about the harbour fire",
        None,
    ),
    "a number in a long one": (
        "What we know on day 812 of the invasion",
        "What we know on day 813 of the invasion",
        None,
    ),
    "a number in a short one": ("Episode 12", "Episode 13", None),
    "four words, one other": ("Harbour burns again today", "Harbour burns again tonight", None),
    "four words, the same": ("Harbour burns again today", "Again today: harbour burns", 1.0),
    "five words, one other": ("Old harbour burns again today", "Old harbour burns again now", None),
    "Chinese": ("港口昨晚发生一场大火三人受伤", "港口昨晚发生一场大火三人受伤！", 1.0),
    "Chinese, one sign other": (
        "上海港口昨天晚上发生一场大火已有三十人受伤送医警方正在调查起火原因",
        "上海港口昨天晚上发生一场大火已有四十人受伤送医警方正在调查起火原因",
        32 / 33,
    ),
    "Chinese, other news": ("港口昨晚发生一场大火三人受伤", "港口昨晚举行一场音乐会三人获奖", None),
    "nothing": ("", "", None),
    "only signs": ("???", "!!!", None),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other", "score"), CASES.values(), ids=CASES.keys())
def test_titles(one, other, score):
    found = title.compare(signed(title=one), signed(title=other), SEED)
    assert (found and found.score) == (None if score is None else pytest.approx(score))


def test_evidence_says_what_was_common():
    found = title.compare(signed(title=TEN), signed(title=f"{TEN} today"), SEED)
    assert found.detail == "92% of the titles' words, 92% of the letters"


def test_a_lower_threshold_takes_in_more_of_what_shares_a_key():
    begun = "fire in the old harbour of town"
    one = signed(title=f"{begun} lorent")
    others = [signed(title=f"{begun} {word}") for word in vocabulary(30)]
    meeting = [bool(title.keys(one) & title.keys(other)) for other in others]
    low = Thresholds(title_jaccard=0.5, title_levenshtein=1.0)
    assert any(meeting)
    assert [title.compare(one, other, low) is not None for other in others] == meeting
    usual = Thresholds(title_levenshtein=1.0)
    assert not any(title.compare(one, other, usual) for other in others)


def test_endless_titles_have_few_keys():
    long = " ".join(f"word{n}" for n in range(900))
    assert len(title.keys(signed(title=long))) < 80


def test_a_key_leads_to_few_others(shared):
    """Different headlines that meet are nearly all alike: a key is never one common word."""
    file = shared / "data" / "relevance" / "huffpost_categories.jsonl"
    with file.open() as lines:
        titles = {headline(json.loads(line)["title"]) for line in lines} - {""}
    titles = sorted(titles)[:5_000]
    nothing = signed()
    counts = Counter(key for one in titles for key in title.keys(replace(nothing, title=one)))
    assert len(titles) == 5_000
    assert max(counts.values()) <= 5
    meetings = sum(count * (count - 1) for count in counts.values()) / len(titles)
    assert meetings < 0.05
    assert sum(counts.values()) / len(titles) < 6
