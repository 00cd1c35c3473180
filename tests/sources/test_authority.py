"""Who is believed how far: the order of what says so, bands, bounds, and those who would cheat."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffixlist import PublicSuffixList

from newsloom.importance.sources import authority, explained, known_tier, owner_of, source_of
from newsloom.importance.sources.bands import BANDS, DEFAULT, DEFAULT_TIER, middle, tier_of
from newsloom.importance.sources.rules import GOVERNMENTS, RULES, UNIVERSITIES, rule_of
from newsloom.importance.sources.table import parsed, rows
from newsloom.importance.values import SourceFacts, TierOrigin

RATES = st.floats(0, 1)
FACTS = st.builds(
    SourceFacts,
    articles=st.integers(0, 100_000),
    days=st.floats(0, 10_000),
    authored=RATES,
    revised=RATES,
    corrected=RATES,
    corroborated=RATES,
    followed=RATES,
    trackers=RATES,
    reliability=RATES,
)
UNKNOWN = "nobody-knows.example"
DOMAINS = st.sampled_from([UNKNOWN, "reuters.com", "bbc.co.uk", "ann.substack.com", "x.gov.uk"])
# Everything that a publisher can do alone, for years.
BOUGHT = SourceFacts(articles=1_000, days=5_000, authored=1.0, reliability=1.0)


@pytest.mark.parametrize(
    ("host", "tier", "origin"),
    [
        pytest.param("www.reuters.com", 1, TierOrigin.TABLE, id="the table, below www"),
        pytest.param("feeds.bbc.co.uk", 2, TierOrigin.TABLE, id="the table, a name below"),
        pytest.param("https://www.nytimes.com/a", 2, TierOrigin.TABLE, id="a web address"),
        pytest.param("NYTimes.com.", 2, TierOrigin.TABLE, id="in capitals, with its last dot"),
        pytest.param("data.unheard-of.gov", 1, TierOrigin.RULE, id="a government of the .gov"),
        pytest.param("dept.unheard-of.gov.uk", 1, TierOrigin.RULE, id="a national government"),
        pytest.param("unheard-of.gouv.fr", 1, TierOrigin.RULE, id="gouv.fr"),
        pytest.param("unheard-of.gob.mx", 1, TierOrigin.RULE, id="gob.mx"),
        pytest.param("unheard-of.go.jp", 1, TierOrigin.RULE, id="go.jp"),
        pytest.param("unheard-of.govt.nz", 1, TierOrigin.RULE, id="govt.nz"),
        pytest.param("unheard-of.admin.ch", 1, TierOrigin.RULE, id="admin.ch"),
        pytest.param("unheard-of.europa.eu", 1, TierOrigin.RULE, id="europa.eu"),
        pytest.param("unheard-of.mil", 1, TierOrigin.RULE, id="armed forces"),
        pytest.param("unheard-of.int", 1, TierOrigin.RULE, id="by treaty"),
        pytest.param("datatracker.ietf.org", 1, TierOrigin.TABLE, id="a standards body"),
        pytest.param("unheard-of.edu", 2, TierOrigin.RULE, id="a university"),
        pytest.param("unheard-of.ac.uk", 2, TierOrigin.RULE, id="ac.uk"),
        pytest.param("unheard-of.edu.au", 2, TierOrigin.RULE, id="edu.au"),
        pytest.param("www.uni-bonn.de", 2, TierOrigin.RULE, id="a university by its name"),
        pytest.param("unheard-of.substack.com", 4, TierOrigin.RULE, id="a newsletter"),
        pytest.param("unheard-of.github.io", 4, TierOrigin.RULE, id="a developer's pages"),
        pytest.param("unheard-of.blogspot.com", 5, TierOrigin.RULE, id="a blog on a service"),
        pytest.param("unheard-of.blogspot.co.uk", 5, TierOrigin.RULE, id="its national name"),
        pytest.param("unheard-of.medium.com", 5, TierOrigin.RULE, id="medium"),
        pytest.param(UNKNOWN, 4, TierOrigin.UNKNOWN, id="unknown"),
    ],
)
def test_who_says_the_tier(host, tier, origin):
    found = authority(host)
    assert (found.tier, found.origin) == (tier, origin)
    assert found.score == (DEFAULT if origin is TierOrigin.UNKNOWN else middle(tier))
    assert found.reason
    assert found.owner


@pytest.mark.parametrize(
    "host",
    [
        "gov.example.com",
        "www.gov.evil.tk",
        "bbc.co.uk.evil.tk",
        "reuters.com.evil.tk",
        "notreuters.com",
        "reuters.com-news.evil.tk",
        "go.it",
        "anything.go.it",
        "gov.evil",
        "uni-evil.de",
        "edu.evil.tk",
        "mygov",
        "blogspot.evil.tk",
        "xn--ruters-7za.com",
        "reuters\u200b.com.evil.tk",
        "127.0.0.1",
        "[::1]",
        "localhost",
        "",
        " ",
        "..",
        "\0",
        "a" * 5_000,
        "https://",
        "https://reuters.com@evil.tk/",
    ],
)
def test_a_look_alike_is_unknown(host):
    found = authority(host)
    assert (found.tier, found.score, found.origin) == (4, DEFAULT, TierOrigin.UNKNOWN)


def test_every_ending_of_a_country_is_kept_for_its_kind():
    """Nobody can register a name under the endings of the rules: all are public suffixes."""
    known = PublicSuffixList()
    for ending in GOVERNMENTS | UNIVERSITIES:
        assert known.publicsuffix(f"name.{ending}") == ending


def test_a_platform_says_nothing_of_who_writes_there():
    assert source_of("www.ann.substack.com") == "ann.substack.com"
    assert owner_of("ann.substack.com") != owner_of("bob.substack.com")
    assert owner_of("feeds.ann.substack.com") == "ann.substack.com"
    own = {"substack.com": 1}
    assert authority("ann.substack.com", own=own).tier == 4


def test_sources_of_one_owner_are_one():
    assert owner_of("www.bbc.com") == owner_of("bbc.co.uk") == "BBC"
    assert owner_of("one.example") == "one.example"
    assert owner_of("www.one.example") == owner_of("news.one.example")


@pytest.mark.parametrize(
    ("own", "tier", "origin"),
    [
        pytest.param({"bbc.co.uk": 5}, 5, TierOrigin.READER, id="before the table"),
        pytest.param({"co.uk": 5, "uk": 5}, 2, TierOrigin.TABLE, id="of nobody's domain"),
        pytest.param({"bbc.co.uk": 9}, 2, TierOrigin.TABLE, id="no tier"),
        pytest.param({"other.example": 1}, 2, TierOrigin.TABLE, id="of another"),
    ],
)
def test_the_readers_own_tier_goes_first(own, tier, origin):
    found = authority("news.bbc.co.uk", own=own)
    assert (found.tier, found.origin) == (tier, origin)


@given(DOMAINS, FACTS, st.dictionaries(DOMAINS, st.integers(1, 5)))
def test_a_score_is_in_the_band_of_its_tier(domain, facts, own):
    found = authority(domain, facts, own)
    low, high = BANDS[found.tier]
    assert low <= found.score <= high
    assert tier_of(found.score) == found.tier
    assert explained(found, facts)


@given(FACTS)
def test_learning_moves_one_tier_at_most_and_never_past_the_middle_of_the_third(facts):
    found = authority(UNKNOWN, facts)
    assert abs(found.tier - DEFAULT_TIER) <= 1
    assert found.score < authority("arstechnica.com").score
    assert found.origin in {TierOrigin.LEARNED, TierOrigin.UNKNOWN}


@given(DOMAINS, FACTS, RATES, st.sampled_from(["corrected", "revised"]))
def test_more_errors_are_never_better(domain, facts, rate, name):
    worse = replace(facts, **{name: max(rate, getattr(facts, name))})
    assert authority(domain, worse).score <= authority(domain, facts).score


@given(DOMAINS, FACTS, RATES)
def test_failing_feeds_are_never_better(domain, facts, rate):
    worse = replace(facts, reliability=min(rate, facts.reliability))
    assert authority(domain, worse).score <= authority(domain, facts).score


@given(FACTS)
def test_what_is_known_by_name_keeps_its_tier_whatever_was_measured(facts):
    assert authority("reuters.com", facts).tier == 1


def test_few_articles_move_little():
    facts = SourceFacts(days=100, corroborated=1.0, followed=1.0, reliability=1.0)
    scores = [
        authority(UNKNOWN, replace(facts, articles=count)).score
        for count in (0, 19, 20, 100, 1_000, 100_000)
    ]
    assert scores == sorted(scores)
    assert scores[:2] == [DEFAULT, DEFAULT]
    assert scores[2] < middle(4) + 5


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(BOUGHT, id="a thousand articles with authors"),
        pytest.param(replace(BOUGHT, days=1e9), id="false dates"),
        pytest.param(replace(BOUGHT, articles=10**9), id="a billion articles"),
        pytest.param(replace(BOUGHT, corroborated=1.0), id="news of others, written again"),
        pytest.param(
            replace(BOUGHT, articles=10**9, days=1e9, corroborated=1.0), id="all of these for ever"
        ),
        pytest.param(replace(BOUGHT, days=float("nan"), authored=float("inf")), id="no numbers"),
        pytest.param(replace(BOUGHT, authored=50.0, followed=50.0), id="more than all"),
    ],
)
def test_what_a_publisher_does_alone_stays_in_the_fourth_tier(facts):
    assert authority(UNKNOWN, facts).tier == 4


def test_being_followed_by_known_sources_lifts_and_tracking_lowers():
    followed = replace(BOUGHT, corroborated=0.5, followed=0.5)
    assert authority(UNKNOWN, followed).tier == 3
    spoiled = SourceFacts(articles=1_000, days=100, trackers=1.0, reliability=0.3)
    assert authority(UNKNOWN, spoiled).tier == 5


def test_the_table_is_whole():
    found = rows()
    assert len({one.domain for one in found}) == len(found) >= 40
    for one in found:
        assert all((one.domain, one.owner, one.reason)), one
        assert one.domain == one.domain.strip().lower()
        assert one.tier in BANDS
        assert one.country == "" or (len(one.country) == 2 and one.country.isupper()), one
        assert known_tier(one.domain) is not None
        assert authority(one.domain).reason == one.reason
        assert source_of(one.domain) == one.domain


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a.example\t2\tA", "3 fields"),
        ("a.example\t0\tA\tDE\twire\tWhy", "no tier"),
        ("a.example\t2\tA\tDE\tnonsense\tWhy", "nonsense"),
    ],
)
def test_a_line_that_is_none_is_refused(line, words):
    with pytest.raises(ValueError, match=words):
        parsed(line)


def test_rules_have_public_reasons_and_no_two_have_one_ending():
    endings = [ending for rule in RULES for ending in rule.endings]
    assert len(endings) == len(set(endings))
    for rule in RULES:
        assert rule.reason.endswith(".")
    assert rule_of("who.int") is not None
