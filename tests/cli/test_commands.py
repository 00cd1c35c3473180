"""The commands as a person types them, against a publisher on loopback and a store of its own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from newsloom.reading.search_language import SYNTAX
from publisher import Publisher, rss

Newsloom = Callable[..., str]


def listed(newsloom: Newsloom, *arguments: str) -> list[dict]:
    return json.loads(newsloom("list", "--json", *arguments))


@pytest.fixture
def followed(newsloom: Newsloom, publisher: Publisher) -> str:
    url = publisher.puts(
        "/feed.xml",
        rss(
            "The Harbour Gazette",
            ("a", "https://gazette.test/ferry", "Ferry timetable changes on Monday"),
            ("b", "https://gazette.test/bread", "How to bake bread with rye flour"),
            ("c", "https://gazette.test/storm", "Live: storm reaches the coast"),
        ),
        ETag='"1"',
    )
    newsloom("add", url)
    newsloom("run")
    return url


def test_a_feed_is_added_with_one_request_and_listed(
    newsloom: Newsloom, publisher: Publisher, followed: str
) -> None:
    assert len(listed(newsloom)) == 3
    assert [path for path, _headers in publisher.asked] == ["/feed.xml"]


def test_a_page_leads_to_its_feed(newsloom: Newsloom, publisher: Publisher) -> None:
    publisher.puts("/news.atom", rss("Found", ("1", "https://found.test/1", "One")))
    page = publisher.puts(
        "/",
        "<html><head><link rel='alternate' type='application/rss+xml' href='/news.atom'></head>",
    )
    assert "Following Found" in newsloom("add", page)


def test_a_long_feed_is_added_with_what_is_kept_of_it(
    newsloom: Newsloom, publisher: Publisher
) -> None:
    items = ((f"a{n}", f"https://long.test/{n}", f"Notice {n}") for n in range(1_001))
    assert ", 1000 articles." in newsloom("add", publisher.puts("/long", rss("Long", *items)))


def test_adding_twice_says_so(newsloom: Newsloom, followed: str) -> None:
    assert "already" in newsloom("add", followed)
    assert len(json.loads(newsloom("feeds", "--json"))) == 1


def test_what_can_be_added_of_several_is(newsloom: Newsloom, publisher: Publisher) -> None:
    good = [
        publisher.puts(f"/{name}", rss(name, ("1", f"https://x.test/{name}", "One")))
        for name in "ab"
    ]
    said = newsloom("add", good[0], "ftp://x.test", good[1], "--category", "New", status=2)
    assert "Following a" in said
    assert "Following b" in said
    assert "ftp://x.test is not a web URL" in said
    feeds = json.loads(newsloom("feeds", "--json"))
    assert [(one["title"], one["category"]) for one in feeds] == [("a", "New"), ("b", "New")]


def test_marks_and_undo(newsloom: Newsloom, followed: str) -> None:
    first = str(listed(newsloom)[0]["id"])
    newsloom("read", first)
    newsloom("star", first)
    assert len(listed(newsloom)) == 2
    assert [one["id"] for one in listed(newsloom, "--starred")] == [int(first)]
    newsloom("undo")
    newsloom("undo")
    assert len(listed(newsloom)) == 3
    assert listed(newsloom, "--starred") == []
    assert "Nothing to undo" in newsloom("undo")


def test_like_and_dislike_are_kept(newsloom: Newsloom, followed: str) -> None:
    one, other, _ = (str(row["id"]) for row in listed(newsloom))
    newsloom("like", one)
    newsloom("dislike", other)
    ratings = {row["id"]: row["state"]["rating"] for row in listed(newsloom, "--all")}
    assert (ratings[int(one)], ratings[int(other)]) == (1, -1)


def test_search_finds_words(newsloom: Newsloom, followed: str) -> None:
    found = json.loads(newsloom("search", "rye", "flour", "--json"))
    assert [one["title"] for one in found] == ["How to bake bread with rye flour"]
    assert newsloom("search", 'AND OR "(*') == ""


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["ferry", "OR", "rye"], 2),
        (["bread", "-rye"], 0),
        (["-hello"], 3),
        (["-title:ferry", "-is:read"], 2),
        (['"rye flour"'], 1),
        (['"flour rye"'], 0),
        (["title:storm", "--order", "newest"], 1),
        (['feed:"harbour gazette"', "--order=score", "--limit", "2"], 2),
        (["since:1h", "source:gazette.test"], 3),
        (["before:yesterday"], 0),
        (["author:nobody"], 0),
    ],
    ids=str,
)
def test_search_takes_fields_and_a_minus(
    newsloom: Newsloom, followed: str, typed: list[str], found: int
) -> None:
    assert len(json.loads(newsloom("search", "--json", *typed))) == found


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["is:new"], "is:new is not known; is: takes starred"),
        (["since:soon"], "'soon' is not a time"),
        (["ferry", "--ordr", "newest"], "Unknown option --ordr."),
    ],
    ids=str,
)
def test_a_search_that_cannot_be_is_refused_in_words(
    newsloom: Newsloom, followed: str, typed: list[str], says: str
) -> None:
    assert says in newsloom("search", *typed, status=2)


def test_the_help_of_search_tells_its_language(newsloom: Newsloom) -> None:
    text = newsloom("search", "--help")
    for example, _meaning in SYNTAX:
        assert example in text


def test_a_like_does_not_fill_the_list_with_one_feed(
    newsloom: Newsloom, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the program is wired, with the settings it comes with."""
    for name in ("loved", "north", "south"):
        told = ((f"{n}", f"https://{name}.test/{n}", f"Report {n} of {name}") for n in range(8))
        newsloom("add", publisher.puts(f"/{name}.xml", rss(name.title(), *told)))
    newsloom("run")
    loved = [one["id"] for one in listed(newsloom) if one["feed_title"] == "Loved"]
    newsloom("like", str(loved[0]))
    newsloom("run")
    first = [one["feed_title"] for one in listed(newsloom)][:10]
    assert first.count("Loved") == 4
    assert max(first[at : at + 5].count("Loved") for at in range(6)) == 2
    assert "Loved" in [one["feed_title"] for one in listed(newsloom) if one["lowered"]]
    said = [line for line in newsloom("list").splitlines() if "moved down for variety" in line]
    assert said
    assert all("Loved" in line for line in said)
    monkeypatch.setenv("NEWSLOOM_RANKING_VARIETY_ROWS", "0")
    assert [one["feed_title"] for one in listed(newsloom)][:7] == ["Loved"] * 7


def test_why_and_show_speak(newsloom: Newsloom, followed: str) -> None:
    one = str(listed(newsloom)[0]["id"])
    assert "half-life" in newsloom("why", one)
    assert "not personalised yet" in newsloom("why", one)
    assert "told in a sentence" in newsloom("show", one)
    assert json.loads(newsloom("why", one, "--json"))["personal"] is False


def test_why_is_a_sum_with_bars(newsloom: Newsloom, followed: str) -> None:
    newsloom("api", "POST", "/interests", "text=baking bread")
    newsloom("run")
    best = listed(newsloom)[0]
    text = newsloom("why", str(best["id"]))
    assert "baseline" in text
    assert re.search(r"\+\d+\.\d +\|\++ +interest: baking bread", text)
    assert "^ now" in text
    assert "Rated by the built-in model" in text
    facts = json.loads(newsloom("why", str(best["id"]), "--json"))
    effects = sum(one["effect"] for one in facts["reasons"])
    assert 50 + effects == pytest.approx(best["relevance"])
    assert best["score"] == pytest.approx(best["relevance"] * facts["remaining"], rel=1e-3)


def test_lists_are_filtered(newsloom: Newsloom, publisher: Publisher, followed: str) -> None:
    german = rss("Hafenblatt", ("x", "https://hafen.test/x", "Neue Linie über den Strom"))
    german = german.replace("</title>", "</title><language>de-DE</language>", 1)
    newsloom("add", publisher.puts("/de.xml", german), "--category", "Hafen")
    newsloom("run")
    rows = listed(newsloom)
    (neue,) = (one for one in rows if one["language"] == "de-DE")
    for arguments in (
        ("--language", "de"),
        ("--language", "DE-at", "--category", "Hafen"),
        ("--with", str(neue["id"])),
    ):
        assert [one["id"] for one in listed(newsloom, *arguments)] == [neue["id"]]
    english = {one["id"] for one in rows if one["language"] == "en"}
    others = {one["id"] for one in rows} - english - {neue["id"]}
    assert english
    assert {one["id"] for one in listed(newsloom, "--language", "en")} == english
    assert {one["id"] for one in listed(newsloom, "--language", "und")} == others
    assert listed(newsloom, "--language", "fr") == []
    for least in (20, 50):
        found = {one["id"] for one in listed(newsloom, "--min-score", str(least))}
        assert found == {one["id"] for one in rows if one["score"] >= least}
    for level in (1, 2, 3, 4, 5):
        found = {one["id"] for one in listed(newsloom, "--sensitivity", str(level))}
        assert found == {one["id"] for one in rows if one["sensitivity"] == level}


def test_lists_are_ordered(newsloom: Newsloom, followed: str) -> None:
    def listed(*options: str, field: str = "id") -> list[str]:
        return [one[field] for one in json.loads(newsloom("list", "--json", *options))]

    assert listed("--order", "newest") == listed("--newest")
    dates = listed("--order", "oldest", field="dated")
    assert dates == sorted(dates)
    drawn = [listed("--order", "random", "--seed", str(seed)) for seed in range(6)]
    assert drawn[0] == listed("--order", "random", "--seed", "0")
    assert all(sorted(one) == sorted(drawn[0]) for one in [*drawn, listed("--order", "random")])
    assert len({*map(tuple, drawn)}) > 1
    words = newsloom("list", "--order", "oldest", "--important", status=2)
    assert "Use only one of --order, --newest and --important" in words


def test_half_lives_are_shown_set_and_taken_back(newsloom: Newsloom, followed: str) -> None:
    def set_days(days: str, status: int = 0) -> str:
        return newsloom("api", "PUT", "/half-lives", f"days:={days}", status=status)

    usual = json.loads(newsloom("api", "GET", "/half-lives"))
    assert usual == {"own": False, "days": [365, 183, 30, 10, 5]}
    before = {one["id"]: one["score"] for one in listed(newsloom)}
    own = json.loads(set_days("[1, 0.5, 0.2, 0.1, 0.05]"))
    assert own == {"own": True, "days": [1.0, 0.5, 0.2, 0.1, 0.05]}
    after = {one["id"]: one["score"] for one in listed(newsloom)}
    assert all(after[one] < before[one] for one in before)
    newsloom("run")
    assert {one["id"] for one in listed(newsloom)} == set(before)
    assert json.loads(set_days("null")) == usual
    assert "4 were given" in set_days("[4, 3, 2, 1]", status=1)


def test_interests_order_the_list(newsloom: Newsloom, followed: str) -> None:
    def interests() -> list[str]:
        return [one["text"] for one in json.loads(newsloom("api", "GET", "/interests"))["items"]]

    newsloom("api", "POST", "/interests", "text=baking bread")
    assert interests() == ["baking bread"]
    newsloom("run")
    assert listed(newsloom)[0]["title"] == "How to bake bread with rye flour"
    newsloom("api", "DELETE", "/interests/1")
    assert interests() == []


def test_passwords_of_feeds_are_told_only_if_asked_for(newsloom: Newsloom, tmp_path: Path) -> None:
    listed = tmp_path / "in.opml"
    listed.write_text(
        '<opml version="2.0"><body><outline xmlUrl="https://me:half@paid.example/feed"/></body></opml>'
    )
    newsloom("import", str(listed))
    assert "half" not in newsloom("export")
    for told in (("feeds", "--json"), ("feeds", "--health", "--json"), ("api", "GET", "/feeds")):
        assert "paid.example" in newsloom(*told)
        assert "half" not in newsloom(*told)
    assert "me:half@" in newsloom("export", "--with-passwords")


def test_opml_goes_out_and_in(newsloom: Newsloom, followed: str, tmp_path: Path) -> None:
    file = tmp_path / "feeds.opml"
    newsloom("export", str(file))
    assert followed in file.read_text()
    feed = json.loads(newsloom("feeds", "--json"))[0]["feed_id"]
    newsloom("remove", str(feed))
    assert json.loads(newsloom("feeds", "--json")) == []
    assert "1 feeds added" in newsloom("import", str(file))


def test_a_second_run_stores_nothing_new(
    newsloom: Newsloom, publisher: Publisher, followed: str
) -> None:
    feed = str(json.loads(newsloom("feeds", "--json"))[0]["feed_id"])
    report = json.loads(newsloom("run", "--feed", feed, "--json"))
    assert report["polls"]["unchanged"] == 1
    assert report["polls"]["new"] == 0
    assert publisher.asked[-1][1]["if-none-match"] == '"1"'


def test_a_revision_is_kept_and_shown(
    newsloom: Newsloom, publisher: Publisher, followed: str
) -> None:
    publisher.puts(
        "/feed.xml",
        rss("The Harbour Gazette", ("a", "https://gazette.test/ferry", "Ferry back on Tuesday")),
    )
    feed = str(json.loads(newsloom("feeds", "--json"))[0]["feed_id"])
    assert json.loads(newsloom("run", "--feed", feed, "--json"))["polls"]["revised"] == 1
    row = next(one for one in listed(newsloom) if "Ferry" in one["title"])
    assert row["title"] == "Ferry back on Tuesday"
    assert "it read: Ferry timetable changes on Monday" in newsloom("show", str(row["id"]))


def test_the_same_article_in_two_feeds_is_one_row(
    newsloom: Newsloom, publisher: Publisher, followed: str
) -> None:
    link = "http://www.gazette.test/ferry/?utm_source=rss&amp;utm_medium=feed"
    other = publisher.puts(
        "/other.xml", rss("Coast Daily", ("x", link, "Ferry timetable changes on Monday"))
    )
    newsloom("add", other)
    rows = listed(newsloom)
    assert len(rows) == 3
    assert [row["also_in"] for row in rows if "Ferry" in row["title"]] == [1]


BAD_ADDRESSES = {
    "a page without feeds": ("/page", "<html><body>hello</body></html>", "not a feed"),
    "truncated XML": ("/cut", "<rss version='2.0'><channel><title>T</title><ite", "feed"),
    "an empty answer": ("/empty", "", "feed"),
}


@pytest.mark.parametrize(("path", "body", "words"), BAD_ADDRESSES.values(), ids=BAD_ADDRESSES)
def test_what_is_no_feed_is_named(
    newsloom: Newsloom, publisher: Publisher, path: str, body: str, words: str
) -> None:
    url = publisher.puts(path, body)
    assert words in newsloom("add", url, status=2)
    assert json.loads(newsloom("feeds", "--json")) == []


WRONG_LINES = {
    "an address that is none": (("add", "ftp://x.test"), "is not a web URL"),
    "a host that refuses": (("add", "http://127.0.0.1:9/feed"), "127.0.0.1"),
    "an article that is not there": (("like", "999"), "no article 999"),
    "a feed that is not there": (("remove", "999"), "not follow feed 999"),
    "a file that is not there": (("import", "absent.opml"), "absent.opml"),
    "a time that is none": (("list", "--since", "soon"), "soon"),
    "a language that is none": (("list", "--language", "!!"), "is not a language"),
    "a score too small to tell": (("list", "--min-score", "0.001"), "told apart"),
    "a settings file that is not there": (("--config", "absent.toml", "list"), "absent.toml"),
    "an unknown user's article": (("--user", "other", "show", "1"), "no article 1"),
}


@pytest.mark.parametrize(("line", "words"), WRONG_LINES.values(), ids=WRONG_LINES)
def test_a_wrong_line_says_what_is_wrong(
    newsloom: Newsloom, line: tuple[str, ...], words: str
) -> None:
    assert words in newsloom(*line, status=2)


def test_one_bad_feed_stops_no_run(newsloom: Newsloom, publisher: Publisher, followed: str) -> None:
    document = rss("Fine", ("1", "https://fine.test/1", "Fine"))
    doomed = publisher.puts("/doomed.xml", document)
    newsloom("add", doomed)
    publisher.puts("/doomed.xml", "<html>gone</html>")
    publisher.puts("/feed.xml", rss("Gazette", ("d", "https://gazette.test/d", "A new one")))
    feeds = [str(one["feed_id"]) for one in json.loads(newsloom("feeds", "--json"))]
    report = json.loads(newsloom("run", "--feed", feeds[0], "--feed", feeds[1], "--json"))
    assert report["polls"]["new"] == 1
    assert report["polls"]["failed"] == 1
    assert "/doomed.xml" in report["polls"]["problems"][0][0]
    assert "Fine" in {one["title"] for one in listed(newsloom)}


def test_piped_output_is_plain(newsloom: Newsloom, followed: str) -> None:
    lines = newsloom("list").splitlines()
    assert len(lines) == 3
    assert all(len(line.split("\t")) == 6 for line in lines)


def test_doctor_names_what_is_ill(newsloom: Newsloom, publisher: Publisher, followed: str) -> None:
    publisher.puts("/feed.xml", "nothing", 503)
    feed = str(json.loads(newsloom("feeds", "--json"))[0]["feed_id"])
    newsloom("run", "--feed", feed, status=1)
    findings = newsloom("doctor", "--json", status=1)
    ill = [one for one in json.loads(findings) if not one["well"]]
    assert f"feed {feed}" in {one["what"] for one in ill}
    assert all(one["mend"] for one in ill)


def test_settings_are_listed(newsloom: Newsloom) -> None:
    assert json.loads(newsloom("settings", "--json"))["web.port"] == 8765


def test_what_settings_prints_is_what_it_takes(
    newsloom: Newsloom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line of it, given back in the environment and in the file."""
    file = tmp_path / "own.toml"
    file.write_text(
        'user = "Ann  B"\n[fetch]\nprivate_hosts = ["a.lan", "[::1]:80"]\n'
        '[greader]\nlabel = "my \\"best\\"  of"\n[pages]\nicons = true\n'
    )
    for name in [one for one in os.environ if one.startswith("NEWSLOOM_")]:
        monkeypatch.delenv(name)
    printed = newsloom("--config", str(file), "settings")
    rows = [line.split("\t") for line in printed.splitlines()]
    sections: dict[str, list[str]] = {}
    for path, value, variable, _meaning in rows:
        section, _, name = path.rpartition(".")
        sections.setdefault(section, []).append(f"{name} = {value}")
        monkeypatch.setenv(variable, value)
    assert newsloom("settings") == printed
    for _path, _value, variable, _meaning in rows:
        monkeypatch.delenv(variable)
    file.write_text(
        "\n".join(
            line
            for name, lines in sections.items()
            for line in ([f"[{name}]"] if name else []) + lines
        )
    )
    assert newsloom("--config", str(file), "settings") == printed
