"""A topic separates articles of one story that report different events."""

from __future__ import annotations

import numpy as np

from newsloom.digests.service.digests import events_apart
from newsloom.kernel.ids import ArticleId
from newsloom.stories.same_event import E5, MINILM
from newsloom.stories.values.pages import StoryId
from newsloom.topics.grouping import Topic

ARTICLES = [ArticleId(one) for one in range(1, 7)]


def directions(*degrees: float) -> dict[ArticleId, np.ndarray]:
    """Unit vectors by article."""
    turned = np.radians(degrees)
    rows = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    return dict(zip(ARTICLES, rows, strict=False))


def terms(*words: str) -> dict[ArticleId, dict[str, float]]:
    """Terms of length 1 by article, from its words."""
    found = {}
    for article, line in zip(ARTICLES, words, strict=False):
        own = line.split()
        found[article] = dict.fromkeys(own, 1 / max(len(own), 1) ** 0.5)
    return found


def test_what_is_unlike_the_first_article_of_its_story_is_another_event():
    """By terms and vectors together: 1, 2 and 5 share both; 3 and 4 only the name."""
    topic = Topic("", tuple(ARTICLES[:5]), {})
    own = terms(
        "floyd autopsy report",
        "floyd autopsy finding",
        "floyd march",
        "floyd march",
        "autopsy report",
    )
    vectors = directions(0, 20, 70, 75, 30)
    stories = dict.fromkeys(ARTICLES, StoryId(7))
    found = events_apart([topic], stories, own, vectors, MINILM)
    assert found == {1: 7, 2: 7, 3: -3, 4: -3, 5: 7}


def test_reports_in_two_languages_share_no_terms_and_may_be_one_event():
    """With vectors that are made for several languages; MiniLM's say too little alone."""
    topic, stories = Topic("", tuple(ARTICLES[:2]), {}), dict.fromkeys(ARTICLES, StoryId(7))
    own, vectors = terms("harbour strike", "hafen streik"), directions(0, 40)
    assert events_apart([topic], stories, own, vectors, E5) == {1: 7, 2: 7}
    assert events_apart([topic], stories, own, vectors, MINILM) == {1: 7, 2: -2}


def test_other_stories_keep_their_events():
    topics = [Topic("", tuple(ARTICLES[:3]), {}), Topic("", tuple(ARTICLES[3:]), {})]
    stories = {one: StoryId(7 if one in (1, 2, 4) else 8) for one in ARTICLES}
    own = terms(*["same words"] * 6)
    found = events_apart(topics, stories, own, directions(*[0] * 6), MINILM)
    assert found == stories


def test_articles_without_a_vector_or_a_story_are_compared_by_their_terms():
    topic = Topic("", tuple(ARTICLES[:4]), {})
    own = terms("harbour strike", "harbour strike", "museum opens", "")
    found = events_apart([topic], {}, own, directions(0), MINILM)
    assert found == {1: 0, 2: 0, 3: -3, 4: -4}
