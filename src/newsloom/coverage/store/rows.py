"""Rows of the tables of related coverage as values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, select

from newsloom.coverage.store.tables import coverage_candidates, coverage_readers, coverage_searches
from newsloom.coverage.values import (
    CandidateState,
    CoverageHit,
    CoveragePage,
    CoverageSearch,
    Hit,
    Prepared,
    SearchState,
)
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import ArticleId, CandidateId, CoveragePageId, UserId


def wanted() -> ColumnElement[bool]:
    """That the reader of a search still wants it: of those who do not, nothing is asked."""
    return coverage_searches.c.user_id.in_(
        select(coverage_readers.c.user_id).where(coverage_readers.c.wanted.is_(True))
    )


def search(row: Row[Any]) -> CoverageSearch:
    return CoverageSearch(
        article=ArticleId(row.article_id),
        user=UserId(row.user_id),
        because=row.because,
        chosen=row.chosen_at,
        state=SearchState(row.state),
        prepared=None if row.prepared is None else prepared(row.prepared),
        prepared_by=row.prepared_by,
        tries=row.tries,
        problem=row.problem,
    )


def prepared(said: Mapping[str, Any]) -> Prepared:
    return Prepared(
        **{name: tuple(said[name]) for name in ("queries", "entities", "keywords", "tickers")}
    )


def prepared_values(one: Prepared) -> dict[str, list[str]]:
    return {
        "queries": list(one.queries),
        "entities": list(one.entities),
        "keywords": list(one.keywords),
        "tickers": list(one.tickers),
    }


def candidate(row: Row[Any]) -> CoverageHit:
    return CoverageHit(
        id=CandidateId(row.id),
        article=ArticleId(row.article_id),
        hit=Hit(
            key=row.key,
            link_key=row.link_key,
            link=row.link,
            title=row.title,
            source=row.source,
            source_url=row.source_url,
            published=row.published_at,
            provider=row.provider,
        ),
        state=CandidateState(row.state),
        similarity=row.similarity,
        place=row.place,
        url=row.url,
        page=None if row.page_id is None else CoveragePageId(row.page_id),
        problem=row.problem,
    )


def page(row: Row[Any]) -> CoveragePage:
    return CoveragePage(
        id=CoveragePageId(row.id),
        key=row.key,
        url=row.url,
        at=row.at,
        tries=row.tries,
        address=row.address,
        title=row.title,
        text=row.body,
        failure=row.failure,
        problem=row.problem,
        next_at=row.next_at,
    )


def hit_values(one: Hit) -> dict[str, Any]:
    """As JSON can hold it."""
    return {
        "key": one.key,
        "link_key": one.link_key,
        "link": one.link,
        "title": one.title,
        "source": one.source,
        "source_url": one.source_url,
        "published": None if one.published is None else micros(one.published),
        "provider": one.provider,
    }


def hit(said: Mapping[str, Any]) -> Hit:
    at = said["published"]
    published: datetime | None = None if at is None else moment(at)
    return Hit(**{**said, "published": published})


def in_state(state: CandidateState) -> ColumnElement[bool]:
    return coverage_candidates.c.state == str(state)
