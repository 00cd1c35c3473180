"""An article with whose it is, as summaries are made of it. Pure."""

from __future__ import annotations

from newsloom.sources.authority import owner_of
from newsloom.sources.table import source_of
from newsloom.types import ArticleText, DigestArticle


def credited(one: ArticleText) -> DigestArticle:
    """With the owner of its source, and nothing of any reader."""
    return DigestArticle(
        id=one.id,
        title=one.title,
        url="",
        source=source_of(one.source),
        publisher=one.source,
        owner=owner_of(one.source),
        tier=0,
        category="",
        language=one.language,
        published=one.dated,
        importance=0.0,
        text=one.text,
    )
