"""Which questions a round asks: those of every purpose, by priority, each different one once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic

from newsloom.llm.budget import allot, lenders
from newsloom.llm.purpose import Purpose, Question, Window

if TYPE_CHECKING:
    from newsloom.store import Store

# A question waits when so many answers to it were unusable lately.
MOST_UNUSABLE = 2
LATELY = timedelta(days=1)


@dataclass(slots=True)
class Task(Generic[Question]):
    """Questions of one purpose that are the same question, about one or several subjects."""

    purpose: Purpose[Question, Any]
    question_hash: str
    answer: str = ""  # what was answered to it before
    unusable: int = 0  # answers to it lately that were
    questions: list[Question] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Picked:
    """The questions of one round."""

    tasks: tuple[Task[Any], ...] = ()
    more: frozenset[str] = frozenset()  # purposes that have more to ask than this
    lent: frozenset[str] = frozenset()  # purposes that lend their shares of the tokens


@dataclass(frozen=True, slots=True)
class Picker:
    """Finds what is waiting. Each call reads the store; none writes."""

    store: Store
    model: str
    context_tokens: int

    def pick(self, purposes: Sequence[Purpose[Any, Any]], now: datetime, limit: int) -> Picked:
        """At most `limit` questions, those with an unusable answer lately after the others."""
        waiting = {one.name: self._waiting(one, now, limit) for one in purposes}
        counts = {name: len(found) for name, found in waiting.items()}
        places = allot(limit, {one.name: one.share for one in purposes}, counts)
        tasks: list[Task[Any]] = []
        for one in purposes:
            tasks += self._tasks(one, waiting[one.name][: places[one.name]])
        return Picked(
            tuple(tasks),
            frozenset(name for name, n in counts.items() if n == limit or n > places[name]),
            lenders([name for name, count in counts.items() if not count], now),
        )

    def _waiting(
        self, purpose: Purpose[Question, Any], now: datetime, limit: int
    ) -> Sequence[tuple[str, int, Question]]:
        """The question's hash, and how many answers to it were unusable, before each."""
        producer = purpose.producer(self.model)
        unusable = self.store.models.unusable_answers(producer, now - LATELY)
        # So many more are looked at: some of those found will wait.
        window = Window(producer, now, limit + len(unusable))
        with self.store.database.read() as connection:
            found = purpose.pending(connection, window)
        hashes = [purpose.question_hash(one, self.context_tokens) for one in found]
        hashed = [
            (one, unusable.get(one, 0), question)
            for one, question in zip(hashes, found, strict=True)
        ]
        asked = [one for one in hashed if one[1] < MOST_UNUSABLE]
        return sorted(asked, key=lambda one: one[1])[:limit]

    def _tasks(
        self, purpose: Purpose[Question, Any], hashed: Sequence[tuple[str, int, Question]]
    ) -> Sequence[Task[Question]]:
        producer = purpose.producer(self.model)
        tries = {one: unusable for one, unusable, _question in hashed}
        known = self.store.models.used_answers(producer, list(tries))
        tasks = {one: Task(purpose, one, known.get(one, ""), n) for one, n in tries.items()}
        for question_hash, _unusable, question in hashed:
            tasks[question_hash].questions.append(question)
        return list(tasks.values())
