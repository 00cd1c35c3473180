"""Rules of a reader: what they ask of an article, and what they do to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from newsloom.kernel.ids import ArticleId, FeedId

RuleId = NewType("RuleId", int)


class RuleMatch(StrEnum):
    """How many of its conditions a rule needs."""

    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class RuleCondition:
    """One question: a row of `rules.conditions.CONDITIONS`, and what it looks for."""

    kind: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class RuleAction:
    """One thing to do: a row of `rules.actions.ACTIONS`, and how much or which."""

    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as its reader made it."""

    name: str
    match: RuleMatch
    conditions: tuple[RuleCondition, ...]
    actions: tuple[RuleAction, ...]
    last: bool = False  # where it matches, no later rule is looked at
    enabled: bool = True
    id: RuleId = RuleId(0)  # 0: not kept yet
    since: datetime | None = None  # when it was made or changed; what came before is not told of


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All rules of a reader, in their order. The version changes with each change of them."""

    rules: tuple[Rule, ...]
    version: int = 0


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """What rules may know of one article of one reader."""

    article: ArticleId
    title: str
    text: str  # plain, without the title
    author: str
    feeds: tuple[FeedId, ...]  # of the reader's, that carry it
    categories: tuple[str, ...]  # of those feeds, as the reader filed them
    language: str  # "en"; "" when it names none
    source: str  # host that published it
    links: tuple[str, ...]  # to the article, as its feed and its page have it
    tags: tuple[str, ...]  # that its feed gives it
    seen: datetime  # when it came
    dated: datetime
    spared: bool = False  # the reader took it back from the muted ones


@dataclass(frozen=True, slots=True)
class RuleDid:
    """One rule's part in an outcome."""

    rule: RuleId
    name: str
    action: str  # the name of its kind
    value: str = ""


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What a reader's rules come to for one article."""

    muted: bool = False
    raised: bool = False
    points: int = 0  # added to relevance, -100 to 100
    read: bool = False
    starred: bool = False
    notify: bool = False
    tags: tuple[str, ...] = ()
    did: tuple[RuleDid, ...] = ()  # in the order of the rules; of a muted one, what muted it


@dataclass(frozen=True, slots=True)
class Ruling:
    """An outcome, and the article it is for."""

    article: ArticleId
    outcome: RuleOutcome


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What rules did to an article that is not muted. `base`: its relevance without them."""

    points: int
    raised: bool
    base: float | None
    did: tuple[RuleDid, ...]


@dataclass(frozen=True, slots=True)
class MutedArticle:
    """An article that a rule keeps out of the reader's lists."""

    article: ArticleId
    title: str
    url: str
    feed_title: str
    dated: datetime
    muted_at: datetime
    rule: RuleId
    rule_name: str  # as it was then: the rule may be gone


@dataclass(frozen=True, slots=True)
class RuleNews:
    """An article that rules say to tell of, and by which rule."""

    article: ArticleId
    rule_name: str
