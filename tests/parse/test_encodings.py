"""Documents in one encoding that say they are in another: every pair that real servers produce."""

from __future__ import annotations

import pytest

from newsloom.parse import parse_feed

from .builders import URL, rss

TITLE = "Été à Kraków"
WESTERN = "Été à Köln – “now”"
RUSSIAN = "Новости дня"


def body(title: str, says: str, encoded: str) -> bytes:
    declaration = f'<?xml version="1.0" encoding="{says}"?>' if says else ""
    return rss(f"<title>{title}</title>", declaration=declaration).encode(encoded)


@pytest.mark.parametrize(
    ("title", "says", "served", "really"),
    [
        pytest.param(TITLE, "utf-8", "", "utf-8", id="right"),
        pytest.param(TITLE, "", "", "utf-8", id="undeclared"),
        pytest.param(TITLE, "utf-8", "", "utf-8-sig", id="with its mark"),
        pytest.param(TITLE, "utf-16", "", "utf-16", id="UTF-16 with its mark"),
        pytest.param(TITLE, "utf-16", "", "utf-16-le", id="UTF-16 without its mark"),
        pytest.param(TITLE, "utf-8", "", "utf-16-be", id="UTF-16 that says UTF-8"),
        pytest.param(TITLE, "utf-16", "", "utf-8", id="UTF-8 that says UTF-16"),
        pytest.param(TITLE, "", "", "utf-32-le", id="UTF-32"),
        pytest.param(TITLE, "iso-8859-1", "", "utf-8", id="UTF-8 that says Latin-1"),
        pytest.param(TITLE, "us-ascii", "", "utf-8", id="UTF-8 that says ASCII"),
        pytest.param(TITLE, "iso-8859-1", "text/xml; charset=utf-8", "utf-8", id="HTTP is right"),
        pytest.param(TITLE, "utf-8", "text/xml; charset=ISO-8859-1", "utf-8", id="HTTP is wrong"),
        pytest.param(TITLE, "x-unheard-of", "", "utf-8", id="unknown label"),
        pytest.param(TITLE, "zip", "", "utf-8", id="a codec that is no encoding"),
        pytest.param(WESTERN, "iso-8859-1", "", "windows-1252", id="Windows that says Latin-1"),
        pytest.param(WESTERN, "utf-8", "", "windows-1252", id="Windows that says UTF-8"),
        pytest.param(WESTERN, "", "", "windows-1252", id="Windows, undeclared"),
        pytest.param(RUSSIAN, "windows-1251", "", "windows-1251", id="Cyrillic"),
        pytest.param(RUSSIAN, "koi8-r", "", "koi8-r", id="KOI8"),
        pytest.param(
            RUSSIAN,
            "utf-8",
            "text/xml; charset=windows-1251",
            "windows-1251",
            id="HTTP alone is right",
        ),
        pytest.param("中文新闻联播", "gb2312", "", "gb18030", id="Chinese"),
        pytest.param("日本のニュース", "Shift_JIS", "", "shift_jis", id="Japanese"),
        pytest.param(
            "日本のニュース", "iso-2022-jp", "", "iso2022_jp", id="Japanese in seven bits"
        ),
        pytest.param("한국 뉴스", "euc-kr", "", "euc_kr", id="Korean"),
        pytest.param("Größe", "utf-7", "", "utf-7", id="UTF-7"),
    ],
)
def test_titles_survive(title: str, says: str, served: str, really: str) -> None:
    feed = parse_feed(body(title, says, really), URL, content_type=served)
    assert [one.title for one in feed.articles] == [title]


def test_one_wrong_byte_spoils_one_letter() -> None:
    broken = body(TITLE, "utf-8", "utf-8").replace("à".encode(), "à".encode("latin-1"))
    feed = parse_feed(broken, URL)
    assert feed.articles[0].title == TITLE
    assert "not valid utf-8" in feed.problem


def test_a_wrong_label_is_named() -> None:
    feed = parse_feed(body(TITLE, "iso-8859-2", "utf-8"), URL)
    assert "iso8859-2" in feed.problem
    assert "utf-8" in feed.problem


def test_json_in_utf_16() -> None:
    text = '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "é"}]}'
    for encoding in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"):
        assert parse_feed(text.encode(encoding), URL).articles[0].guid == "é"
