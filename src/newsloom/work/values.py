"""Values of stage work: what is computed, who holds a range of it, what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from newsloom.kernel.ids import ArticleId


class WorkKey(NamedTuple):
    """Where an article stands in the order of its stage. No two stand in one place."""

    at: int  # its id, or for relevance its date in microseconds
    article: int


@dataclass(frozen=True, slots=True)
class StageKey:
    """One kind of result, by one maker."""

    stage: str  # a row of store.pending.SOURCES
    producer: str  # the model or the version whose results they are
    inputs: tuple[str, ...] = ()  # the makers of what it is computed from
    scope: int = 0  # the reader it is computed for; 0: all readers

    @property
    def name(self) -> str:
        """As it is kept and shown."""
        return f"{self.stage} {self.producer}"


@dataclass(frozen=True, slots=True)
class Lease:
    """A range of a stage that one worker computes. Nobody else takes articles in it meanwhile."""

    key: StageKey
    low: WorkKey
    high: WorkKey
    ids: tuple[ArticleId, ...]  # in the order of the stage; what else is in the range waits
    token: str  # known to its holder alone
    owner: str
    attempts: int = 0  # how often workers ended without a result of it


@dataclass(frozen=True, slots=True)
class Batch:
    """What was read under a lease."""

    lease: Lease
    versions: Mapping[ArticleId, str]  # what tells the text that each article had
    following: Lease | None = None  # what could be leased after it; not held


@dataclass(frozen=True, slots=True)
class Put:
    """What became of results."""

    stored: int  # those whose text is still the one they were computed from
    next: Lease | None = None  # taken in the same transaction


@dataclass(frozen=True, slots=True)
class HeldBatch:
    """A batch that a living worker computes, as others see it."""

    stage: str  # the name of its StageKey
    scope: int
    articles: int
    owner: str  # "host:pid:start", see store.owners
    until: datetime  # when it is taken for dead, if it says nothing before


@dataclass(frozen=True, slots=True)
class SetAside:
    """An article that a stage leaves out for a while, because its worker failed on it."""

    stage: str  # the name of its StageKey
    scope: int
    article: ArticleId
    title: str
    attempts: int
    error: str
    retry: datetime  # when it is tried again; a new version of its text is tried at once
