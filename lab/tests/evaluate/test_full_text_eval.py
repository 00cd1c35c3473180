"""`newsloom eval full-text` on pages made around a feed of our own, and on labelled pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest

from newsloom_lab.evaluate import full_text
from newsloom_lab.evaluate.full_text_pages import LAYOUTS, labelled_pages, made_pages

Newsloom = Callable[..., str]

SENTENCE = "The ferry of day {0} left the harbour, with {0} people on board, at half past {0}. "
BLOCKS = (
    "<pre>def main():\n    return 1</pre><table><tr><td>Day</td><td>Ships</td></tr></table>"
    "<ul><li>One ship</li><li>Two ships</li></ul><p><img src='https://news.test/{0}.jpg'></p>"
)


def article(number: int) -> str:
    before, after = (
        "".join(f"<p>{SENTENCE.format(10 * number + place) * 3}</p>" for place in places)
        for places in ((0, 1, 2, 3), (4, 5, 6, 7))
    )
    return before + BLOCKS.format(number) + after


@pytest.fixture
def feeds(tmp_path: Path) -> Path:
    for feed in range(4):
        items = "".join(
            f"<item><title>Day {number}</title><description>{escape(article(number))}"
            "</description></item>"
            for number in range(6 * feed, 6 * feed + 6)
        )
        body = f"<rss version='2.0'><channel><title>F</title>{items}</channel></rss>"
        (tmp_path / f"{feed}.xml").write_text(body)
    (tmp_path / "README").write_text("No feed.")
    return tmp_path


def test_each_layout_is_measured_for_each_extractor(feeds: Path) -> None:
    report = full_text.run(made_pages(feeds, 400))
    assert set(report.extractors) | set(report.left_out) == set(full_text.EXTRACTORS)
    ours = report.extractors["Newsloom"]
    assert ours.pages == 24
    assert set(ours.by_kind) == {name for name, _layout in LAYOUTS}
    assert ours.recall > 0.95
    assert ours.precision > 0.85
    kept = {kind: (one.kept, one.blocks) for kind, one in ours.blocks.items()}
    assert kept == dict.fromkeys(("code", "tables", "lists", "pictures"), (24, 24))
    assert report.missing == ()
    assert report.extractors["readability-lxml"].blocks["code"].kept < 24


def test_what_is_dropped_is_listed() -> None:
    text = "<p>The article.</p><ul><li>One</li></ul>"
    page = full_text.Page("nothing in it", b"<p>Short.</p>", text)
    [missing] = full_text.run([page]).missing
    assert (missing.kind, missing.page, missing.beginning) == ("lists", "nothing in it", "One")


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    html = f"<html><body><article><h1>T</h1>{article(1)}</article></body></html>"
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "source.html").write_text(html)
    (tmp_path / "one" / "expected.html").write_text(article(1))
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a1.html.gz").write_bytes(gzip.compress(html.encode()))
    label = {"articleBody": "\n".join(SENTENCE.format(place) * 3 for place in range(10, 18))}
    (tmp_path / "ground-truth.json").write_text(json.dumps({"a1": label}))
    return tmp_path


def test_labelled_pages_of_both_forms_are_read(labelled: Path) -> None:
    pages = labelled_pages(labelled)
    assert [one.marked_up for one in pages] == [True, False]
    ours = full_text.run(pages).extractors["Newsloom"]
    assert ours.recall == 1.0
    assert {kind: one.blocks for kind, one in ours.blocks.items()} == {
        "code": 1, "tables": 1, "lists": 1, "pictures": 1,
    }  # fmt: skip


def test_as_typed(newsloom: Newsloom, labelled: Path, tmp_path: Path) -> None:
    reports = json.loads(newsloom("eval", "full-text", "--labelled", str(labelled), "--json"))
    assert reports[str(labelled)]["extractors"]["Newsloom"]["recall"] == 1.0
    said = newsloom("eval", "full-text", "--labelled", str(labelled), "--missing")
    assert "2 pages of" in said
    for line, why in {
        ("eval", "full-text"): "--feeds FOLDER or --labelled FOLDER",
        ("eval", "full-text", "--feeds", str(tmp_path / "none")): "is no folder",
        ("eval", "full-text", "--feeds", str(labelled)): "no feed with whole articles",
        ("eval", "full-text", "--labelled", str(labelled / "html")): "no pages with known text",
    }.items():
        assert why in " ".join(newsloom(*line, status=2).split())
