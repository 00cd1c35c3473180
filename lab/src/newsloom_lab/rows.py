"""Rows of articles put straight into a store, where polling them would take too long."""

from __future__ import annotations

from typing import Any

from newsloom.ranking import rank_key
from newsloom.ranking.scoring import UNSCORED_HALF_LIFE
from newsloom.ranking.values.models import ArticleText


def article_row(number: int, feed: int, article: ArticleText) -> dict[str, Any]:
    """A row of `articles`, as polling would have stored it."""
    url = f"https://{article.source or 'news.test'}/{number}"
    return {
        "id": number,
        "feed_id": feed,
        "original_id": number,
        "fullest_id": number,
        "guid": url,
        "url": url,
        "canonical_url": url,
        "source": article.source,
        "title": article.title,
        "language": article.language,
        "first_seen_at": article.dated,
        "dated_at": article.dated,
        "version_at": article.dated,
        "summary": article.text,
    }


def state_row(user: int, article: dict[str, Any]) -> dict[str, Any]:
    """The row of `states` of a reader who has not read it."""
    return {
        "user_id": user,
        "article_id": article["id"],
        "feed_id": article["feed_id"],
        "dated_at": article["dated_at"],
        "rank_key": rank_key.stored_key(
            rank_key.UNSCORED_RELEVANCE, article["dated_at"], UNSCORED_HALF_LIFE
        ),
    }
