"""Articles as JSON lines: what is read, and how a bad line is named."""

import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LABELS, LabelledArticle, article, read_articles

WHOLE = {
    "id": "a1",
    "title": "Title",
    "summary": "Summary",
    "text": "Text",
    "url": "https://example.org/1",
    "source": "example.org",
    "published": "2026-03-01T10:00:00+02:00",
    "language": "en",
    "story": "s1",
    "duplicate": "d1",
    "label": "like",
    "labelled_at": "2026-03-02",
    "rating": 4,
    "second_rating": 5,
    "starred_at": "2026-03-03",
    "reader": "r1",
    "edit": "replaced 10%",
}


def write(folder: Path, *lines: str) -> Path:
    path = folder / "articles.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_every_field_is_read(tmp_path: Path):
    (one,) = read_articles(write(tmp_path, json.dumps(WHOLE)))
    assert set(WHOLE) == {field.name for field in fields(LabelledArticle)}
    assert one == LabelledArticle(
        **{
            **WHOLE,
            "published": datetime(2026, 3, 1, 8, tzinfo=UTC),
            "labelled_at": datetime(2026, 3, 2, tzinfo=UTC),
            "starred_at": datetime(2026, 3, 3, tzinfo=UTC),
        }
    )


def test_absent_fields_are_empty_and_unknown_ones_passed_over(tmp_path: Path):
    path = write(tmp_path, '{"id": 7, "mood": "fine"}', "", '{"id": "b", "title": null}')
    assert read_articles(path) == (LabelledArticle("7"), LabelledArticle("b"))


def test_a_byte_order_mark_and_windows_lines_are_no_matter(tmp_path: Path):
    path = tmp_path / "windows.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "1"}\r\n{"id": "2"}\r\n')
    assert [one.id for one in read_articles(path)] == ["1", "2"]


@pytest.mark.parametrize(
    ("fields", "body"),
    [({"text": "t", "summary": "s"}, "t"), ({"summary": "s"}, "s"), ({}, "")],
    ids=["text", "summary", "neither"],
)
def test_the_body_is_the_text_or_else_the_summary(fields, body: str):
    assert article({"id": "1", **fields}, "here").body == body


BAD = {
    "not JSON": ("{", "is not JSON"),
    "a list": ("[1]", "must be one JSON object"),
    "a number": ("1", "must be one JSON object"),
    "no id": ('{"title": "x"}', 'there is no "id"'),
    "a title of numbers": ('{"id": "1", "title": [1]}', '"title" must be text'),
    "a true title": ('{"id": "1", "title": true}', '"title" must be text'),
    "a date in words": ('{"id": "1", "published": "yesterday"}', '"published" must be a time'),
    "a date of numbers": ('{"id": "1", "published": 1700000000}', '"published" must be a time'),
    "a date past the calendar": (
        '{"id": "1", "published": "9999-12-31T23:00:00-05:00"}',
        '"published" must be a time',
    ),
    "an unknown label": ('{"id": "1", "label": "love"}', "one of like, read, skip, dislike"),
    "a rating of 6": ('{"id": "1", "rating": 6}', '"rating" must be a whole number 1 to 5'),
    "a rating in words": ('{"id": "1", "rating": "3"}', '"rating" must be a whole number 1 to 5'),
    "a true rating": ('{"id": "1", "rating": true}', '"rating" must be a whole number 1 to 5'),
    "too deep": ("[" * 200_000, "is not JSON"),
}


@pytest.mark.parametrize(("line", "words"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, line: str, words: str):
    path = write(tmp_path, '{"id": "0"}', "", line)
    with pytest.raises(UserError, match=words) as caught:
        read_articles(path)
    assert f"{path} line 3" in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 200


def test_a_line_that_is_no_utf8_is_named(tmp_path: Path):
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"id": "1"}\n{"id": "caf\xe9"}\n')
    with pytest.raises(UserError, match=r"line 2 is not UTF-8"):
        read_articles(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path):
    for path in (tmp_path / "missing.jsonl", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            read_articles(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(WHOLE)), json_values, max_size=4))
def test_any_object_is_an_article_or_a_named_error(fields):
    outcome = read_or_words(fields)
    if isinstance(outcome, str):
        assert outcome.startswith("here: ")
        return
    assert outcome.label in {"", *LABELS}
    assert outcome.rating is None or 1 <= outcome.rating <= 5
    for time in (outcome.published, outcome.labelled_at):
        assert time is None or time.utcoffset() == timedelta(0)


def read_or_words(fields) -> LabelledArticle | str:
    try:
        return article(fields, "here")
    except UserError as error:
        return str(error)
