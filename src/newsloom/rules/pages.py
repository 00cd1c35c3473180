"""A reader's rules: listed, made and changed, tried out on last week before they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, UploadFile
from fastapi.responses import HTMLResponse, Response

from newsloom.digests.service import schedules
from newsloom.digests.values import DigestKind
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.characters import without_controls
from newsloom.reading.values.reading import Subscription
from newsloom.rules import decide
from newsloom.rules.actions import ACTIONS, MOST_POINTS, Needs
from newsloom.rules.actions import BY_NAME as ACTIONS_BY_NAME
from newsloom.rules.conditions import BY_NAME, CONDITIONS
from newsloom.rules.decide import LONGEST_NAME, MOST_ACTIONS, MOST_CONDITIONS
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleId, RuleMatch
from newsloom.web.list_view import LARGEST_ID, Page
from newsloom.web.site import Here, Site, bare, go

PLACE = bare(Page.RULES)
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Text = Annotated[str, Form(max_length=10_000)]

# Rows of a form that are empty, for one more condition or action; there is no script to add one.
SPARE = 1
LEAST_CONDITIONS = 3
# Muted articles of one page.
MUTED = 50

router = APIRouter()


@router.get("/rules")
def page(site: Here, request: Request) -> HTMLResponse:
    return _page(site, request)


@router.get("/rules/edit")
def edit(site: Here, request: Request, rule: int = 0, article: int = 0) -> HTMLResponse:
    """A new rule, one to begin with of an article, or one there is."""
    if rule:
        shown = rules.rule(site.reader, _bounded(rule))
    elif article:
        shown = rules.suggested(site.reader, ArticleId(_bounded(article)))
    else:
        shown = Rule("", RuleMatch.ALL, (), (RuleAction("mute"),))
    return _form(site, request, shown)


@router.post("/rules/edit", response_model=None)
async def edited(site: Here, request: Request) -> Response:
    """What the form's button says: keep the rule, or show what it would have done."""
    from starlette.concurrency import run_in_threadpool

    form = await request.form(max_files=0, max_fields=200)
    read = _rule({name: form.getlist(name) for name in form})
    return await run_in_threadpool(_edited, site, request, read, form.get("do") == "save")


def _edited(site: Site, request: Request, rule: Rule, keep: bool) -> Response:
    try:
        if not keep:
            return _form(site, request, rule, tried=rules.tried(site.reader, rule))
        rules.save(site.reader, rule)
    except NotFound:
        raise
    except UserError as error:
        return _form(site, request, rule, problem=str(error))
    return go(PLACE, "edited")


@router.post("/rules/{number}/switch")
def switch(site: Here, number: Number, do: Text = "") -> Response:
    rules.switch(site.reader, number, on=do == "on")
    return go(PLACE, "edited")


@router.post("/rules/{number}/move")
def move(site: Here, number: Number, do: Text = "") -> Response:
    rules.move(site.reader, number, -1 if do == "up" else 1)
    return go(PLACE)


@router.post("/rules/{number}/drop")
def drop(site: Here, number: Number) -> Response:
    rules.delete(site.reader, number)
    return go(PLACE, "forgotten")


@router.get("/rules/muted")
def muted(site: Here, request: Request, offset: int = 0) -> HTMLResponse:
    """What rules keep out of the lists, and which rule does."""
    begin = max(0, min(offset, LARGEST_ID))
    found = rules.muted(site.reader, begin, MUTED + 1)
    return site.page(
        request,
        "rules_muted.html",
        PLACE,
        shown=found[:MUTED],
        older=begin + MUTED if len(found) > MUTED else 0,
        count=site.reader.store.rules.muted_count(site.reader.user),
    )


@router.post("/rules/muted/{number}/back")
def back(site: Here, number: Number) -> Response:
    rules.unmute(site.reader, ArticleId(number))
    return go(PLACE, "unmuted")


@router.get("/rules/export")
def export(site: Here) -> Response:
    return Response(
        rules.exported(site.reader),
        media_type="application/json",
        headers={"content-disposition": 'attachment; filename="newsloom-rules.json"'},
    )


@router.post("/rules/import", response_model=None)
def import_(site: Here, request: Request, file: UploadFile) -> Response:
    try:
        count = rules.imported(site.reader, file.file.read().decode("utf-8", "replace"))
    except UserError as error:
        return _page(site, request, problem=str(error))
    return go(PLACE, "rules", count)


def _bounded(number: int) -> int:
    if not 0 < number <= LARGEST_ID:
        raise NotFound("There is no such rule.")
    return number


def _page(site: Site, request: Request, *, problem: str = "") -> HTMLResponse:
    feeds = site.reader.subscriptions()
    found = rules.rule_set(site.reader).rules
    return site.page(
        request,
        "rules.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        shown=[
            (one, [_condition(feeds, it) for it in one.conditions], _does(one), decide.problem(one))
            for one in found
        ],
        told=schedules.news_schedule(site.reader, DigestKind.RULES) is not None,
        notifies=any(it.kind == "notify" for one in found for it in one.actions if one.enabled),
        count=site.reader.store.rules.muted_count(site.reader.user),
    )


def _condition(feeds: Sequence[Subscription], one: RuleCondition) -> tuple[str, str]:
    """A condition in words, and what it looks for."""
    kind = BY_NAME.get(one.kind)
    label = kind.label if kind else one.kind
    return (f"Not: {label}" if one.negated else label), rules.in_words(feeds, one)


def _does(rule: Rule) -> str:
    """Its actions in words."""
    return ", ".join(
        f"{ACTIONS_BY_NAME[one.kind].short}{f' {one.value}' if one.value else ''}"
        for one in rule.actions
        if one.kind in ACTIONS_BY_NAME
    )


def _form(
    site: Site,
    request: Request,
    rule: Rule,
    *,
    tried: rules.Tried | None = None,
    problem: str = "",
) -> HTMLResponse:
    feeds = site.reader.subscriptions()
    conditions = [replace(one, value=_typed(feeds, one)) for one in rule.conditions]
    empty = RuleCondition("", "")
    rows = max(LEAST_CONDITIONS, min(len(conditions) + SPARE, MOST_CONDITIONS))
    actions = [*rule.actions, *[RuleAction("")] * SPARE][:MOST_ACTIONS]
    titles = sorted({one.title for one in feeds if one.title})
    return site.page(
        request,
        "rule_edit.html",
        PLACE,
        status=400 if problem else 200,
        problem=problem,
        rule=rule,
        conditions=[one for one, _ in zip_longest(conditions, range(rows), fillvalue=empty)],
        actions=actions,
        kinds=CONDITIONS,
        acts=ACTIONS,
        takes=Needs,
        most_points=MOST_POINTS,
        longest_name=LONGEST_NAME,
        suggested=[
            *titles,
            *sorted({one.category for one in feeds if one.category}),
            *site.reader.store.lists.languages(site.reader.user),
        ],
        tried=tried,
        names={one.feed_id: one.title or one.url for one in feeds},
    )


def _typed(feeds: Sequence[Subscription], one: RuleCondition) -> str:
    """A value as a person would type it: one feed by its name, where no other has it."""
    if one.kind != "feed":
        return one.value
    titles = [it.title for it in feeds if str(it.feed_id) == one.value]
    alike = [it for it in feeds if titles and it.title == titles[0]]
    return titles[0] if len(alike) == 1 and titles[0] else one.value


def _rule(form: Mapping[str, Sequence[object]]) -> Rule:
    """A rule as the form has it; rows that are empty are none. Without a name it is called
    after what it looks for."""

    def texts(name: str) -> list[str]:
        return [without_controls(one) for one in form.get(name, ()) if isinstance(one, str)]

    def text(name: str) -> str:
        return next(iter(texts(name)), "")

    number = text("rule")[:18]
    asked = zip_longest(texts("kind"), texts("is"), texts("value"), fillvalue="")
    acts = zip_longest(texts("act"), texts("much"), fillvalue="")
    return Rule(
        name=next(filter(None, (*texts("name"), *texts("value"))), "")[:LONGEST_NAME],
        match=RuleMatch.ANY if text("match") == "any" else RuleMatch.ALL,
        conditions=tuple(
            RuleCondition(kind, value.strip(), negated == "not")
            for kind, negated, value in asked
            if kind and value.strip()
        ),
        actions=tuple(RuleAction(kind, much.strip()) for kind, much in acts if kind),
        last=text("last") == "on",
        enabled=text("enabled") != "off",
        id=RuleId(int(number) if number.isascii() and number.isdecimal() else 0),
    )
