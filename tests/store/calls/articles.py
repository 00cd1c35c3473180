"""Calls of `store.articles`; those of them that only read."""

from __future__ import annotations

from newsloom.importance.values import ReaderPoints
from newsloom.ranking.values.models import PlainText, Rating, Score
from newsloom.work.values import StageKey
from store.builders import HALF_LIVES, NOW

from .made import BACKGROUND, FEED, LEASE, ONE, USER, VECTOR, WEIGHED

CALLS = {
    "nearest": lambda s: s.articles.nearest("m", VECTOR[0], limit=1),
    "nearest_each": lambda s: s.articles.nearest_each("m", VECTOR, limit=1),
    "page_texts": lambda s: s.articles.page_texts([ONE]),
    "latest_texts": lambda s: s.articles.latest_texts([FEED], 1),
    "leased_texts": lambda s: s.articles.leased_texts(LEASE, 1),
    "leased_vectors": lambda s: s.articles.leased_vectors(LEASE, 1),
    "leased_ratings": lambda s: s.articles.leased_ratings(LEASE, 1),
    "sole_producers": lambda s: s.articles.sole_producers("relevance"),
    "leased_scores": lambda s: s.articles.leased_scores(LEASE, 1),
    "put_texts": lambda s: s.articles.put_texts("v", [PlainText(ONE, "t", "x")]),
    "vector_counts": lambda s: s.articles.vector_counts(),
    "vectors_begun": lambda s: s.articles.vectors_begun("m"),
    "languages_before_vectors": lambda s: s.articles.languages_before_vectors(),
    "begin_vectors": lambda s: s.articles.begin_vectors("m"),
    "ratings_wanting": lambda s: s.articles.ratings_wanting(
        StageKey("sensitivity", "m", ("encoder@1",))
    ),
    "vectors_wanting": lambda s: s.articles.vectors_wanting("m", "embed anew"),
    "remove_vectors": lambda s: s.articles.remove_vectors("m", 1),
    "put_vectors": lambda s: s.articles.put_vectors("m", [ONE], VECTOR),
    "put_ratings": lambda s: s.articles.put_ratings("m", [ONE], [Rating(1, 1.0)], NOW),
    "put_scores": lambda s: s.articles.put_scores(USER, "m", [Score(ONE, 1.0, 1)], HALF_LIVES),
    "vectors": lambda s: s.articles.vectors("m", [ONE]),
    "teasers": lambda s: s.articles.teasers([ONE]),
    "texts": lambda s: s.articles.texts([ONE]),
    "rating": lambda s: s.articles.rating("m", ONE),
    "rating_makers": lambda s: s.articles.rating_makers("m"),
    "rated_articles": lambda s: s.articles.rated_articles("m", "v"),
    "leased_importance": lambda s: s.articles.leased_importance(LEASE, 1),
    "put_importance": lambda s: s.articles.put_importance("m", [WEIGHED]),
    "importance": lambda s: s.articles.importance([ONE]),
    "leased_points": lambda s: s.articles.leased_points(LEASE, 1),
    "put_points": lambda s: s.articles.put_points(USER, "m", [ReaderPoints(ONE, 1.0, 1.0)]),
    "term_background": lambda s: s.articles.term_background(),
    "put_term_background": lambda s: s.articles.put_term_background(BACKGROUND),
    "newest_originals": lambda s: s.articles.newest_originals(ONE, 1),
}
READS = {
    "importance",
    "languages_before_vectors",
    "latest_texts",
    "page_texts",
    "leased_importance",
    "leased_points",
    "leased_ratings",
    "leased_scores",
    "leased_texts",
    "leased_vectors",
    "nearest",
    "nearest_each",
    "newest_originals",
    "rated_articles",
    "rating",
    "sole_producers",
    "rating_makers",
    "teasers",
    "term_background",
    "texts",
    "vector_counts",
    "vectors_begun",
    "vectors",
    "ratings_wanting",
    "vectors_wanting",
}
