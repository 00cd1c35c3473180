"""`store.coverage`."""

from __future__ import annotations

from newsloom.store.coverage.answers import Answers
from newsloom.store.coverage.candidates import Candidates
from newsloom.store.coverage.judgements import Judgements
from newsloom.store.coverage.pages import Pages
from newsloom.store.coverage.searches import Searches
from newsloom.store.coverage.shown import Shown
from newsloom.store.coverage.switches import Switches
from newsloom.store.coverage.vectors import HitVectors


class CoverageStore(Switches, Searches, Answers, Candidates, Pages, Judgements, HitVectors, Shown):
    """Who wants related coverage, what was searched for, found, fetched, and decided."""
