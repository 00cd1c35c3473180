"""Queries for chosen articles: a language model's if it gives them in time, else by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.articles.entities.finder import Recognizer, entity_text
from newsloom.articles.entities.names import as_printed
from newsloom.articles.terms import first_words
from newsloom.coverage.preprocess import RULES, Facts, by_rules
from newsloom.coverage.values import SearchState
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.ranking.values.models import ArticleText
from newsloom.store import Store

# Which articles are searched for by themselves.

# What was reported earlier has been reported on, and news searches have forgotten it.
NOT_OLDER = timedelta(days=2)
DAY = timedelta(days=1)
BECAUSE = "important"  # why, as readers see it

# (reader, how many at most): the most important articles of the last days, the first first.
Important = Callable[[UserId, int], Sequence[ArticleId]]


@dataclass(frozen=True, slots=True)
class Choosing:
    """The first step."""

    store: Store
    now: Callable[[], datetime]
    important: Important
    per_day: int

    def run(self) -> int:
        """Choose for every reader who wants it; how many articles."""
        chosen = 0
        for user in self.store.coverage.coverage_readers():
            chosen += self._choose(user)
        return chosen

    def _choose(self, user: UserId) -> int:
        now = self.now()
        left = self.per_day - self.store.coverage.chosen_since(user, BECAUSE, now - DAY)
        if left <= 0:
            return 0
        found = self.important(user, self.per_day)
        # Of those found some were chosen before; only new ones count.
        new = [one for one in found if self.store.coverage.coverage_search(one) is None][:left]
        return len(self.store.coverage.choose_coverage(user, new, BECAUSE, now))


MOST = 50  # articles in one pass


@dataclass(frozen=True, slots=True)
class Preparing:
    """The second step."""

    store: Store
    now: Callable[[], datetime]
    recognizer: Callable[[], Recognizer]
    weigh: Callable[[str, str, str], object]
    patience: timedelta  # with a language model; 0: none is used

    def run(self) -> int:
        """How many articles have queries now."""
        now = self.now()
        waiting = self.store.coverage.coverage_searches(SearchState.CHOSEN, now, MOST)
        due = [one for one in waiting if now - one.chosen >= self.patience]
        if not due:
            return 0
        texts = {one.id: one for one in self.store.articles.texts([one.article for one in due])}
        done = 0
        for article, facts in zip(texts.values(), self._facts(list(texts.values())), strict=True):
            prepared = by_rules(facts)
            done += self.store.coverage.put_prepared(article.id, prepared, RULES, now)
        return done

    def _facts(self, articles: Sequence[ArticleText]) -> list[Facts]:
        found = self.recognizer().recognise([entity_text(one.title, one.text) for one in articles])
        return [
            Facts(
                title=one.title,
                text=one.text,
                language=one.language,
                names=tuple(
                    (name.kind, as_printed(name.name, f"{one.title}\n{one.text}")) for name in names
                ),
                rare=self._rare(one),
                publishers=(one.source,) if one.source else (),
            )
            for one, names in zip(articles, found, strict=True)
        ]

    def _rare(self, article: ArticleText) -> tuple[str, ...]:
        """The words of an article as printed, those that weigh most first."""
        weights = self.weigh(article.title, article.text, article.language)
        assert isinstance(weights, dict)
        words = first_words(f"{article.title}\n{article.text}", article.language)
        ranked = sorted(words, key=lambda term: (-weights.get(term, 0.0), term))
        return tuple(dict.fromkeys(words[term] for term in ranked))
