"""A digest and its memory as plain values for the database, and back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from enum import Enum
from typing import Any

from newsloom.briefs.values import BriefScript
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestKind,
    DigestTopic,
    FeedReport,
    Memory,
    Remembered,
    Sentence,
    Trend,
)
from newsloom.kernel.ids import ArticleId

Values = dict[str, Any]


def values(digest: Digest | Memory | BriefScript) -> Values:
    """What JSON can hold; times in ISO 8601, sets as sorted lists."""
    written = _plain(asdict(digest))
    assert isinstance(written, dict)
    return written


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, datetime) else value


def read_digest(data: Values) -> Digest:
    """The value of what `values` wrote."""
    return Digest(
        kind=DigestKind(data["kind"]),
        begin=datetime.fromisoformat(data["begin"]),
        end=datetime.fromisoformat(data["end"]),
        zone=data["zone"],
        title=data["title"],
        top=tuple(map(_topic, data["top"])),
        noteworthy=tuple(map(_topic, data["noteworthy"])),
        mentioned=tuple(map(_topic, data["mentioned"])),
        feeds=_report(data["feeds"]),
        relaxed=data["relaxed"],
        followed=tuple(map(_topic, data.get("followed", ()))),  # older ones were kept without
        address=data.get("address", ""),
        for_you=tuple(map(_topic, data.get("for_you", ()))),
        roundups=tuple(map(read_article, data.get("roundups", ()))),
    )


def read_memory(data: Values) -> Memory:
    """The value of what `values` wrote."""
    return Memory(
        topics=tuple(map(_remembered, data["topics"])),
        sources=data["sources"],
        newest=None if data["newest"] is None else ArticleId(data["newest"]),
        told=tuple(data.get("told", ())),  # older ones were kept without
    )


def _topic(data: Values) -> DigestTopic:
    return DigestTopic(
        **{
            **data,
            "lead": read_article(data["lead"]),
            "related": tuple(map(read_article, data["related"])),
            "summary": tuple(map(_sentence, data["summary"])),
        }
    )


def read_article(data: Values) -> DigestArticle:
    """An article of what `values` wrote."""
    return DigestArticle(**{**data, "published": datetime.fromisoformat(data["published"])})


def _sentence(data: Values) -> Sentence:
    return Sentence(**{**data, "articles": tuple(map(ArticleId, data["articles"]))})


def _report(data: Values) -> FeedReport:
    return FeedReport(
        **{
            **data,
            "emerging": tuple(map(_trend, data["emerging"])),
            "declining": tuple(map(_trend, data["declining"])),
        }
    )


def _trend(data: Values) -> Trend:
    return Trend(**{**data, "counts": tuple(data["counts"])})


_SETS = frozenset(one.name for one in fields(Remembered)) & {"words", "numbers", "names"}


def _remembered(data: Values) -> Remembered:
    sets = {name: frozenset(data[name]) for name in _SETS}
    return Remembered(**{**data, **sets, "articles": tuple(map(ArticleId, data["articles"]))})
