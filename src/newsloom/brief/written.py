"""A script as plain values for the database, and back. Pure."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from newsloom.types import (
    ArticleId,
    BriefChapter,
    BriefLine,
    BriefScript,
    DigestArticle,
    LineKind,
)


def values(script: BriefScript) -> dict[str, Any]:
    """What JSON can hold; times in ISO 8601."""
    written: dict[str, Any] = asdict(script)
    written["begin"], written["end"] = script.begin.isoformat(), script.end.isoformat()
    for kept, article in zip(written["articles"], script.articles, strict=True):
        kept["published"] = article.published.isoformat()
    return written


def read_script(kept: dict[str, Any]) -> BriefScript:
    """The value of what `values` wrote."""
    return BriefScript(
        **{
            **kept,
            "begin": datetime.fromisoformat(kept["begin"]),
            "end": datetime.fromisoformat(kept["end"]),
            "chapters": tuple(map(_chapter, kept["chapters"])),
            "articles": tuple(map(_article, kept["articles"])),
        }
    )


def _chapter(kept: dict[str, Any]) -> BriefChapter:
    return BriefChapter(**{**kept, "lines": tuple(map(_line, kept["lines"]))})


def _line(kept: dict[str, Any]) -> BriefLine:
    return BriefLine(
        **{
            **kept,
            "kind": LineKind(kept["kind"]),
            "articles": tuple(map(ArticleId, kept["articles"])),
        }
    )


def _article(kept: dict[str, Any]) -> DigestArticle:
    return DigestArticle(**{**kept, "published": datetime.fromisoformat(kept["published"])})
