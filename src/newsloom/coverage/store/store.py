"""`store.coverage`."""

from __future__ import annotations

from newsloom.coverage.store.answers import Answers
from newsloom.coverage.store.candidates import Candidates
from newsloom.coverage.store.judgements import Judgements
from newsloom.coverage.store.pages import Pages
from newsloom.coverage.store.searches import Searches
from newsloom.coverage.store.shown import Shown
from newsloom.coverage.store.switches import Switches
from newsloom.coverage.store.vectors import HitVectors


class CoverageStore(Switches, Searches, Answers, Candidates, Pages, Judgements, HitVectors, Shown):
    """Who wants related coverage, what was searched for, found, fetched, and decided."""
