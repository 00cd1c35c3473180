"""Names of domains: what somebody registered, and which rule holds for a host."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.coverage.domains import Rule, host_of, registrable, rule_of


@pytest.mark.parametrize(
    ("place", "domain"),
    [
        ("https://www.ft.com/content/1", "ft.com"),
        ("www.microsoft.com", "microsoft.com"),
        ("https://news.bbc.co.uk:443/x", "bbc.co.uk"),
        ("ann.github.io", "ann.github.io"),
        ("ANN.Example.COM.", "example.com"),
        ("https://user:secret@a.b.example.org/", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("http://127.0.0.1:8000/x", "127.0.0.1"),
        ("localhost", "localhost"),
        ("", ""),
        ("http://", ""),
        ("not a host", ""),
    ],
)
def test_what_somebody_registered(place, domain):
    assert registrable(place) == domain


# A name, and one that only looks like being under it or of it.
LOOK_ALIKES = [
    ("ft.com", "microsoft.com"),
    ("x.com", "netflix.com"),
    ("x.com", "fox.com"),
    ("x.com", "x.com.example.org"),
    ("x.com", "x.community"),
    ("t.co", "at.co"),
    ("t.co", "t.com"),
    ("aol.com", "gaol.com"),
    ("bbc.co.uk", "abbc.co.uk"),
    ("bbc.co.uk", "bbc.co.uk.example.net"),
    ("bbc.co.uk", "itv.co.uk"),
    ("wsj.com", "notwsj.com"),
    ("post.com", "washingtonpost.com"),
    ("times.com", "nytimes.com"),
    ("ann.github.io", "joann.github.io"),
    ("ann.github.io", "bob.github.io"),
    ("news.example.org", "sports.example.org"),
    ("news.example.org", "example.org"),
    ("news.example.org", "mynews.example.org"),
    ("1.2.3.4", "1.1.2.3.4"),
]


@pytest.mark.parametrize(("ruled", "other"), LOOK_ALIKES)
@pytest.mark.parametrize("rule", list(Rule))
def test_a_rule_never_touches_what_looks_alike(ruled, other, rule):
    assert rule_of(other, {ruled: rule}) is None
    assert rule_of(f"www.{other}", {ruled: rule}) is None


@pytest.mark.parametrize("ruled", sorted({one for one, _other in LOOK_ALIKES} - {"1.2.3.4"}))
def test_a_rule_holds_for_the_name_and_all_below(ruled):
    for host in (ruled, f"www.{ruled}", f"a.b.{ruled}", f"https://a.{ruled}:8080/x", ruled.upper()):
        assert rule_of(host, {ruled: Rule.BLOCK}) == (ruled, Rule.BLOCK)


def test_the_longest_name_wins():
    rules = {"example.org": Rule.BLOCK, "news.example.org": Rule.ALLOW}
    assert rule_of("a.news.example.org", rules) == ("news.example.org", Rule.ALLOW)
    assert rule_of("sports.example.org", rules) == ("example.org", Rule.BLOCK)


@pytest.mark.parametrize("suffix", ["uk", "co.uk", "com", "github.io"])
def test_no_rule_of_a_suffix_holds_for_what_is_registered_under_it(suffix):
    assert rule_of(f"somebody.{suffix}", {suffix: Rule.BLOCK}) is None


labels = st.text("abx", min_size=1, max_size=4)


@given(labels, labels)
def test_only_labels_are_compared(one, other):
    """Over all names of three letters: a rule holds exactly where the name is the same."""
    found = rule_of(f"{other}.example", {f"{one}.example": Rule.BLOCK})
    assert (found is not None) is (one == other)


@given(st.text(max_size=40))
def test_any_text_is_a_host_or_none(text):
    name = host_of(text)
    assert name == "" or host_of(name) == name
