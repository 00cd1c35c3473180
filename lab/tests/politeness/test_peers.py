"""The black-box driver: what two other readers are known to do. What they score is no test of ours.

Their verdicts are stable: a version that mends one of them changes the row, and the report.
"""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness.case import Outcome
from newsloom_lab.politeness.cases import CASES
from newsloom_lab.politeness.readers import described, maker
from newsloom_lab.politeness.readers.command import faketime_library
from newsloom_lab.politeness.suite import chosen, judged

pytestmark = pytest.mark.politeness

# Reader, case, what it comes to, and a part of the words.
KNOWN = (
    ("newsboat", "P01", Outcome.PASSED, "one GET"),
    ("newsboat", "P05", Outcome.PASSED, "after every touch"),
    ("newsboat", "P11", Outcome.NOT_APPLICABLE, "no times of its own"),
    ("newsboat", "P13", Outcome.FAILED, "max-age=14400"),
    ("newsboat", "P16", Outcome.FAILED, "asked after"),
    ("newsboat", "P23", Outcome.PASSED, "cookies"),
    ("newsboat", "F15", Outcome.PASSED, "nothing went"),
    ("lemon24", "P01", Outcome.PASSED, "one GET"),
    ("lemon24", "P03", Outcome.PASSED, "byte for byte"),
    ("lemon24", "P05", Outcome.FAILED, "If-None-Match should be '\"touch-0\"'"),
    ("lemon24", "P06", Outcome.FAILED, "If-None-Match should be"),
    ("lemon24", "P08", Outcome.PASSED, "validators were kept"),
)


@pytest.mark.parametrize(
    ("name", "number", "outcome", "words"), KNOWN, ids=[f"{row[0]}-{row[1]}" for row in KNOWN]
)
def test_known_verdicts(name: str, number: str, outcome: Outcome, words: str) -> None:
    try:
        faketime_library()
    except UserError as error:
        pytest.skip(str(error))
    if name == "newsboat" and shutil.which(name) is None:
        pytest.skip("needs newsboat")
    if name == "lemon24" and importlib.util.find_spec("reader") is None:
        pytest.skip("needs lemon24/reader")
    (case,) = chosen(CASES, [number])
    _, version, verdict = judged(case, maker(name))
    assert version
    assert (verdict.outcome, words in verdict.words) == (outcome, True), verdict.words


def test_descriptions_say_how_they_were_set_up() -> None:
    for name in ("newsboat", "lemon24"):
        assert described(name).notes
