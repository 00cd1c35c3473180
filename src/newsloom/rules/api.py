"""Rules: listed, made and changed, tried out on last week; what they mute and notify of."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import Path, Query, status
from pydantic import Field

from newsloom.api.route import router as made
from newsloom.digests.api import Notifications, notifications
from newsloom.digests.service import schedules
from newsloom.digests.values import DigestKind
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.characters import without_controls
from newsloom.reading.api.params import ApiModel
from newsloom.reading.api.shapes import Address, Name, Title
from newsloom.rules import actions, conditions, decide
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleId, RuleMatch
from newsloom.web.list_view import LARGEST_ID
from newsloom.web.site import Here, Site

Number = Annotated[int, Path(ge=1, le=LARGEST_ID, description="Rule ID.")]
# Told in the document only: what is wrong is refused in words.
ConditionKind = Annotated[
    str, Field(max_length=40, json_schema_extra={"enum": [*conditions.BY_NAME]})
]
ActionKind = Annotated[str, Field(max_length=40, json_schema_extra={"enum": [*actions.BY_NAME]})]
Text = Annotated[str, Field(max_length=10_000)]

router = made("Rules")


class Condition(ApiModel):
    """What an article must be like."""

    kind: ConditionKind = Field(description="What is looked at.")
    value: Text = Field(description="Value; for a feed its ID, name or URL.")
    negated: bool = Field(default=False, description="Whether the condition must not match.")


class Action(ApiModel):
    """What is done to an article."""

    kind: ActionKind = Field(description="What is done.")
    value: Text = Field(default="", description="Points, or the tag.")


class NewRule(ApiModel):
    """A rule to be made."""

    name: Annotated[str, Field(max_length=1_000)] = Field(description="Name.")
    match: RuleMatch = Field(
        default=RuleMatch.ALL, description="Whether all or any conditions must match."
    )
    conditions: list[Condition] = Field(
        description="Its conditions.",
        json_schema_extra={"minItems": 1, "maxItems": decide.MOST_CONDITIONS},
    )
    actions: list[Action] = Field(
        description="Its effect.",
        json_schema_extra={"minItems": 1, "maxItems": decide.MOST_ACTIONS},
    )
    last: bool = Field(default=False, description="Whether a match skips all later rules.")
    enabled: bool = Field(default=True, description="Whether it is applied.")

    def value(self, number: int = 0) -> Rule:
        return Rule(
            without_controls(self.name),
            self.match,
            tuple(RuleCondition(it.kind, it.value, it.negated) for it in self.conditions),
            tuple(RuleAction(it.kind, it.value) for it in self.actions),
            self.last,
            self.enabled,
            RuleId(number),
        )


class OwnRule(NewRule):
    """A rule."""

    id: int = Field(description="ID.")
    problem: str = Field(description="Why it is not applied; empty: it is applied.")


class OwnRules(ApiModel):
    """Rules."""

    items: list[OwnRule] = Field(description="In the order of application.")


class RuleChanges(ApiModel):
    """What is to be changed of a rule; what is left out stays."""

    enabled: bool | None = Field(default=None, description="Whether it is applied.")
    place: Annotated[int, Field(ge=1, le=decide.MOST_RULES)] | None = Field(
        default=None, description="Position in the order, from 1."
    )


class Match(ApiModel):
    """An article that a rule matches."""

    id: int = Field(validation_alias="article", description="ID.")
    title: Title = Field(description="Title.")
    published: datetime = Field(validation_alias="dated", description="Publication date.")


class Preview(ApiModel):
    """What a rule would have done in the last seven days."""

    looked: int = Field(description="Number of new articles.")
    matched: int = Field(description="Number of matches.")
    articles: list[Match] = Field(validation_alias="named", description="Newest of them.")


class Muted(ApiModel):
    """An article that a rule keeps out of your lists."""

    id: int = Field(validation_alias="article", description="ID.")
    title: Title = Field(description="Title.")
    url: Address = Field(description="URL.")
    feed_title: Name = Field(description="Feed it came from.")
    published: datetime = Field(validation_alias="dated", description="Publication date.")
    muted_at: datetime = Field(description="When it was muted.")
    rule: int = Field(description="The rule that muted it, which may be gone.")
    rule_name: str = Field(description="Name of that rule at that time.")


class MutedArticles(ApiModel):
    """Muted articles."""

    items: list[Muted] = Field(description="Newest first.")


class ImportedRules(ApiModel):
    """What became of a file of rules."""

    count: int = Field(description="Number of added rules.")


@router.get("/rules")
def list_rules(site: Here) -> OwnRules:
    """Your rules."""
    return OwnRules(items=[_rule(it) for it in rules.rule_set(site.reader).rules])


@router.post("/rules", status_code=status.HTTP_201_CREATED)
def add_rule(site: Here, wanted: NewRule) -> OwnRule:
    """Add a rule at the end. It is applied to unread articles at once."""
    return _one(site, rules.save(site.reader, wanted.value()))


@router.post("/rules/preview")
def preview_rule(site: Here, wanted: NewRule) -> Preview:
    """Preview what a rule would have done in the last seven days. It is not stored."""
    found = rules.tried(site.reader, wanted.value())
    return Preview.model_validate(found)


@router.get("/rules/export")
def export_rules(site: Here) -> dict[str, Any]:
    """All rules as a document for another Newsloom, with the addresses of feeds."""
    document: dict[str, Any] = json.loads(rules.exported(site.reader))
    return document


@router.post("/rules/import")
def import_rules(site: Here, document: dict[str, Any]) -> ImportedRules:
    """Add the rules of an exported document: all of them or none."""
    return ImportedRules(count=rules.imported(site.reader, json.dumps(document)))


@router.get("/rules/muted")
def list_muted(
    site: Here,
    limit: Annotated[int, Query(ge=1, le=1_000, description="Count.")] = 50,
    offset: Annotated[int, Query(ge=0, le=LARGEST_ID, description="Number to skip.")] = 0,
) -> MutedArticles:
    """Articles that your rules hide."""
    found = rules.muted(site.reader, offset, limit)
    return MutedArticles(items=[Muted.model_validate(it) for it in found])


@router.delete("/rules/muted/{number}", status_code=status.HTTP_204_NO_CONTENT)
def unmute_article(
    site: Here,
    number: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Article ID.")],
) -> None:
    """Put a muted article back into your lists. No rule mutes it again."""
    rules.unmute(site.reader, ArticleId(number))


@router.get("/rules/notifications")
def get_rule_notifications(site: Here) -> Notifications:
    """Where notifications of rules are sent."""
    return notifications(schedules.news_schedule(site.reader, DigestKind.RULES))


@router.put("/rules/notifications")
def set_rule_notifications(site: Here, wanted: Notifications) -> Notifications:
    """Set where notifications of rules are sent."""
    targets = [it.value for it in wanted.targets]
    return notifications(schedules.send_news(site.reader, DigestKind.RULES, wanted.zone, targets))


@router.get("/rules/{number}")
def get_rule(site: Here, number: Number) -> OwnRule:
    """One rule."""
    return _one(site, number)


@router.put("/rules/{number}")
def replace_rule(site: Here, number: Number, wanted: NewRule) -> OwnRule:
    """Replace a rule. It is applied to unread articles at once."""
    return _one(site, rules.save(site.reader, wanted.value(number)))


@router.patch("/rules/{number}")
def change_rule(site: Here, number: Number, changes: RuleChanges) -> OwnRule:
    """Enable or disable a rule, or change its position."""
    reader = site.reader
    if changes.place is not None:
        order = [it.id for it in rules.rule_set(reader).rules]
        here = order.index(rules.rule(reader, number).id)
        rules.move(reader, number, changes.place - 1 - here)
    if changes.enabled is not None:
        rules.switch(reader, number, on=changes.enabled)
    return _one(site, number)


@router.delete("/rules/{number}", status_code=status.HTTP_204_NO_CONTENT)
def remove_rule(site: Here, number: Number) -> None:
    """Remove a rule. Its effects on unread articles are undone."""
    rules.delete(site.reader, number)


def _one(site: Site, number: int) -> OwnRule:
    return _rule(rules.rule(site.reader, number))


def _rule(one: Rule) -> OwnRule:
    return OwnRule(
        id=one.id,
        name=one.name,
        match=one.match,
        conditions=[Condition.model_validate(it) for it in one.conditions],
        actions=[Action.model_validate(it) for it in one.actions],
        last=one.last,
        enabled=one.enabled,
        problem=decide.problem(replace(one, enabled=True)),
    )
