"""A digest and its memory as plain values for the database, and back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from enum import Enum
from typing import Any

from newsloom.briefs.values.briefs import BriefScript
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


def read_digest(kept: Values) -> Digest:
    """The value of what `values` wrote."""
    return Digest(
        kind=DigestKind(kept["kind"]),
        begin=datetime.fromisoformat(kept["begin"]),
        end=datetime.fromisoformat(kept["end"]),
        zone=kept["zone"],
        title=kept["title"],
        top=tuple(map(_topic, kept["top"])),
        noteworthy=tuple(map(_topic, kept["noteworthy"])),
        mentioned=tuple(map(_topic, kept["mentioned"])),
        feeds=_report(kept["feeds"]),
        relaxed=kept["relaxed"],
        followed=tuple(map(_topic, kept.get("followed", ()))),  # older ones were kept without
        address=kept.get("address", ""),
    )


def read_memory(kept: Values) -> Memory:
    """The value of what `values` wrote."""
    return Memory(
        topics=tuple(map(_remembered, kept["topics"])),
        sources=kept["sources"],
        newest=None if kept["newest"] is None else ArticleId(kept["newest"]),
        told=tuple(kept.get("told", ())),  # older ones were kept without
    )


def _topic(kept: Values) -> DigestTopic:
    return DigestTopic(
        **{
            **kept,
            "lead": read_article(kept["lead"]),
            "related": tuple(map(read_article, kept["related"])),
            "summary": tuple(map(_sentence, kept["summary"])),
        }
    )


def read_article(kept: Values) -> DigestArticle:
    """An article of what `values` wrote."""
    return DigestArticle(**{**kept, "published": datetime.fromisoformat(kept["published"])})


def _sentence(kept: Values) -> Sentence:
    return Sentence(**{**kept, "articles": tuple(map(ArticleId, kept["articles"]))})


def _report(kept: Values) -> FeedReport:
    return FeedReport(
        **{
            **kept,
            "emerging": tuple(map(_trend, kept["emerging"])),
            "declining": tuple(map(_trend, kept["declining"])),
        }
    )


def _trend(kept: Values) -> Trend:
    return Trend(**{**kept, "counts": tuple(kept["counts"])})


_SETS = frozenset(one.name for one in fields(Remembered)) & {"words", "numbers", "names"}


def _remembered(kept: Values) -> Remembered:
    sets = {name: frozenset(kept[name]) for name in _SETS}
    return Remembered(**{**kept, **sets, "articles": tuple(map(ArticleId, kept["articles"]))})
