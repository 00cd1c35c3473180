"""Every case fails on a reader with the bad manner it is for, and passes on Newsloom."""

from __future__ import annotations

from functools import partial

import pytest

from newsloom.web.app import create_app
from newsloom_lab.politeness.case import Case, Outcome
from newsloom_lab.politeness.cases import CASES
from newsloom_lab.politeness.readers.newsloom import Newsloom
from newsloom_lab.politeness.suite import judged
from politeness.rude_reader import RudeReader

# Case by case: a bad manner, and the words that the case has for it.
RUDE = {
    "P01": ("head first", "HEAD was sent"),
    "P02": ("hides", "no contact"),
    "P03": ("tidies validators", "If-None-Match should be"),
    "P04": ("eager without validators", "without validators it asked again after"),
    "P05": ("forgets after a touch", "If-None-Match should be"),
    "P06": ("ignores what a 304 says", "If-None-Match should be"),
    "P07": ("keeps dropped validators", "If-None-Match should be"),
    "P08": ("stale means no validators", "If-None-Match should be"),
    "P09": ("keeps validators of trouble", "the validator of what it could not read"),
    "P10": ("", "articles of 9 are there"),
    "P11": ("forgets when restarted", "requests by 20 restarts"),
    "P12": ("", "within 15 minutes"),
    "P13": ("ignores freshness", "asked after 60 min"),
    "P14": ("by its own clock", "hours after its own Date"),
    "P15": ("ignores failures", "429 with Retry-After"),
    "P16": ("ignores failures", "asked after"),
    "P17": ("", "another feed of the host"),
    "P18": ("keeps temporary", "no longer asks the old address"),
    "P19": ("keeps temporary", "the temporary address became the feed's"),
    "P20": ("shows validators to all", "a validator was shown to another address"),
    "P21": ("follows for ever", "requests in a circle"),
    "P22": ("asks what is gone", "times after 410"),
    "P23": ("keeps cookies", "a cookie came back"),
    "P24": ("decodes anything", "an answer coded by"),
    "P25": ("", "views of the page made"),
    "P26": ("", "s apart"),
    "P27": ("", "s apart"),
    "P28": ("a poll for each reader", "100 readers: asked"),
    "P29": ("minutes of ttl", "<ttl>1</ttl>: asked after"),
    "P30": ("", "polls a quiet feed every"),
    "P31": ("tries again at once", "2 connections in one cycle"),
    "P32": ("asks for what nobody follows", "a feed nobody follows"),
    "P33": ("", "robots.txt keeps back"),
    "P34": ("a hub without a secret", "no secret"),
    "P35": ("unconditional", "unconditional requests of 20"),
    "P36": ("keeps validators of trouble", "the validator of what it did not have whole"),
    "P37": ("", "believes a 304 that it had not asked for"),
    "P38": ("", "of one host under way at once"),
    "F10": ("", "sleeps for two days"),
    "F11": ("believes dates", "in the future"),
    "F12": ("shows all there is", "shown twice"),
    "F13": ("guids are all", "polls with new guids"),
    "F14": ("edits are new", "are shown"),
    "F15": ("deletes what is not there", "articles went when the feed emptied"),
    "F16": ("takes everything", "MB of 100"),
    "F17": ("takes everything", "100000 articles of one poll"),
    "F18": ("waits for ever", "it held on for"),
    "F19": ("waits for ever", "it held on for"),
    "F20": ("takes in half", "of broken answers"),
    "F21": ("takes in half", "half a title was stored"),
    "F22": ("one encoding", "is not among"),
    "F23": ("no NUL", "control characters are shown"),
    "F24": ("burns", "s of processor"),
    "F25": ("", "no process that reads"),
    "F26": ("takes a page for a feed", "a page changed what is shown"),
    "F27": ("", "of the new owner are shown"),
    "F28": ("", "is still asked"),
}

# Those that are judged in the core run: both sides of the rest are behind the marker.
QUICK = ("P01", "P05", "P07", "P12", "P23", "P37", "F12", "F15")


def ring(case: Case) -> object:
    marks = () if case.number in QUICK else (pytest.mark.politeness,)
    return pytest.param(case, id=case.number, marks=marks)


ROWS = [ring(case) for case in CASES]


def test_the_cases_are_those_of_the_suite():
    numbers = [f"P{n:02}" for n in range(1, 39)] + [f"F{n}" for n in range(10, 29)]
    assert [case.number for case in CASES] == numbers
    assert set(RUDE) == set(numbers)


@pytest.mark.parametrize("case", ROWS)
def test_newsloom_passes(case: Case) -> None:
    _, _, verdict = judged(case, partial(Newsloom, pages=create_app))
    assert verdict.outcome is Outcome.PASSED, (verdict.words, *verdict.evidence)


@pytest.mark.parametrize("case", ROWS)
def test_a_rude_reader_fails(case: Case) -> None:
    manner, words = RUDE[case.number]
    _, _, verdict = judged(case, lambda around: RudeReader(around, manner))
    assert verdict.outcome is Outcome.FAILED, verdict.words
    assert words in verdict.words, (verdict.words, *verdict.evidence)
