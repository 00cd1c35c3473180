"""Why an article stands where it stands: what its score is made of, and who judged it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from newsloom.importance.service.importance import signal_parts
from newsloom.kernel.errors import NotFound
from newsloom.llm import purpose
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.learning import explain, label_weights
from newsloom.ranking.scoring import UNSCORED_HALF_LIFE, remaining
from newsloom.ranking.values.models import Explanation, Rating, Reason
from newsloom.rules.service import rules
from newsloom.stories.service.stories import lift, reason, subscription_of

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import ArticleId
    from newsloom.ranking.ports import Embedder, RelevanceModel, Vectors
    from newsloom.ranking.values.models import ArticleText, StorySubscription
    from newsloom.reading.values.reading import Listed

# How many of the reader's likes and dislikes an explanation is compared with: all that a person
# would remember having made, few enough that a page opens at once.
EXPLAINED_LABELS = 2_000

# Articles whose titles without each word stay embedded: a dozen vectors and texts each, some 30 KB.
EXPLAINED_ARTICLES = 256


def why(reader: Reader, article: ArticleId) -> Explanation:
    """Why an article stands where it stands. Raises NotFound."""

    now = reader.now()
    half_lives = reader.half_lives_in_force()
    found = reader.store.lists.listed(reader.user, [article], now, half_lives)
    if not found:
        raise NotFound(f"There is no article {article} in your feeds.")
    listed = found[0]
    in_list = reader.listed([article])[0]
    best = [] if in_list.stands_by is None else [in_list.stands_by]
    by = reader.store.lists.listed(reader.user, best, now, half_lives)
    active = reader.active_relevance(reader.user)
    model = active.model
    rating, rated_by, beside = _rating(reader, article)
    half_life = half_lives[listed.sensitivity] if listed.scored else UNSCORED_HALF_LIFE
    story = subscription_of(reader, listed)
    by_rules = reader.store.rules.rule_effects(reader.user, [article]).get(article)
    reasons, words, marks = _reasons(reader, rules.without(listed, by_rules), model, story)
    reasons = (*reasons, *rules.reasons(listed, by_rules))
    delayed = reader.delays(reader.user).words(listed.feed_id) if listed.scored else ""
    age = max(now - listed.sort_date, timedelta(0))
    return Explanation(
        listed=listed,
        personal=model.personal,
        made_by=active.made_by,
        reasons=reasons,
        rating=rating or Rating(listed.sensitivity, 0.0, "not rated yet"),
        half_life=half_life,
        age=age,
        remaining=remaining(age, half_life),
        words=words,
        rated_by=rated_by,
        beside=beside,
        delayed=delayed,
        stands_by=by[0] if by else None,
        signals=signal_parts(reader, article),
        story=story,
        sentence=_sentence(reasons, marks),
    )


def _sentence(reasons: tuple[Reason, ...], marks: str) -> str:
    """The main reason: a rule or a followed story, likes or dislikes, an interest, a feed."""
    own = next((one for one in reasons if one.kind in {"rule", "story"} and one.effect), None)
    if own is not None:
        return f"{own.text[:1].upper()}{own.text[1:]}."
    if marks:
        return marks
    for one in sorted(reasons, key=lambda one: -abs(one.effect)):
        if one.kind == "interest" and one.effect > 0:
            return f"It matches your interest “{one.text}”."
        if one.kind in {"feed", "category"} and one.effect:
            often = "often" if one.effect > 0 else "rarely"
            return f"You {often} like articles of this {one.kind}."
    return "Nothing you marked affects it yet: its importance and age set its place."


def _rating(reader: Reader, article: ArticleId) -> tuple[Rating | None, str, str]:
    """The rating in force, whose it is, and what the built-in judge says beside it."""
    judge = reader.sensitivity_model()
    own = reader.store.articles.rating(judge, article)
    text = reader.language_model
    rating = reader.store.articles.rating(text, article) if text else None
    if rating is None:
        return own, _rated_by(judge) if own else "", ""
    if own is None:
        return rating, _rated_by(text), ""

    held = purpose.held(own.rating, rating.rating)
    far = f"it rated {rating.rating}, limited to near " if held != rating.rating else ""
    beside = f"{far}the built-in model, which rates {own.rating}: {own.explanation}"
    return replace(rating, rating=held), _rated_by(text), beside


def _reasons(
    reader: Reader, listed: Listed, model: RelevanceModel, story: StorySubscription | None
) -> tuple[tuple[Reason, ...], tuple[Reason, ...], str]:
    """What the base score is made of, with what is near; the words of the title; the likes or
    dislikes like it, in a sentence."""

    texts = reader.store.articles.texts([listed.id])
    vector_model = reader.embedder().model_id
    vectors = reader.store.articles.vectors(vector_model, [listed.id])
    if not texts or listed.id not in vectors:
        unread = (Reason("prior", "it has no vector yet"),)
        waiting = [reason(story, 0.0)] if story else []
        return (*explain.whole(unread, listed.relevance), *waiting), (), ""
    text, vector = texts[0], vectors[listed.id]
    category = next(
        (one.category for one in reader.subscriptions() if one.feed_id == text.feed_id), ""
    )
    labels = label_weights.spoken(reader.store.models.labels(reader.user))[-EXPLAINED_LABELS:]
    known = reader.store.articles.vectors(vector_model, [one.article.id for one in labels])
    labels = [one for one in labels if one.article.id in known]
    blend = reader.importance_services().blend_with(model)
    modelled = 50.0 + sum(one.effect for one in model.parts(text, vector, category))
    without = blend.of(modelled, listed.points) if listed.points else modelled
    lifted = lift(story, listed.relevance, without)
    blended = listed.relevance - lifted
    base = blend.relevance(blended, listed.points) if listed.points else blended
    label_vectors = np.array([known[one.article.id] for one in labels], np.float32)
    reasons = explain.reasons(model, text, vector, category, base, labels, label_vectors)
    marks = explain.by_marks(text, vector, labels, label_vectors, liked=modelled >= 50.0)
    if story is not None:
        reasons = (*reasons, reason(story, lifted))
    if base != blended:
        setting = "in_ranking" if model.personal else "in_first_ranking"
        words = f"its importance, {blend.share:.0%} of the score (setting importance.{setting})"
        reasons = (*reasons, Reason("importance", words, blended - base))
    return reasons, explain.word_reasons(_terms(reader, text, vector, category, model)), marks


def _terms(
    reader: Reader, article: ArticleText, vector: Vectors, category: str, model: RelevanceModel
) -> tuple[tuple[str, float], ...]:
    """What each word of the title brings: the score with it less the score without it."""

    without = explain.without_each(article.title)
    articles = [article, *(replace(article, title=title) for _word, title in without)]
    texts = [embedding_text(one.title, one.text) for one in articles[1:]]
    vectors = np.stack([vector, *_embedded(reader.embedder(), tuple(texts))])
    whole, *left = model.score(articles, vectors, [category] * len(articles)).tolist()
    words = [word for word, _title in without]
    return explain.term_effects(whole, zip(words, left, strict=True))


@lru_cache(EXPLAINED_ARTICLES)
def _embedded(embedder: Embedder, texts: tuple[str, ...]) -> Vectors:
    """Vectors, cached for all readers: making them is most of the time of an explanation."""
    return embedder.embed(texts)


def _rated_by(producer: str) -> str:
    """Who judged how fast an article expires, in words."""
    if producer.startswith(purpose.CHAT):
        return f"the language model {producer.removeprefix(purpose.CHAT).rpartition('/')[0]}"
    return f"the built-in model ({producer})" if producer.startswith("ordinal") else producer
