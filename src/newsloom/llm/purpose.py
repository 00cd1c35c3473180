"""What one purpose of asking a language model is made of. Knows no server and no budget."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from sqlalchemy import Connection


# What the producer of every answer of a language model begins with: "chat/<model>/<version>".
CHAT = "chat/"

# How many steps a language model may move an article away from the built-in judge, which is off by
# three or more in 2 of 1,000 rated articles (`newsloom eval sensitivity --fit cv`): further than
# two is a trick more often than a correction.
REACH = 2


def model_of(producer: str) -> str:
    """The name of the model behind the producer of an answer."""
    return producer.removeprefix(CHAT).rpartition("/")[0]


def held(own: int, told: int) -> int:
    """The rating in force: the language model's, at most REACH from the built-in judge's."""
    return max(own - REACH, min(told, own + REACH))


Question = TypeVar("Question")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent: two messages."""

    system: str
    user: str
    schema: Mapping[str, Any] | None = None  # narrower than the purpose's, as this question has it
    answer_tokens: int = 0  # where this answer is shorter than the purpose's may be

    @property
    def bytes(self) -> int:
        return len(self.system.encode()) + len(self.user.encode())


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that is not taken, and why."""

    words: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, for the audit row: Subject("article", "17")."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Window:
    """Which questions are wanted: so many that this producer has not answered."""

    producer: str  # the producer: model and version of the prompt
    now: datetime
    limit: int


@dataclass(frozen=True, slots=True)
class Source:
    """Who gave an answer, and when."""

    producer: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Purpose(Generic[Question, Answer]):
    """One kind of question.

    `pending` and `keep` run within a transaction of the runner's and go through functions of the
    store. `prompt` and `read` are pure.
    """

    name: str
    # Part of the producer's name, as "rubric@1", and of no other purpose: raise it with any change
    # of what is asked or of how answers are read, and all is asked anew.
    version: str
    schema: Mapping[str, Any]  # JSON schema of the answer, an object
    answer_tokens: int  # room for one answer
    share: float  # of the day's tokens that no other purpose may use, 0..1

    # At most `limit` questions without an answer, the most wanted first.
    pending: Callable[[Connection, Window], Sequence[Question]]
    subject: Callable[[Question], Subject]
    # (question, nonce, context tokens): cut so that it and its answer fit the context. The nonce
    # marks where text by strangers begins and ends.
    prompt: Callable[[Question, str, int], Prompt]
    # (answer, question): strict; whatever a server sends is an answer or words that say why not.
    parse: Callable[[str, Question], Answer | Unusable]
    # Stores an answer in the place of any before it, unless what was asked about has changed since.
    # Says whether it did.
    save: Callable[[Connection, Question, Answer, Source], bool]

    def producer(self, model: str) -> str:
        """The producer that answers of this model are stored under."""
        return f"{CHAT}{model}/{self.version}"

    def question_hash(self, question: Question, context_tokens: int) -> str:
        """The same for the same question, whatever the nonce."""
        prompt = self.prompt(question, "", context_tokens)
        whole = [self.name, self.version, prompt.system, prompt.user, dict(self.schema)]
        return hashlib.blake2b(json.dumps(whole).encode(), digest_size=16).hexdigest()
