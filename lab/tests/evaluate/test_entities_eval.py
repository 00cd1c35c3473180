"""Labelled names in CoNLL columns: every scheme read, counted as conlleval counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.articles.entities.finder import Span
from newsloom.kernel.errors import UserError
from newsloom_lab.evaluate.conll import Sentence, chunks, read_conll
from newsloom_lab.evaluate.entities import run


def names(tags):
    return [(one.start, one.end, one.kind) for one in chunks(tags.split())]


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        pytest.param("O O", [], id="none"),
        pytest.param("B-PER I-PER O B-LOC", [(0, 2, "PER"), (3, 4, "LOC")], id="IOB2"),
        pytest.param("I-PER I-PER O I-LOC", [(0, 2, "PER"), (3, 4, "LOC")], id="IO"),
        pytest.param("I-PER B-PER I-PER", [(0, 1, "PER"), (1, 3, "PER")], id="IOB1"),
        pytest.param("B-PER E-PER S-LOC", [(0, 2, "PER"), (2, 3, "LOC")], id="IOBES"),
        pytest.param("B-PER L-PER U-LOC U-LOC", [(0, 2, "PER"), (2, 3, "LOC"), (3, 4, "LOC")],
                     id="BILOU"),
        pytest.param("S-PER I-PER", [(0, 1, "PER"), (1, 2, "PER")], id="inside behind a single"),
        pytest.param("B-PER I-LOC", [(0, 1, "PER"), (1, 2, "LOC")], id="the kind changes"),
        pytest.param("B-geo-loc I-geo-loc", [(0, 2, "geo-loc")], id="a hyphen in the kind"),
        pytest.param("O I-PER", [(1, 2, "PER")], id="the last token"),
    ],
)  # fmt: skip
def test_schemes(tags, found):
    assert names(tags) == found


@given(st.lists(st.sampled_from(["O", *(f"{p}-{k}" for p in "BIES" for k in ("PER", "LOC"))])))
def test_chunks_cover_exactly_what_is_tagged_and_never_overlap(tags):
    covered = [place for one in chunks(tags) for place in range(one.start, one.end)]
    assert covered == [place for place, tag in enumerate(tags) if tag != "O"]


@pytest.mark.parametrize(
    ("content", "tokens"),
    [
        pytest.param("Rome B-LOC\n", [["Rome"]], id="two columns"),
        pytest.param("Rome NNP I-NP I-LOC\n", [["Rome"]], id="four columns"),
        pytest.param("Rome\tB-LOC\r\nfell\tO\r\n", [["Rome", "fell"]], id="tabs, CRLF"),
        pytest.param("\n\nRome B-LOC\n\n\nfell O\n\n", [["Rome"], ["fell"]], id="empty lines"),
        pytest.param("-DOCSTART- -X- O O\n\nRome B-LOC\n", [["Rome"]], id="documents"),
        pytest.param("# id 5\nRome B-LOC\n", [["Rome"]], id="a comment"),
        pytest.param("# O\nRome B-LOC\n", [["#", "Rome"]], id="a token that is no comment"),
        pytest.param("\ufeffRome B-LOC", [["Rome"]], id="a mark at the head, no last line end"),
    ],
)
def test_files(tmp_path, content, tokens):
    path = tmp_path / "gold.conll"
    path.write_bytes(content.encode())
    found = [list(one.tokens) for document in read_conll(path) for one in document]
    assert found == tokens


def test_documents_are_kept_apart(tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("-DOCSTART- O\n\na O\n\nb O\n\n-DOCSTART- O\n\nc O\n")
    assert [len(document) for document in read_conll(path)] == [2, 1]


def test_without_marks_every_sentence_is_a_document(tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("a O\n\nb O\n")
    assert [len(document) for document in read_conll(path)] == [1, 1]


def test_another_column_holds_the_tags(tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("Rome B-LOC NNP\n")
    ((sentence,),) = read_conll(path, column=2)
    assert sentence == Sentence(("Rome",), frozenset({Span(0, 1, "LOC")}))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "holds no sentence", id="empty"),
        pytest.param(b"\n\n-DOCSTART- O\n", "holds no sentence", id="no sentence"),
        pytest.param(b"a O\nRome\n", "line 2 must hold a token and its tag", id="one column"),
        pytest.param(b"Rome place\n", "line 1: 'place' is no tag", id="no tag"),
        pytest.param(b"a O\n\xff O\n", "line 2 is not UTF-8", id="Latin 1"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_its_line(tmp_path, content, words):
    path = tmp_path / "gold.conll"
    path.write_bytes(content)
    with pytest.raises(UserError, match=words):
        read_conll(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        read_conll(tmp_path / "none.conll")


class Answers:
    """Says what it is told, sentence by sentence."""

    model_id = "answers@1"

    def __init__(self, *answers):
        self.answers = [()] + [tuple(Span(*one) for one in answer) for answer in answers]

    def tag(self, document):
        return [self.answers.pop(0) for _ in document]

    def recognise(self, texts):
        raise NotImplementedError


def gold(tokens, *found):
    return Sentence(tuple(tokens.split()), frozenset(Span(*one) for one in found))


def test_only_the_same_bounds_and_kind_are_right():
    documents = [
        (gold("Joe Biden saw Rome", (0, 2, "PER"), (3, 4, "LOC")),),
        (gold("New York beat Essex", (0, 2, "ORG"), (3, 4, "ORG")),),
        (gold("A German won", (1, 2, "MISC")),),
    ]
    report = run(
        Answers(
            [(0, 2, "person"), (3, 4, "organisation")],
            [(0, 1, "organisation")],
            [(1, 2, "place"), (0, 1, "date")],
        ),
        documents,
    )
    by_kind = {one.kind: (one.names, one.found, one.right) for one in report.kinds}
    assert by_kind == {"person": (1, 1, 1), "organisation": (2, 2, 0), "place": (1, 1, 0)}
    assert (report.precision, report.recall, report.f1) == (0.25, 0.25, 0.25)
    assert report.left_out == ("MISC (1)",)
    assert {one.what: one.example for one in report.worst} == {
        "place read as organisation": "Rome",
        "organisation with other bounds": "New York",
        "organisation missed": "Essex",
        "place where none is": "German",
    }


def test_nothing_found_is_a_figure_too():
    report = run(Answers([]), [(gold("Rome fell", (0, 1, "LOC")),)])
    assert (report.precision, report.recall, report.f1) == (0.0, 0.0, 0.0)


def test_the_command_prints_plain_names(newsloom, tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("Angela B-PER\nMerkel I-PER\nvisited O\nWashington B-LOC\n. O\n")
    told = json.loads(newsloom("eval", "entities", "--conll", str(path), "--json"))
    assert told["tokens"] == 5
    assert set(told) >= {"precision", "recall", "f1", "tokens_per_second", "kinds", "worst"}
    assert "place" in newsloom("eval", "entities", "--conll", str(path))


def test_the_command_says_which_column_is_no_column_of_tags(newsloom, tmp_path):
    path = tmp_path / "gold.conll"
    path.write_text("Rome B-LOC NNP\n")
    told = newsloom("eval", "entities", "--conll", str(path), status=2)
    assert "line 1" in told
    assert "--column" in told
