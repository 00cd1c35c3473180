"""Tiers beside ratings: files that are wrong, figures worked by hand, and what feeds can teach."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.importance.sources.bands import COEFFICIENTS
from newsloom.importance.values import SourceFacts
from newsloom.kernel.errors import UserError
from newsloom_lab.evaluate import source_fit, sources
from newsloom_lab.evaluate.ratings import Rated, Ratings, read_ratings


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "ratings.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("domain,score\na.example,1\nb.example,2\n", id="plain"),
        pytest.param("\ufeffdomain,score\r\na.example,1\r\n\r\nb.example,2\r\n", id="BOM, CRLF"),
        pytest.param("afm,Score,Domain\nx,1,www.A.example\ny,2,https://b.example/\n", id="others"),
        pytest.param("domain,score\na.example,1\na.example,1.0\nb.example,2\n", id="repeated"),
        pytest.param('domain,score\n"a.example"," 1 "\nb.example,2\nc.example,NA\n', id="missing"),
    ],
)
def test_ratings_are_read(tmp_path, text):
    found = read_ratings(written(tmp_path, text))
    assert found.rated == (Rated("a.example", 1.0), Rated("b.example", 2.0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "needs one column 'domain'; its columns: none", id="empty"),
        pytest.param("domain,pc1\na.example,1\n", "needs one column 'score'", id="no score"),
        pytest.param("domain,score,score\n", "needs one column 'score'", id="two scores"),
        pytest.param("domain,score\n", "rates no domain", id="no row"),
        pytest.param("domain,score\na.example\n", "line 2: 1 of 2 columns", id="short row"),
        pytest.param("domain,score\na.example,high\n", "line 2: 'high' is no number", id="words"),
        pytest.param("domain,score\na.example,inf\n", "line 2: 'inf' is no number", id="infinite"),
        pytest.param("domain,score\n,1\n", "line 2: '' is no domain", id="no domain"),
        pytest.param("domain,score\nan example,1\n", "is no domain", id="a space"),
        pytest.param(f"domain,score\n{'a' * 5000}.b,1\n", "is no domain", id="too long"),
        pytest.param(
            "domain,score\na.example,1\nwww.a.example,2\n",
            "rated 1 in line 2, and 2 here",
            id="two",
        ),
        pytest.param('domain,score\n"a.example,1\n', "unexpected end", id="an open quote"),
        pytest.param(b"domain,score\n\xff,1\n", "not UTF-8: byte 13", id="Latin-1"),
        pytest.param(b"domain,score\n\0,1\n", "NUL", id="NUL"),
        pytest.param(f"domain,score\n{'a' * 200_000},1\n", "field larger", id="a huge field"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(UserError, match=said):
        read_ratings(written(tmp_path, text))


def test_an_absent_file_is_said(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        read_ratings(tmp_path / "absent.csv")


def test_another_column(tmp_path):
    path = written(tmp_path, "domain,pc1\na.example,0.25\n")
    assert read_ratings(path, "pc1").rated == (Rated("a.example", 0.25),)


def test_an_address_with_a_path_rates_its_site_where_nothing_else_does(tmp_path):
    rows = "a.example/news,1\na.example,3\nhttps://b.example/x,1\nb.example/y,2\nb.example/x,6\n"
    found = read_ratings(written(tmp_path, f"domain,score\n{rows}")).rated
    assert found == (Rated("a.example", 3.0), Rated("b.example", 3.0))


NUMBERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=40)


@given(NUMBERS)
def test_spearman_is_scipys(pairs):
    one, other = zip(*pairs, strict=True)
    found = sources.spearman(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert found is None
    else:
        from scipy.stats import spearmanr  # here: the other tests need none of it

        assert found == pytest.approx(float(spearmanr(one, other).statistic))


RATED = Ratings(
    (
        Rated("reuters.com", 0.9),
        Rated("ministry.gov.uk", 0.95),
        Rated("bbc.co.uk", 0.8),
        Rated("arstechnica.com", 0.7),
        Rated("unheard-of.example", 0.5),
        Rated("infowars.com", 0.1),
    )
)


def test_a_report_worked_by_hand():
    found = sources.run(RATED)
    assert (found.rated, found.unknown) == (6, 1)
    assert (found.table.domains, found.rules.domains) == (4, 1)
    assert found.table_and_rules.coverage == pytest.approx(5 / 6)
    # Ours: 95, 95, 82, 67, 29.5; theirs 0.9, 0.95, 0.8, 0.7, 0.1: one tie.
    assert found.table_and_rules.spearman == pytest.approx(0.9747, abs=1e-4)
    assert found.table.spearman == pytest.approx(1.0)
    assert found.rules.spearman is None
    assert found.learned is None
    assert found.unknown_rated_place == pytest.approx(1.5 / 6)
    assert found.tiers == {"1": 2, "2": 1, "3": 1, "5": 1}
    assert len(found.worst) == 5
    assert {one.domain for one in found.worst[:2]} == {"reuters.com", "ministry.gov.uk"}


def test_the_learned_part_is_judged_as_if_nothing_were_in_the_table():
    many = SourceFacts(articles=500, days=400)
    facts = {
        "reuters.com": SourceFacts(articles=500, days=400, corroborated=1.0, followed=1.0),
        "bbc.co.uk": SourceFacts(articles=500, days=400, corroborated=0.5),
        "infowars.com": SourceFacts(articles=500, days=400, trackers=1.0),
        "arstechnica.com": many,
        "ministry.gov.uk": SourceFacts(articles=3, days=400),
    }
    found = sources.run(RATED, facts).learned
    assert found is not None
    assert found.domains == 4, "three articles tell nothing"
    assert found.spearman == pytest.approx(1.0)


def test_none_rated_that_is_known():
    found = sources.run(Ratings((Rated("one.example", 1.0),)))
    assert (found.table_and_rules.domains, found.table_and_rules.spearman) == (0, None)
    assert found.worst == ()


def test_few_sources_teach_nothing():
    found = source_fit.fitted([SourceFacts(articles=9)] * 2, [95.0, 45.0])
    assert found.fitted == COEFFICIENTS
    assert found.constant_error is None
    assert "too few" in found.advice


def test_a_plain_effect_is_found_and_judged_by_sources_left_out():
    facts = [SourceFacts(articles=9, trackers=number % 2) for number in range(120)]
    found = source_fit.fitted(facts, [80.0 - 40.0 * (number % 2) for number in range(120)])
    assert found.fitted["trackers"] == pytest.approx(-40, abs=10)
    assert found.fitted["followed"] == COEFFICIENTS["followed"], "which feeds do not tell"
    assert found.fitted_error is not None
    assert found.constant_error is not None
    assert found.fitted_error < found.constant_error / 2
    assert "better" in found.advice


def test_facts_are_of_the_documents_of_a_folder(tmp_path):
    at = datetime(2026, 3, 2, tzinfo=UTC)
    for number, title in enumerate(("First", "Changed")):
        items = "".join(
            f"<item><guid>{name}</guid><title>{title if name == 'a' else 'Same'}</title>"
            f"<link>https://www.one.example/{name}</link><author>ann@one.example (Ann)</author>"
            f"<pubDate>{at + timedelta(days=day):%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
            for day, name in enumerate("abc")
        )
        document = f"<rss version='2.0'><channel><title>A</title>{items}</channel></rss>"
        (tmp_path / f"{number}.xml").write_text(document)
    (tmp_path / "broken.xml").write_text("no feed")
    documents, facts = source_fit.facts_of(tmp_path)
    assert documents == 2
    found = facts["one.example"]
    assert (found.articles, found.days, found.authored) == (3, 2.0, 1.0)
    assert found.revised == pytest.approx(1 / 3)


def test_an_empty_folder_is_said(tmp_path):
    with pytest.raises(UserError, match="no documents"):
        source_fit.run(tmp_path)
