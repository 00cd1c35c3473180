"""Link headers: as RFC 8288 writes them, as servers write them, as nobody should."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.response_headers import HeaderLink, links

HUB = HeaderLink("https://hub.example/", frozenset({"hub"}))
SELF = HeaderLink("https://a.example/feed", frozenset({"self"}))


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (['<https://hub.example/>; rel="hub"'], [HUB]),
        (["<https://hub.example/>; rel=hub"], [HUB]),
        (["<https://hub.example/>;rel=HUB"], [HUB]),
        (["< https://hub.example/ > ; rel = hub"], [HUB]),
        (
            ['<https://hub.example/>; rel="hub", <https://a.example/feed>; rel="self"'],
            [HUB, SELF],
        ),
        (["<https://hub.example/>; rel=hub", "<https://a.example/feed>; rel=self"], [HUB, SELF]),
        (
            ['<https://a.example/?a=1,2;b>; rel="self hub alternate"; title="one, <two>; rel=x"'],
            [HeaderLink("https://a.example/?a=1,2;b", frozenset({"self", "hub", "alternate"}))],
        ),
        (
            [r'<https://hub.example/>; title="a \" , <https://x/>; rel=\"self"; rel="hub"'],
            [HUB],
        ),
        (["<https://hub.example/>; rel=hub; rel=self"], [HUB]),
        (
            ['<https://hub.example/>; rel="hub"; anchor="/other"'],
            [HeaderLink("https://hub.example/", frozenset({"hub"}), "/other")],
        ),
        (["</feed>; rel=self"], [HeaderLink("/feed", frozenset({"self"}))]),
        (["<https://hub.example/>"], [HeaderLink("https://hub.example/", frozenset())]),
        ([",, ,<https://hub.example/>; rel=hub,,"], [HUB]),
        (["junk, <https://hub.example/>; rel=hub"], [HUB]),
        (['"<https://x/>; rel=hub", <https://hub.example/>; rel=hub'], [HUB]),
        (["https://hub.example/; rel=hub"], []),
        (["<https://hub.example/; rel=hub"], []),
        ([""], []),
        ([], []),
    ],
)
def test_what_links_are_there(values: list[str], found: list[HeaderLink]) -> None:
    assert [replace(one, type="", title="") for one in links(values)] == found


@given(st.lists(st.text(alphabet='<>;,="\\ relhubself:/x\t\n', max_size=60), max_size=4))
def test_nothing_is_raised_and_targets_are_as_written(values: list[str]) -> None:
    for link in links(values):
        assert any(link.target in value for value in values)


@pytest.mark.timeout(20)  # a hundredth of a second each; what is quadratic takes half a minute
@pytest.mark.parametrize(
    "value",
    [
        "<" * 1_000_000,
        "<x>;" * 300_000,
        '<x>;a="' * 200_000,
        "," * 1_000_000,
        "<x>" + "\\" * 900_000,
        "<," * 500_000,
        "<x>" + ";" * 900_000,
    ],
    ids=["open", "parameters", "quotes", "commas", "backslashes", "both", "nothing said"],
)
def test_no_header_takes_long(value: str) -> None:
    assert len(list(links([value] * 20))) <= 200


def test_the_type_and_title_of_a_link() -> None:
    (one,) = links(['</f>; rel=alternate; type="application/atom+xml"; title="A, \\"B\\""'])
    assert (one.type, one.title) == ("application/atom+xml", 'A, "B"')
