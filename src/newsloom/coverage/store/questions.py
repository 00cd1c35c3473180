"""What a language model is asked about related coverage, and its decisions with what they say of
publishers.

Functions within a transaction of the caller's: see coverage/purposes/preprocess.py and coverage.py.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from newsloom.articles.store.derived import article_texts
from newsloom.coverage.quality import Policy
from newsloom.coverage.relevance import hopeless, judged
from newsloom.coverage.store import rows
from newsloom.coverage.store.judgements import page_of, put_judgement, unjudged
from newsloom.coverage.store.quality import record_outcomes
from newsloom.coverage.store.tables import coverage_searches
from newsloom.coverage.values import CoverageJudgement, CoverageQuestion, SearchState
from newsloom.ranking.values.models import ArticleText

# An older report is read no more.
ASKED_ABOUT = timedelta(days=7)

_SEARCHES = coverage_searches.c


def unprepared(connection: Connection, limit: int) -> tuple[ArticleText, ...]:
    """Chosen articles without queries, the first chosen first."""
    query = (
        select(_SEARCHES.article_id)
        .where(_SEARCHES.state == str(SearchState.CHOSEN), rows.wanted())
        .order_by(_SEARCHES.chosen_at, _SEARCHES.article_id)
        .limit(limit)
    )
    ids = [row.article_id for row in connection.execute(query)]
    found = article_texts(connection, ids)
    return tuple(found[one] for one in ids if one in found)


def undecided(connection: Connection, now: datetime, limit: int) -> tuple[CoverageQuestion, ...]:
    """Pages that have something in common with their article."""
    found = unjudged(connection, now - ASKED_ABOUT, limit)
    return tuple(one for one in found if not hopeless(one.similarity))


def put_decision(connection: Connection, judgement: CoverageJudgement, policy: Policy) -> bool:
    """A model's decision, and what it says of the publisher. Whether the page waited for it."""
    if not put_judgement(connection, judgement):
        return False
    outcome = judged(page_of(connection, judgement.candidate), judgement, model=True)
    record_outcomes(connection, [outcome], judgement.at, policy)
    return True
