"""The encoder's benchmark says what it measured. How fast it was is for nobody's test."""

import pytest

from newsloom.kernel.errors import UserError
from newsloom_lab.bench.embed import LONG_CHARACTERS, PEER, run

TEXT = "The harbour was closed on Friday after a storm moved three containers. "


def test_figures_and_the_peer():
    report = run(["One", "Two", "One", " "], [TEXT * 20, TEXT * 20], rounds=1, threads=1)
    assert (report.titles, report.long_texts) == (2, 1)
    assert report.titles_per_second > 0
    assert report.long_texts_per_second > 0
    peer = report.peers[PEER]
    if peer.speed is None:
        assert "not measured" in peer.problem
    else:
        assert peer.titles_ratio == report.titles_per_second / peer.speed.titles_per_second


@pytest.mark.parametrize(
    ("titles", "texts"), [([], [TEXT * 40]), (["One"], [TEXT])], ids=["no titles", "too short"]
)
def test_too_little_text_is_said(titles, texts):
    with pytest.raises(UserError, match=f"{LONG_CHARACTERS:,} characters"):
        run(titles, texts)
