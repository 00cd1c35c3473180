"""Layers guid and url as polling applies them, wholly in memory. Judges by dedup; stores nothing.

The order of arrival is that of the calls, as it is in a store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from newsloom.duplicates.arrival import keys
from newsloom.duplicates.decide import judge_document
from newsloom.duplicates.values import Action, Copy, IncomingArticle, JudgedArticle, Relation
from newsloom.kernel.ids import ArticleId


class Arrivals:
    """What has been stored so far: each copy under its keys."""

    def __init__(self) -> None:
        self.copies: dict[ArticleId, Copy] = {}
        self._under: dict[tuple[str, str], dict[ArticleId, None]] = defaultdict(dict)

    def take(self, document: Sequence[IncomingArticle]) -> list[tuple[ArticleId, JudgedArticle]]:
        """Judge the articles of one document and keep what is new: each with its own id now.

        The id of what is unchanged or revised is that of the article it is.
        """
        wanted = {key for one in document for key in one.keys}
        candidates = {
            key: [self.copies[article] for article in sorted(self._under[key])]
            for key in wanted
            if key in self._under
        }
        return [(self._kept(one), one) for one in judge_document(document, candidates)]

    def _kept(self, one: JudgedArticle) -> ArticleId:
        action, target = one.judgement.action, one.judgement.target
        if target is None or action is Action.DUPLICATE:
            article = ArticleId(len(self.copies) + 1)
            one_text = one.judgement.relation is Relation.SAME_TEXT
            original = self.copies[target].original if target and one_text else article
            self._put(replace(one.incoming.copy, id=article, original=original), one.incoming)
            return article
        if action is Action.REVISED:
            before = self.copies[target]
            for holders in [self._under[key] for key in keys(before)]:
                holders.pop(target, None)
            later = replace(
                one.incoming.copy, id=target, original=before.original, dated=before.dated
            )
            self._put(later, one.incoming)
        return target

    def _put(self, copy: Copy, incoming: IncomingArticle) -> None:
        assert copy.id is not None
        self.copies[copy.id] = copy
        for key in incoming.keys:
            self._under[key][copy.id] = None
