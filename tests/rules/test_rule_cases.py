"""What rules find and what they come to: cases with names, and laws over the tuples."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.folding import fold, index_text, index_words
from newsloom.rules.actions import ACTIONS, Needs
from newsloom.rules.conditions import CONDITIONS, asks
from newsloom.rules.decide import decide, ready, valid
from newsloom.rules.seen import Seen
from newsloom.rules.values import (
    Rule,
    RuleAction,
    RuleCondition,
    RuleFacts,
    RuleId,
    RuleMatch,
    RuleOutcome,
)
from newsloom.rules.words import phrases, searched
from newsloom.rules.written import LONGEST_FILE, exported, imported

NOW = datetime(2026, 11, 20, tzinfo=UTC)
FACTS = RuleFacts(
    article=ArticleId(1),
    title="Harbour pilots redraw the tide table",
    text="After thirty years. Said Ann O’Neil: it’s done.",
    author="Robin Lindqvist",
    feeds=(FeedId(7), FeedId(12)),
    categories=("World", "Sea"),
    language="en",
    source="news.meridian.example",
    links=(
        "https://www.shop.example/deals/2026/l%C3%ADnea?id=7#top",
        "https://shop.example/Angebote/für-alle/9",
    ),
    tags=("Promocja", "#Żagle", "Sport, local"),
    seen=NOW,
    dated=NOW,
)


def of(title: str, text: str = "", language: str = "en") -> RuleFacts:
    return replace(FACTS, title=title, text=text, language=language)


# kind, value, facts, whether it is so
CASES = {
    "a word of the title": ("title", "tide", FACTS, True),
    "a word of the title whatever its case": ("title", "TIDE", FACTS, True),
    "a part of a word is none": ("title", "arbour", FACTS, False),
    "a word of the text is none of the title": ("title", "thirty", FACTS, False),
    "a word of the text": ("words", "thirty", FACTS, True),
    "a phrase": ("words", "tide table", FACTS, True),
    "a phrase over a line's end": ("words", "tide table", of("x", "the tide\n  table"), True),
    "a phrase's words in another order": ("words", "table tide", FACTS, False),
    "one of several words": ("words", "quiz, tide, horoscope", FACTS, True),
    "none of several words": ("words", "quiz, horoscope", FACTS, False),
    "on lines": ("words", "quiz\ntide", FACTS, True),
    "with a fullwidth comma": ("words", "quiz，tide", FACTS, True),
    "a short word inside others": ("words", "AI", of("Said the chair again"), False),
    "a short word by itself": ("words", "AI", of("What AI said"), True),
    "a word before a hyphen": ("words", "AI", of("AI-made"), True),
    "a word before an apostrophe": ("words", "AI", of("AI's"), True),
    "a word before a digit": ("words", "AI", of("AI2"), False),
    "after an underline": ("words", "AI", of("_AI"), False),
    "signs at its end": ("words", "C++", of("Why C++ 26"), True),
    "a hash before it": ("words", "#ad", of("Soap #ad"), True),
    "a hash before another": ("words", "#ad", of("#adventure"), False),
    "a star behind": ("words", "elect*", of("Elections called"), True),
    "a star behind needs the beginning": ("words", "elect*", of("Reelection"), False),
    "a star before": ("words", "*minister", of("Der Bundesminister"), True),
    "stars around": ("words", "*wahl*", of("Bundestagswahlen"), True),
    "German without a star": ("words", "minister", of("Der Bundesminister", "", "de"), False),
    "German sharp s": ("words", "Straße", of("STRASSE GESPERRT", "", "de"), True),
    "German sharp s the other way": ("words", "STRASSE", of("Straße gesperrt", "", "de"), True),
    "German capitals": ("words", "ÄRZTE", of("Viele Ärzte", "", "de"), True),
    # As in searches since they share one folding; before, an umlaut was a letter of its own.
    "an umlaut left out": ("words", "uber", of("über", "", "de"), True),
    "an umlaut that is not there": ("words", "über", of("uber", "", "en"), True),
    "a straight apostrophe": ("words", "it's", FACTS, True),
    "a curly apostrophe": ("words", "it’s", of("it's"), True),
    "an acute for an apostrophe": ("words", "it's", of("it´s done"), True),
    "a fullwidth apostrophe": ("words", "it＇s", of("it’s done"), True),
    "straight quotation marks": ("words", 'the "new" word', of("The “new” word"), True),
    "a hyphen that does not break": ("words", "e-mail", of("E\u2011mail lists"), True),
    "a hyphen of Unicode": ("words", "e‐mail", of("e-mail lists"), True),
    "a dash for a hyphen": ("words", "e-mail", of("e–mail lists"), True),
    "a hyphen left out": ("words", "email", of("E-mail lists"), True),
    "a hyphen put in": ("words", "e-mail", of("email lists"), True),
    # As in searches, where the same phrase finds both spellings.
    "a hyphen left out of a phrase": ("words", "email lists", of("two e-mail lists"), True),
    "a hyphen put into a phrase": ("words", "two e-mail lists", of("two email lists"), True),
    "two hyphens left out": ("words", "cooperate online", of("they co-operate on-line"), True),
    "one of two hyphens left out": ("words", "cooperate on-line", of("co-operate on-line"), True),
    "a hyphen between a phrase's ends": ("words", "a wifi spot", of("a wi-fi spot"), True),
    "a phrase does not leave out words": ("words", "two lists", of("two e-mail lists"), False),
    "a part of a word with a hyphen": ("words", "mail", of("e-mail"), True),
    "not across words": ("words", "thetide", of("the tide"), False),
    "no hyphen is no space": ("words", "e-mail", of("the e mail"), False),
    "a letter with a stroke": ("words", "lodz", of("Łódź"), True),
    "a ligature": ("words", "oeuvre", of("L’œuvre complète"), True),
    "Danish": ("words", "kobenhavn", of("København"), True),
    "fullwidth figures": ("words", "2026", of("２０２６年"), True),
    "katakana for hiragana": ("words", "ラーメン", of("らーめんを食べる"), True),
    "Arabic with vowel marks": ("words", "كتاب", of("هذا كِتَابٌ جديد"), True),
    "Arabic kaf in Persian": ("words", "كتاب", of("این کتاب", "", "fa"), True),
    "Hebrew with points": ("words", "שלום", of("שָׁלוֹם עולם"), True),
    "a Russian yo": ("words", "ёлка", of("Елка"), True),
    "a Russian short i": ("words", "мои", of("мой дом"), False),
    "Vietnamese without marks": ("words", "duong", of("Đường phố"), True),
    "an umlaut in two parts": ("words", "Ärzte", of("Viele A\u0308rzte", "", "de"), True),
    "Turkish dotless": ("words", "Irak", of("IRAK", "", "tr"), True),
    "Turkish dotted": ("words", "istanbul", of("İSTANBUL", "", "tr"), True),
    "Turkish, typed in English": ("words", "Istanbul", of("İstanbul'da", "", "tr"), True),
    "Greek final sigma": ("words", "ΛΟΓΟΣ", of("ο λόγος λογος", "", "el"), True),
    "Cyrillic": ("words", "выборы", of("ВЫБОРЫ в Думу", "", "ru"), True),
    "Cyrillic part": ("words", "бор", of("выборы", "", "ru"), False),
    "Arabic": ("words", "حرب", of("بعد حرب طويلة", "", "ar"), True),
    "Devanagari": ("words", "भारत", of("भारत में", "", "hi"), True),
    "Devanagari part": ("words", "भारत", of("भारतीय", "", "hi"), False),
    "Japanese in a run": ("words", "選手権", of("全日本選手権大会", "", "ja"), True),
    "Japanese kana": ("words", "アップル", of("アップルが発表", "", "ja"), True),
    "Japanese halfwidth kana": ("words", "アップル", of("ｱｯﾌﾟﾙが発表", "", "ja"), True),
    "Japanese absent": ("words", "野球", of("全日本選手権大会", "", "ja"), False),
    "Latin beside Japanese": ("words", "AI", of("生成AI技術", "", "ja"), True),
    "fullwidth Latin": ("words", "AI", of("生成ＡＩ技術", "", "ja"), True),
    "Chinese": ("words", "选举", of("总统选举结果", "", "zh"), True),
    "Thai": ("words", "ข่าว", of("อ่านข่าววันนี้", "", "th"), True),
    "Korean with a particle": ("words", "삼성", of("삼성이 발표했다", "", "ko"), True),
    "Korean inside a word": ("words", "성", of("삼성", "", "ko"), False),
    "Korean after Latin": ("words", "전자", of("LG전자", "", "ko"), True),
    "invisible signs between letters": ("words", "casino", of("ca\u200bsi\u00adno"), True),
    "an emoji": ("words", "🎰", of("Win 🎰 now"), True),
    "an empty title and text": ("words", "tide", of(""), False),
    "an author's last name": ("author", "lindqvist", FACTS, True),
    "an author's part": ("author", "lind", FACTS, False),
    "no author": ("author", "lindqvist", replace(FACTS, author=""), False),
    "a feed": ("feed", "12", FACTS, True),
    "one of some feeds": ("feed", "3, 7", FACTS, True),
    "another feed": ("feed", "1", FACTS, False),
    "a category": ("category", "sea", FACTS, True),
    "another category": ("category", "Seaside", FACTS, False),
    "a language": ("language", "en", FACTS, True),
    "a language with a region": ("language", "EN-us", FACTS, True),
    "one of some languages": ("language", "de, en", FACTS, True),
    "another language": ("language", "de", FACTS, False),
    "no language": ("language", "und", replace(FACTS, language=""), True),
    "no language, of one that says": ("language", "und", FACTS, False),
    "a domain": ("domain", "meridian.example", FACTS, True),
    "a domain by an address": ("domain", "https://www.meridian.example", FACTS, True),
    "a domain that only ends alike": ("domain", "dian.example", FACTS, False),
    "a domain in capitals": ("domain", "MERIDIAN.example", FACTS, True),
    "a domain with a slash behind": ("domain", "https://meridian.example/", FACTS, True),
    "a path": ("path", "/deals", FACTS, True),
    "a path with a slash behind": ("path", "/deals/", FACTS, True),
    "a path of several segments": ("path", "/deals/2026", FACTS, True),
    "a path that only begins alike": ("path", "/deal", FACTS, False),
    "a path that goes on": ("path", "/deal*", FACTS, True),
    "a path in another place": ("path", "/2026", FACTS, False),
    "a segment anywhere": ("path", "2026", FACTS, True),
    "two segments anywhere": ("path", "2026/linea", FACTS, True),
    "a segment's part": ("path", "026", FACTS, False),
    "a path with percent signs": ("path", "/deals/2026/l%c3%ADnea", FACTS, True),
    "a path without accents": ("path", "/deals/2026/linea", FACTS, True),
    "the path of the page": ("path", "/angebote/fur-alle", FACTS, True),
    "one of some paths": ("path", "/sponsored, /deals", FACTS, True),
    "another path": ("path", "/sponsored", FACTS, False),
    "a path of a domain": ("path", "shop.example/deals", FACTS, True),
    "a path of an address": ("path", "https://www.shop.example/deals", FACTS, True),
    "a path of another domain": ("path", "op.example/deals", FACTS, False),
    "a path of a domain, from its beginning": ("path", "shop.example/2026", FACTS, False),
    "no link": ("path", "/deals", replace(FACTS, links=()), False),
    "a link by an expression": ("link-pattern", r"[?&]id=7\b", FACTS, True),
    "a link by another expression": ("link-pattern", r"[?&]id=8\b", FACTS, False),
    "a tag": ("tag", "promocja", FACTS, True),
    "a tag with a hash": ("tag", "#Promocja", FACTS, True),
    "a tag that has one": ("tag", "zagle", FACTS, True),
    "a part of a tag": ("tag", "Promo", FACTS, False),
    "a tag that goes on": ("tag", "promo*", FACTS, True),
    "a tag that ends so": ("tag", "*local", FACTS, True),
    "no tags": ("tag", "promo*", replace(FACTS, tags=()), False),
    "a category that goes on": ("category", "wor*", FACTS, True),
    "shorter": ("shorter", "100", FACTS, True),
    "not shorter": ("shorter", "10", FACTS, False),
    "longer": ("longer", "10", FACTS, True),
    "not longer": ("longer", "20 000", FACTS, False),
    "a pattern": ("pattern", r"CVE-\d{4}-\d+", of("x", "see cve-2026-12 now"), True),
    "a pattern of letters beyond ASCII": ("pattern", r"\p{Lu}rzte", of("Ärzte"), True),
    "a pattern of the title": ("title-pattern", r"^\[ad\]", of("[AD] Soap"), True),
    "a pattern at the beginning": ("title-pattern", r"^soap", of("[AD] Soap"), False),
    "a pattern of the text is none of the title": ("title-pattern", "thirty", FACTS, False),
}


@pytest.mark.parametrize(("kind", "value", "facts", "expected"), CASES.values(), ids=CASES)
def test_a_condition(kind: str, value: str, facts: RuleFacts, expected: bool) -> None:
    assert asks(RuleCondition(kind, value))(Seen(facts)) is expected
    assert asks(RuleCondition(kind, value, negated=True))(Seen(facts)) is not expected


# Refused, and words that say why.
REFUSED = {
    "no such kind": ("colour", "red", "is not a condition"),
    "no words": ("words", " , ,", "at least one word"),
    "a star alone": ("words", "*", "contains no word"),
    "a word without end": ("words", "x" * 201, "longer than 200"),
    "too many words": ("words", ",".join(map(str, range(301))), "300 words"),
    "too long": ("words", "word " * 1_001, "5,000 characters"),
    "an empty pattern": ("pattern", " ", "Enter a regular expression"),
    "a broken pattern": ("pattern", "(", "missing"),
    "a pattern that looks ahead": ("pattern", "a(?=b)", "look-ahead"),
    "a pattern that looks back at a group": (
        "pattern",
        r"(a)\1",
        "is not a valid regular expression",
    ),
    "a pattern that matches all": ("pattern", "x*", "matches every text"),
    "a pattern that grows": ("pattern", "((a{100}){100}){100}", "repetition"),
    "a pattern without end": ("pattern", "a" * 501, "500 characters"),
    "half a character": ("pattern", "\ud800", "is not a valid regular expression"),
    "no feed": ("feed", "the Post", "the id, name or URL"),
    "no category": ("category", "", "a category"),
    "no language": ("language", "Klingon!", "is not a language"),
    "no domain": ("domain", "localhost", "is not a domain"),
    "a domain with a path": ("domain", "shop.example/deals", "path=shop.example/deals"),
    "a domain's address with a path": ("domain", "https://shop.example/a/b", "path=shop.example"),
    "a domain with a query": ("domain", "shop.example?id=3", "more than a domain"),
    "a domain with a port": ("domain", "shop.example:8080", "more than a domain"),
    "a domain with a star": ("domain", "*.shop.example", "is not a domain"),
    "one of several domains": ("domain", "shop.example, a.example/b", "more than a domain"),
    "words for a domain": ("domain", "The Shop Inc.", "is not a domain"),
    "no path": ("path", "/", "is not a path"),
    "a path that is an address alone": (
        "path",
        "https://shop.example",
        "is not a path",
    ),
    "a path with a query": ("path", "/deals?id=3", "more than a path"),
    "a path with a port": ("path", "shop.example:8080/deals", "more than a path"),
    "a path with a star within": ("path", "/a*b/c", "is not a path"),
    "a path of no domain": ("path", "https://localhost/deals", "no domain before"),
    "a star for a tag": ("tag", "*", "Enter a name"),
    "a star within a tag": ("tag", "a*b", "Enter a name"),
    "a star within a category": ("category", "a*b", "Enter a name"),
    "no tag": ("tag", " ", "a tag"),
    "no length": ("shorter", "long", "number of characters"),
    "a length below one": ("longer", "-1", "number of characters"),
    "a length of other digits": ("longer", "٣", "number of characters"),
}


@pytest.mark.parametrize(("kind", "value", "words"), REFUSED.values(), ids=REFUSED)
def test_a_condition_that_cannot_be(kind: str, value: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        asks(RuleCondition(kind, value))


# Each takes a backtracking engine hours on such a text.
HOSTILE = (r"(a+)+$", r"(a|aa)+$", r"(.*a){20}b", r"(x+x+)+y", r"(?:a?){80}a{80}c", r"(\w+\s?)*!$")


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_pattern_takes_long(pattern: str) -> None:
    facts = of("t", "a" * 100_000 + "x" * 100_000)
    begun = time.process_time()
    asks(RuleCondition("pattern", pattern))(Seen(facts))
    assert time.process_time() - begun < 5


def rule(name: str, *actions: RuleAction, when: str = "tide", **more: object) -> Rule:
    number = RuleId(sum(map(ord, name)))
    made = Rule(name, RuleMatch.ALL, (RuleCondition("title", when),), actions, id=number)
    return replace(made, **more)


def act(kind: str, value: str = "") -> RuleAction:
    return RuleAction(kind, value)


def outcome(*rules: Rule, facts: RuleFacts = FACTS) -> RuleOutcome:
    return decide(ready(rules), facts)


MUTE = rule("mute", act("mute"))
# rules, what of the outcome, and what it is
OUTCOMES = {
    "none": ((), "did", ()),
    "one that is off": ((replace(MUTE, enabled=False),), "muted", False),
    "one that does not match": ((rule("a", act("mute"), when="quiz"),), "muted", False),
    "points add up": ((rule("a", act("boost", "30")), rule("b", act("lower", "10"))), "points", 20),
    "points end at 100": ((rule("a", act("boost", "90"), act("boost", "90")),), "points", 100),
    "points end at -100": ((rule("a", act("lower", "90"), act("lower", "90")),), "points", -100),
    "mute wins over raise": ((rule("a", act("raise")), MUTE), "raised", False),
    "mute wins over a later star": ((MUTE, rule("a", act("star"))), "starred", False),
    "mute wins over notify": ((rule("a", act("notify")), MUTE), "notify", False),
    "raise beside lower": ((rule("a", act("lower", "50"), act("raise")),), "raised", True),
    "read and told of": ((rule("a", act("read"), act("notify")),), "notify", True),
    "a last rule keeps from the mute": ((rule("a", act("star"), last=True), MUTE), "muted", False),
    "a last rule that does not match": (
        (rule("a", act("star"), when="quiz", last=True), MUTE), "muted", True,
    ),
    "tags of two rules": (
        (rule("a", act("tag", "Sea, b")), rule("b", act("tag", "sea, c"))),
        "tags", ("Sea", "b", "c"),
    ),
    "not told of what came before": (
        (rule("a", act("notify"), since=NOW + timedelta(seconds=1)),), "notify", False,
    ),
    "told of what comes after": ((rule("a", act("notify"), since=NOW),), "notify", True),
    "a kind nobody knows": ((rule("a", act("explode"), act("star")),), "starred", True),
}  # fmt: skip


@pytest.mark.parametrize(("rules", "name", "expected"), OUTCOMES.values(), ids=OUTCOMES)
def test_an_outcome(rules: tuple[Rule, ...], name: str, expected: object) -> None:
    assert getattr(outcome(*rules), name) == expected


def test_any_needs_one_and_all_needs_all() -> None:
    two = (RuleCondition("title", "tide"), RuleCondition("title", "quiz"))
    wanted = replace(MUTE, conditions=two)
    assert not outcome(wanted).muted
    assert outcome(replace(wanted, match=RuleMatch.ANY)).muted


def test_what_was_taken_back_from_the_muted_is_muted_by_no_rule() -> None:
    also = replace(MUTE, actions=(act("mute"), act("star")))
    found = outcome(also, facts=replace(FACTS, spared=True))
    assert (found.muted, found.starred) == (False, True)


def test_a_muted_article_says_which_rule_did_it_first() -> None:
    second = replace(MUTE, name="second", id=RuleId(2))
    found = outcome(rule("a", act("star")), MUTE, second)
    assert found.muted
    assert [one.name for one in found.did] == ["mute"]


def test_the_order_matters_to_nothing_but_what_is_last() -> None:
    four = (rule("a", act("boost", "7")), rule("b", act("star")), MUTE, rule("c", act("tag", "x")))
    for some in (four, four[:2]):
        found = [replace(outcome(*order), did=()) for order in permutations(some)]
        assert len(set(found)) == 1


@pytest.mark.parametrize("kind", CONDITIONS, ids=lambda one: one.name)
def test_every_kind_of_condition_takes_its_example(kind) -> None:
    value = "7" if kind.name == "feed" else kind.example
    asks(RuleCondition(kind.name, value))(Seen(FACTS))
    asks(RuleCondition(kind.name, value))(Seen(of("", "", "")))
    with pytest.raises(UserError, match=kind.label.replace("(", r"\(").replace(")", r"\)")):
        asks(RuleCondition(kind.name, ""))


USUAL = {Needs.NOTHING: "", Needs.POINTS: "5", Needs.NAMES: "a tag"}


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda one: one.name)
def test_every_kind_of_action_does_something_and_can_be_kept(kind) -> None:
    wanted = valid(rule("a", act(kind.name, USUAL[kind.needs])))
    assert replace(outcome(wanted), did=()) != RuleOutcome()
    assert [one.action for one in outcome(wanted).did] == [kind.name]
    assert imported(exported([wanted]))[0] == replace(wanted, id=RuleId(0))


INVALID = {
    "no name": (replace(MUTE, name=" \0 "), "needs a name"),
    "no condition": (replace(MUTE, conditions=()), "needs a condition"),
    "is not an action": (replace(MUTE, actions=()), "needs an action"),
    "too many conditions": (replace(MUTE, conditions=MUTE.conditions * 21), "20 conditions"),
    "too many actions": (replace(MUTE, actions=MUTE.actions * 9), "8 actions"),
    "points of none": (rule("a", act("boost", "0")), "from 1 to 100"),
    "points of too many": (rule("a", act("boost", "101")), "from 1 to 100"),
    "points in words": (rule("a", act("lower", "ten")), "from 1 to 100"),
    "a tag without a name": (rule("a", act("tag", " , ")), "needs a name"),
    "a tag with a quotation mark": (rule("a", act("tag", 'a"b')), "quotation mark"),
    "no such action": (rule("a", act("explode")), "is not an action"),
}


@pytest.mark.parametrize(("wanted", "words"), INVALID.values(), ids=INVALID)
def test_a_rule_that_cannot_be(wanted: Rule, words: str) -> None:
    with pytest.raises(UserError, match=words):
        valid(wanted)


FILES = {
    "nothing": ("", "is not JSON"),
    "no rules": ("{}", "starts with"),
    "another version": ('{"newsloom_rules": 2, "rules": []}', "starts with"),
    "a list": ("[]", "starts with"),
    "deep": ("[" * 100_000, "is not JSON"),
    "rules of no list": ('{"newsloom_rules": 1, "rules": {}}', "must be a list"),
    "too large": (" " * (LONGEST_FILE + 1), "at most"),
    "a rule of no object": ('{"newsloom_rules": 1, "rules": [3]}', "Rule 1: a rule must be"),
    "a name of no text": ('{"newsloom_rules": 1, "rules": [{"name": 3}]}', "Rule 1: \"name\""),
    "a match of neither": ('{"newsloom_rules": 1, "rules": [{"match": "x"}]}', "Rule 1: \"match\""),
    "a condition of no object": (
        '{"newsloom_rules": 1, "rules": [{"name": "a", "conditions": [1]}]}', "Rule 1: what stands",
    ),
    "a broken pattern": (
        '{"newsloom_rules": 1, "rules": [{"name": "a", "conditions": '
        '[{"kind": "pattern", "value": "("}], "actions": [{"kind": "mute"}]}]}', "Rule 1: Title or",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        imported(text)


@given(st.text(max_size=40), st.text(max_size=80))
def test_a_text_has_what_it_is(wanted: str, around: str) -> None:
    """Whatever is looked for is found where it stands between spaces, and nothing fails."""
    try:
        found = phrases(wanted.strip("*"))
    except (UserError, ValueError):
        return
    text = searched(f"{around} {wanted.strip('*')} {around}")
    for one in found:
        assert one.text not in text or one.within(text)


SPELLINGS = [
    "ß",
    "ss",
    "ﬁ",
    "fi",
    "Ł",
    "l",
    "œ",
    "oe",
    "ｶﾞ",
    "が",
    "ガ",
    "Ａ",
    "a",
    "e-x",
    "ex",
    "e‑x",
    "İ",
    "i",
    "ı",
    "É",
    "e",
    "é",
    "’",
    "'",
    "＇",
    "食",
    "한",
    "ไทย",
    "ё",
    "е",
]


@given(st.lists(st.sampled_from(SPELLINGS), max_size=12).map("".join), st.text(max_size=30))
def test_folding_twice_changes_nothing(spelled: str, text: str) -> None:
    """And no case matters."""
    for one in (spelled, text):
        folded = fold(one)
        assert fold(folded) == folded
        assert fold(one.casefold()) == folded or fold(one.upper()) == folded


@given(st.text(max_size=60), st.text(alphabet="aß-_ 'é食ガ한ไ้📰\u0301'", max_size=30))
def test_an_index_text_has_the_words_of_the_index(text: str, likely: str) -> None:
    """SQLite parts what it is given at what of ASCII is neither letter nor digit."""
    for one in (text, likely):
        words = re.findall(r"[a-z0-9\x80-\U0010ffff]+", index_text(one).lower())
        assert words == index_words(one)


@pytest.mark.parametrize("one", ["a", "a-", "ab-cd ", "1-2 ", "快", "快-b ", "a_-"])
def test_an_index_takes_long_texts_with_hyphens(one: str) -> None:
    """In time that goes with their length, not with its square."""
    text = f"x-y {one * 300_000}"
    assert index_words(text)[:2] == ["x", "y"]
    assert "xy" in index_text(text).split() if one != "a-" else index_text(text)
