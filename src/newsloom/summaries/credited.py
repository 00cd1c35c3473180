"""An article with whose it is, as summaries are made of it. Pure."""

from __future__ import annotations

from newsloom.articles.publishers import domain_name
from newsloom.digests.values import DigestArticle
from newsloom.importance.sources.speaking import credited_source, speaker
from newsloom.importance.sources.table import source_of
from newsloom.ranking.values.models import ArticleText


def credited(one: ArticleText) -> DigestArticle:
    """With the owner of its source, and nothing of any reader."""
    source = credited_source(one.source, one.feed_url)
    return DigestArticle(
        id=one.id,
        title=one.title,
        url="",
        source=source_of(source),
        publisher=domain_name(source),
        owner=speaker(one.source, (one.feed_url,) if one.feed_url else ()),
        tier=0,
        category="",
        language=one.language,
        published=one.dated,
        importance=0.0,
        text=one.text,
    )
