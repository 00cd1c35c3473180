"""A brief's script as plain values for the database, and back. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from newsloom.briefs.values.briefs import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.digests import written
from newsloom.kernel.ids import ArticleId

Values = dict[str, Any]


def values(script: BriefScript) -> Values:
    """What JSON can hold; times in ISO 8601."""
    return written.values(script)


def read_script(kept: Values) -> BriefScript:
    """The script of what `values` wrote."""
    return BriefScript(
        language=kept["language"],
        title=kept["title"],
        begin=datetime.fromisoformat(kept["begin"]),
        end=datetime.fromisoformat(kept["end"]),
        zone=kept["zone"],
        minutes=kept["minutes"],
        chapters=tuple(map(_chapter, kept["chapters"])),
        articles=tuple(map(written.read_article, kept["articles"])),
        notice=kept["notice"],
    )


def _chapter(kept: Values) -> BriefChapter:
    return BriefChapter(kept["title"], tuple(map(_line, kept["lines"])), kept["key"])


def _line(kept: Values) -> BriefLine:
    articles = tuple(map(ArticleId, kept["articles"]))
    return BriefLine(kept["text"], LineKind(kept["kind"]), articles, kept["written_by"])
