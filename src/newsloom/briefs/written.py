"""A brief's script, read from the plain values in the database. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.digests import written
from newsloom.kernel.ids import ArticleId

Values = dict[str, Any]


def read_script(data: Values) -> BriefScript:
    """The script of what `digests.written.values` wrote."""
    return BriefScript(
        language=data["language"],
        title=data["title"],
        begin=datetime.fromisoformat(data["begin"]),
        end=datetime.fromisoformat(data["end"]),
        zone=data["zone"],
        minutes=data["minutes"],
        chapters=tuple(map(_chapter, data["chapters"])),
        articles=tuple(map(written.read_article, data["articles"])),
        notice=data["notice"],
    )


def _chapter(data: Values) -> BriefChapter:
    return BriefChapter(data["title"], tuple(map(_line, data["lines"])), data["key"])


def _line(data: Values) -> BriefLine:
    articles = tuple(map(ArticleId, data["articles"]))
    return BriefLine(data["text"], LineKind(data["kind"]), articles, data["written_by"])
