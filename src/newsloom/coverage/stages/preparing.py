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
from newsloom.ranking.values.models import ArticleText
from newsloom.store import Store

MOST = 50  # articles in one pass

# (title, text, language): weighted terms.
Weigh = Callable[[str, str, str], "dict[str, float]"]


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
