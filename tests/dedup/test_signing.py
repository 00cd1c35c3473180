"""Signatures: the same for an article with whatever it is signed; any text is borne."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.duplicates import minhash
from newsloom.duplicates.packed import SLOTS, pack, unpack
from newsloom.duplicates.signing import LONGEST, SAMPLE, sign
from newsloom.kernel.errors import StoreError
from signed import article, articles, edited, prose, signed


@settings(max_examples=25)
@given(st.lists(articles, max_size=4), st.randoms(use_true_random=False))
def test_a_signature_depends_on_its_article_alone(some, chance):
    alone = [sign([one])[0] for one in some]
    assert sign(some) == alone
    order = list(range(len(some)))
    chance.shuffle(order)
    assert sign([some[place] for place in order]) == [alone[place] for place in order]


def test_many_are_signed_as_one_by_one():
    some = [article(prose(40 + 3 * n, seed=n), f"Title {n}", number=n + 1) for n in range(90)]
    some[70] = replace(some[70], text="long " * 30_000)
    assert sign(some) == [signature for one in some for signature in sign([one])]


SAME_EVERYWHERE = (prose(200), "Fire in the harbour: 12 dead, says Angela Merkel")


def test_signatures_are_the_same_in_every_process():
    code = (
        "import hashlib; from newsloom.duplicates.packed import pack; from signed import signed\n"
        f"print(hashlib.sha256(pack(signed(*{SAME_EVERYWHERE!r}))).hexdigest())"
    )
    paths = os.pathsep.join((str(Path(__file__).parents[1]), *filter(None, sys.path)))
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert other.strip() == hashlib.sha256(pack(signed(*SAME_EVERYWHERE))).hexdigest()


SAME = {
    "case": ("Der Brand im Hafen ist gelöscht", "DER BRAND IM HAFEN IST GELÖSCHT"),
    "signs": ("The fire, in the “harbour”, is out!", "the fire (in the 'harbour') is out"),
    "white space": ("the fire in the harbour", "the\tfire\n in\u00a0the  harbour "),
    "accents in two pieces": ("un café près du port", "un cafe\u0301 pre\u0300s du port"),
    "accents left out": ("un café près du port", "un cafe pres du port"),
    "wide letters": ("ABC 123 kilo news of", "ＡＢＣ １２３ ｋｉｌｏ ｎｅｗｓ ｏｆ"),
    "soft hyphens": ("the fire in the harbour", "the fi\u00adre in the har\u00adbour"),
    "zero width": ("the fire in the harbour", "the fi\u200bre in the har\u200dbour\ufeff"),
    "NULs": ("the fire in the harbour", "the\x00fire in\x00the harbour"),
    "emoji": ("the fire in the harbour", "the 🔥 fire in the harbour 🎉🎉"),
    "signs between ideographs": ("港口发生大火", "港口，发生「大火」。"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME.keys())
def test_what_makes_no_difference(one, other):
    a, b = signed(one), signed(other)
    if "ideographs" not in one and not one.isascii() and "港" in one:
        assert a.words == b.words
    else:
        assert (a.minhash, a.sample, a.words) == (b.minhash, b.sample, b.words)
    assert a.words > 0


DIFFERENT = {
    "another word": ("the fire in the harbour", "the fire in the airport"),
    "another order": ("the fire in the harbour", "the harbour in the fire"),
    "another figure": ("the 12 dead in the harbour", "the 13 dead in the harbour"),
    "words run together": ("the fire in the harbour", "the fireinthe har bour"),
    "another ideograph": ("港口发生大火", "港口发生小火"),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_what_makes_a_difference(one, other):
    assert signed(one).minhash != signed(other).minhash


WORDS = {
    "Latin": ("Three plain words", 3),
    "contractions": ("don't e.g. U.S.", 6),
    "numbers": ("1,200 people, 3.5 miles", 6),
    "combining marks of India": ("हिन्दी में समाचार", 3),
    "Arabic with its vowels": ("اَلْعَرَبِيَّةُ لغة", 2),
    "Korean": ("항구에서 큰 불", 3),
    "Chinese, each character": ("港口发生大火", 6),
    "Japanese, each character": ("港で火災がおきた", 8),
    "Thai, each letter": ("ไฟไหม้", 6),
    "rare ideographs": ("𠀀𠀁", 2),
    "mixed": ("GDP增长3%", 4),
    "emoji only": ("🎉🔥❤️👍", 0),
    "underscores": ("snake_case", 2),
    "nothing": ("", 0),
}


@pytest.mark.parametrize(("text", "words"), WORDS.values(), ids=WORDS.keys())
def test_words(text, words):
    assert signed(text).words == words


HOSTILE = {
    "empty": "",
    "one word": "harbour",
    "two words": "the harbour",
    "three words": "in the harbour",
    "emoji": "🎉" * 5_000,
    "NULs": "\x00" * 5_000,
    "lone surrogates": "\ud800 \udfff" * 500,
    "surrogates in words": "the \ud800fire in\udfff the harbour",
    "one word of 5 MB": "a" * 5_000_000,
    "5 MB": "fire in the harbour of old " * 200_000,
    "one word again and again": "fire " * 100_000,
    "marks alone": "\u0301" * 10_000,
    "joiners alone": "\u200d" * 10_000,
    "full stops": "." * 100_000,
    "sentences of one letter": "a. " * 30_000,
    "mixed scripts": "fire 港口 пожар ไฟไหม้ حريق हिन्दी 불 " * 200,
    "noncharacters": "\uffff\ufffe\U0010ffff fire in the harbour",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_is_signed(text):
    one = signed(text, title=text)
    assert unpack(pack(one)) == one
    assert one == sign([article("other words stand here"), article(text, title=text)])[1]
    assert len(pack(one)) < 20_000
    assert bool(one.minhash) == bool(one.sample) == bool(one.shingles)


def test_texts_without_four_words_are_nothing_to_compare():
    assert [bool(signed(text).sample) for text in ("a b c", "a b c d")] == [False, True]


def test_only_the_beginning_of_an_endless_text_is_read():
    begun = prose(20_000)[: LONGEST - 100] + " "
    one, other = signed(begun + "x" * 200 + " one end"), signed(begun + "x" * 200 + " another end")
    assert one == other


def test_the_estimates_come_near_the_truth():
    """Over many pairs of every likeness, short texts (most slots borrowed) and long ones."""
    for words in (40, 300):
        texts = [prose(words, seed=seed) for seed in range(60)]
        others = [edited(text, seed / 120, seed=seed) for seed, text in enumerate(texts)]
        rows = [one.minhash for one in sign([article(text) for text in (*texts, *others)])]
        errors = [
            minhash.jaccard(rows[place], rows[60 + place]) - _jaccard(text, other)
            for place, (text, other) in enumerate(zip(texts, others, strict=True))
        ]
        mean = sum(errors) / len(errors)
        spread = (sum(error**2 for error in errors) / len(errors)) ** 0.5
        assert abs(mean) < 0.02
        assert spread < (0.075 if words < 100 else 0.05)


def _jaccard(one, other):
    mine, theirs = _pairs(one), _pairs(other)
    return len(mine & theirs) / len(mine | theirs)


def _pairs(text):
    words = text.lower().replace(".", "").split()
    return set(pairwise(words))


def test_containment_follows_from_jaccard_and_the_sizes():
    # 100 of 100 are among 200; 50 of 100 and 100.
    assert minhash.containment(100 / 200, 100, 200) == pytest.approx(1.0)
    assert minhash.containment(50 / 150, 100, 100) == pytest.approx(0.5)
    assert minhash.containment(0.9, 10, 1_000) == 1.0
    assert minhash.containment(0.0, 10, 10) == 0.0


def test_simhash_is_the_majority_of_each_bit():
    text = prose(500)
    one = signed(text)
    near = signed(text + " One word more of it.")
    assert minhash.distance(one.simhash, near.simhash) <= 8
    assert minhash.distance(one.simhash, signed(prose(500, seed=2)).simhash) > 12
    assert minhash.distance(-1, 0) == 64


def test_the_sample_is_the_least_of_all():
    assert len(signed(prose(300)).sample) == SAMPLE
    one = signed(prose(300)).sample
    assert list(one) == sorted(one)
    assert len(signed("in the old harbour").sample) == 1


def test_a_short_text_fills_every_slot():
    found = signed("fire in the harbour").minhash
    assert len(found) == 2 * SLOTS
    assert len({found[place : place + 2] for place in range(0, 2 * SLOTS, 2)}) == 3


LONG = "The minister said on Monday that the harbour would be closed for a week"
SENTENCES = {
    "three long ones": (f"{LONG}. {LONG} or two. {LONG} or three. {LONG} or four.", 3),
    "short ones do not count": (f"It burns. {LONG}. He left.", 1),
    "an abbreviation": (f"The U.S. minister Mr. J. K. Smith, said Dr. Lee, came. {LONG}.", 2),
    "a figure": (f"It rose by 3.5 points to a height of 1.2 metres in one day. {LONG}.", 2),
    "quotes": (f"“{LONG}.” “{LONG} or two!” he said.", 2),
    "lines": (f"{LONG}\n{LONG} or two\n{LONG} or three", 3),
    "Chinese": ("港口昨天晚上发生了一场大火。" * 1 + "消防队员今天早上控制了火势。没有人受伤。", 2),
    "the same twice": (f"{LONG}. {LONG}. {LONG} or two.", 2),
    "none": ("No. Not one. Too short.", 0),
}


@pytest.mark.parametrize(("text", "count"), SENTENCES.values(), ids=SENTENCES.keys())
def test_sentences(text, count):
    assert len(signed(text).sentences) == count


def test_sentences_are_their_words_wherever_they_stand():
    one = signed(f"{LONG}. {LONG} or two.")
    other = signed(f"Short. {LONG.upper()} or two! {LONG},")
    assert set(one.sentences) == set(other.sentences)


def test_figures_are_the_numbers_of_title_and_lead():
    a = signed("At 5 pm 12 people came.", title="Magnitude 4.5 quake")
    assert len(a.figures) == 3, "4 and 5, 5 again, 12"
    assert signed("At five many came.", title="A quake").figures == ()
    far = "word " * 200 + "99"
    assert signed(far).figures == ()
    assert a.figures == signed("12 people came at 5.", title="Quake: magnitude 4.5").figures


def test_names_and_the_agency_come_along():
    one = signed("Angela Merkel met Emmanuel Macron in Paris.", author="Reuters")
    assert len(one.names) >= 2
    assert one.agency == "Reuters"
    other = signed("In Paris Emmanuel Macron met Angela Merkel.")
    assert set(one.names) & set(other.names)


def test_the_title_is_the_headline():
    assert signed(title="Breaking: Fire in the harbour - BBC News").title == "fire in the harbour"
    own = signed(title="Fire in the harbour | Lighthouse", source="lighthouse.example")
    assert own.title == "fire in the harbour"


PACKED = pack(signed(prose(50), title="harbour"))
DAMAGED = {
    "nothing": b"",
    "text": b"no signature at all, but long enough to hold one's head, and a little more of it",
    "zeros": bytes(300),
    "ones": b"\xff" * 300,
    "another format": b"\x09" + PACKED[1:],
    "cut": PACKED[:-1],
    "longer": PACKED + b"x",
    "no UTF-8": PACKED[:-1] + b"\xff",
    "entities of another kind": pack(replace(signed(prose(50)), entities=frozenset("a")))[:-5]
    + b"[[]] ",
}


@pytest.mark.parametrize("packed", DAMAGED.values(), ids=DAMAGED.keys())
def test_what_was_never_packed_is_refused(packed):
    with pytest.raises(StoreError, match="damaged"):
        unpack(packed)


@settings(max_examples=40)
@given(articles, st.one_of(st.none(), st.frozensets(st.text(max_size=8))))
def test_packing_loses_nothing(one, entities):
    signature = replace(sign([one])[0], entities=entities)
    assert unpack(pack(signature)) == signature


@settings(max_examples=100)
@given(st.binary(max_size=200), st.integers(0, 600))
def test_any_bytes_are_read_or_refused(noise, place):
    for one in (noise, PACKED[:place] + noise + PACKED[place + len(noise) :]):
        with suppress(StoreError):
            unpack(one)
