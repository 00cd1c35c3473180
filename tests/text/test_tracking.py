"""Addresses as they are opened: without campaigns, all else as the publisher wrote it."""

import pytest

from newsloom.kernel.text.urls import without_campaign


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("https://a.test/1?utm_source=rss&utm_medium=feed", "https://a.test/1"),
        ("https://a.test/1?id=7&utm_source=rss#part", "https://a.test/1?id=7#part"),
        ("https://a.test/1?utm_source=rss&id=7", "https://a.test/1?id=7"),
        (
            "https://a.test/1?gift=x&not_utm_=1#utm_a=b",
            "https://a.test/1?gift=x&not_utm_=1#utm_a=b",
        ),
    ],
)
def test_only_campaigns_are_left_out(given: str, opened: str) -> None:
    assert without_campaign(given) == opened
