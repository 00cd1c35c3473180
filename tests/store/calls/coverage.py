"""Calls of `store.coverage`; those of them that only read."""

from __future__ import annotations

from newsloom.coverage.values import CandidateState, Prepared, SearchState
from newsloom.kernel.ids import CandidateId
from store.builders import NOW

from .made import HIT, JUDGED, ONE, PAGE, USER, VECTOR

CALLS = {
    "coverage_wanted": lambda s: s.coverage.coverage_wanted(USER),
    "coverage_readers": lambda s: s.coverage.coverage_readers(),
    "switch_coverage": lambda s: s.coverage.switch_coverage(USER, on=True, now=NOW),
    "choose_coverage": lambda s: s.coverage.choose_coverage(USER, [ONE], "by hand", NOW),
    "chosen_since": lambda s: s.coverage.chosen_since(USER, "by hand", NOW),
    "coverage_search": lambda s: s.coverage.coverage_search(ONE),
    "coverage_searches": lambda s: s.coverage.coverage_searches(SearchState.CHOSEN, NOW, 1),
    "put_prepared": lambda s: s.coverage.put_prepared(ONE, Prepared(("a b",)), "rules", NOW),
    "put_off_coverage": lambda s: s.coverage.put_off_coverage(ONE, NOW, "why"),
    "put_hits": lambda s: s.coverage.put_hits(ONE, [HIT], NOW),
    "coverage_list": lambda s: s.coverage.coverage_list(USER, 1),
    "cached_answer": lambda s: s.coverage.cached_answer("key", NOW),
    "reserve_search": lambda s: s.coverage.reserve_search("key", "x.test", NOW, 1),
    "put_answer": lambda s: s.coverage.put_answer(1, [HIT]),
    "forget_answers": lambda s: s.coverage.forget_answers(NOW),
    "candidates": lambda s: s.coverage.candidates(ONE),
    "candidates_in": lambda s: s.coverage.candidates_in(CandidateState.FOUND, 1),
    "put_ranked": lambda s: s.coverage.put_ranked(ONE, [(CandidateId(1), 0.5, 1)], NOW),
    "put_resolved": lambda s: s.coverage.put_resolved(
        CandidateId(1), "https://x.test/a", "x.test", "", NOW
    ),
    "right_places": lambda s: s.coverage.right_places(USER, "x.test", NOW),
    "coverage_page": lambda s: s.coverage.coverage_page("key"),
    "begin_page": lambda s: s.coverage.begin_page("key", "https://x.test/a", NOW, NOW),
    "put_coverage_page": lambda s: s.coverage.put_coverage_page(PAGE),
    "put_fetched": lambda s: s.coverage.put_fetched(
        [CandidateId(1)], None, CandidateState.FAILED, "why", NOW
    ),
    "twin_of": lambda s: s.coverage.twin_of(CandidateId(1), "https://x.test/a"),
    "unmeasured_coverage": lambda s: s.coverage.unmeasured_coverage(NOW, 1),
    "unjudged_coverage": lambda s: s.coverage.unjudged_coverage(NOW, 1),
    "put_likeness": lambda s: s.coverage.put_likeness({CandidateId(1): 0.5}),
    "put_judgement": lambda s: s.coverage.put_judgement(JUDGED),
    "page_of": lambda s: s.coverage.page_of(CandidateId(1)),
    "coverage_judgements": lambda s: s.coverage.coverage_judgements(CandidateId(1)),
    "hit_vectors": lambda s: s.coverage.hit_vectors("m", ["key"]),
    "put_hit_vectors": lambda s: s.coverage.put_hit_vectors("m", ["key"], VECTOR, NOW),
    "covered": lambda s: s.coverage.covered(USER, ONE, 0.7),
    "reject_coverage": lambda s: s.coverage.reject_coverage(USER, CandidateId(1), NOW),
    "repeated_sources": lambda s: s.coverage.repeated_sources(USER, NOW, 1),
    "coverage_status": lambda s: s.coverage.coverage_status(USER, NOW),
}
READS = {
    "cached_answer",
    "candidates",
    "candidates_in",
    "chosen_since",
    "coverage_judgements",
    "coverage_list",
    "coverage_page",
    "coverage_readers",
    "coverage_search",
    "coverage_searches",
    "coverage_status",
    "coverage_wanted",
    "covered",
    "hit_vectors",
    "page_of",
    "repeated_sources",
    "right_places",
    "twin_of",
    "unjudged_coverage",
    "unmeasured_coverage",
}
