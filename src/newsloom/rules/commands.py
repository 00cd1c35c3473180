"""`newsloom rules`: what is done to articles by themselves, tried out before it is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsloom.reading.values.reading import Subscription
    from newsloom.rules.values import Rule, RuleAction, RuleCondition

app = Commands()

If = Annotated[
    list[str] | None,
    typer.Option("--if", help='kind=value, such as "title=quiz, horoscope" or feed=7; repeat it.'),
]
Unless = Annotated[
    list[str] | None, typer.Option("--unless", help="The same, which it must not be.")
]
Do = Annotated[
    list[str] | None,
    typer.Option(
        "--do", help="mute, boost=20, lower=20, raise, star, tag=name, read or notify; repeat it."
    ),
]
Any = Annotated[bool, typer.Option("--any", help="One of the conditions is enough.")]
Number = Annotated[int, typer.Argument(help="Its number.", min=1)]


@app.command("list", help="Your rules, in their order.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    from newsloom.rules.decide import problem
    from newsloom.rules.service import rules

    with session(context).open() as app:
        reader = app.reader()
        found = rules.kept(reader).rules
        if as_json:
            show_json(found)
            return
        if not found and on_terminal():
            say('None yet. `newsloom rules add "No quizzes" --if title=quiz --do mute` makes one.')
            return
        feeds = reader.subscriptions()
        rows = [
            (str(one.id), "on" if one.enabled else "off", one.name, _asks(feeds, one), _does(one))
            for one in found
        ]
        for one in found:
            if wrong := problem(one):
                note(f"Rule {one.id} is not applied. {wrong}")
        show_table(("id", "is", "name", "if", "does"), rows, stretch="if")


@app.command("add", help="Make a rule, last of all. It looks at what is unread at once.")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What you call it.")],
    if_: If = None,
    unless: Unless = None,
    do: Do = None,
    any_: Any = False,
    last: Annotated[bool, typer.Option(help="Where it matches, no later one is asked.")] = False,
) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        made = rules.save(app.reader(), _rule(name, if_, unless, do, any_, last))
        say(f"Rule {made}: {name}.")


@app.command("preview", help="What a rule would have done in the last seven days; keeps nothing.")
def preview(
    context: typer.Context,
    rule: Annotated[int, typer.Argument(help="The number of one there is.")] = 0,
    if_: If = None,
    unless: Unless = None,
    do: Do = None,
    any_: Any = False,
    as_json: Json = False,
) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        reader = app.reader()
        wanted = (
            rules.one(reader, rule) if rule else _rule("tried", if_, unless, do or ["mute"], any_)
        )
        found = rules.tried(reader, wanted)
        if as_json:
            told = {"looked": found.looked, "matched": found.matched}
            named = [
                {"article": one.article, "title": one.title, "dated": one.dated}
                for one in found.named
            ]
            show_json({**told, "articles": named})
            return
        rows = [(str(one.article), f"{one.dated:%Y-%m-%d %H:%M}", one.title) for one in found.named]
        show_table(("id", "dated (UTC)", "title"), rows, stretch="title")
        note(f"{found.matched:,} of {found.looked:,} articles of the last seven days.")


@app.command("remove", help="Take one away; what it did to what is unread is taken back.")
def remove(context: typer.Context, rule: Number) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        rules.drop(app.reader(), rule)
        say(f"Rule {rule} is gone.")


@app.command("on", help="Switch one on.")
def on(context: typer.Context, rule: Number) -> None:
    _switch(context, rule, on=True)


@app.command("off", help="Switch one off; what it did to what is unread is taken back.")
def off(context: typer.Context, rule: Number) -> None:
    _switch(context, rule, on=False)


def _switch(context: typer.Context, rule: int, *, on: bool) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        rules.switch(app.reader(), rule, on=on)
        say(f"Rule {rule} is {'on' if on else 'off'}.")


@app.command("move", help="Another place in their order: 1 is the first.")
def move(
    context: typer.Context, rule: Number, place: Annotated[int, typer.Argument(min=1)]
) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        reader = app.reader()
        now = [one.id for one in rules.kept(reader).rules]
        here = now.index(rules.one(reader, rule).id)
        rules.move(reader, rule, place - 1 - here)
        say(f"Rule {rule} moved.")


@app.command("export", help="Write your rules as JSON.")
def export(
    context: typer.Context,
    out: Annotated[Path | None, typer.Argument(help="A file; else it is printed.")] = None,
) -> None:
    from newsloom.kernel import files
    from newsloom.rules.service import rules

    with session(context).open() as app:
        told = rules.exported(app.reader())
    if out is None:
        say(told)
        return
    files.write(out, f"{told}\n".encode())
    note(f"Rules written to {out}.")


@app.command("import", help="Add the rules of a file that `export` wrote: all of them or none.")
def import_(
    context: typer.Context, path: Annotated[Path, typer.Argument(help="The file.")]
) -> None:
    from newsloom.rules.service import rules

    try:
        told = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from error
    with session(context).open() as app:
        count = rules.imported(app.reader(), told)
        say(f"{count} rule{'' if count == 1 else 's'} added.")


@app.command("muted", help="What your rules keep out of your lists, and which rule does.")
def muted(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    as_json: Json = False,
) -> None:
    from newsloom.rules.service import rules

    with session(context).open() as app:
        found = rules.muted(app.reader(), limit=limit)
        if as_json:
            show_json(found)
            return
        rows = [(str(one.article), one.rule_name, one.feed_title, one.title) for one in found]
        show_table(("id", "rule", "feed", "title"), rows, stretch="title")


@app.command("unmute", help="Put a muted article back; no rule mutes it again.")
def unmute(context: typer.Context, article: Number) -> None:
    from newsloom.kernel.ids import ArticleId
    from newsloom.rules.service import rules

    with session(context).open() as app:
        rules.unmute(app.reader(), ArticleId(article))
        say(f"Article {article} is in your lists again.")


@app.command("tell", help="Where to send what rules notify you of; without options: nowhere.")
def tell(
    context: typer.Context,
    mail: Annotated[list[str] | None, typer.Option(help="A mail address.")] = None,
    webhook: Annotated[list[str] | None, typer.Option(help="An address to post JSON to.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(help="A format, for files in digest.folder.")
    ] = None,
    zone: Annotated[str, typer.Option(help="The time zone of its dates.")] = "UTC",
) -> None:
    from newsloom.digests.service import schedules
    from newsloom.kernel.delivery.values import Target, Way

    targets = [
        *(Target(Way.MAIL, one) for one in mail or ()),
        *(Target(Way.WEBHOOK, one) for one in webhook or ()),
        *(Target(Way.FILE, one) for one in file or ()),
    ]
    with session(context).open() as app:
        reader = app.reader()
        known = schedules.told_by_rules(reader)
        if known is not None:
            schedules.drop(reader, known.id)
        if targets:
            schedules.tell_by_rules(reader, zone, targets)
        say("Notifications are sent from now on." if targets else "Nothing is sent any more.")


def _rule(
    name: str,
    if_: Sequence[str] | None,
    unless: Sequence[str] | None,
    do: Sequence[str] | None,
    any_: bool,
    last: bool = False,
) -> Rule:
    from newsloom.rules.values import Rule, RuleMatch

    asked = (
        *(_condition(one) for one in if_ or ()),
        *(_condition(one, True) for one in unless or ()),
    )
    match = RuleMatch.ANY if any_ else RuleMatch.ALL
    return Rule(name, match, asked, tuple(map(_action, do or ())), last)


def _condition(told: str, negated: bool = False) -> RuleCondition:
    from newsloom.rules.conditions import BY_NAME
    from newsloom.rules.values import RuleCondition

    kind, equals, value = told.partition("=")
    if not equals:
        raise UserError(f"Write a condition as kind=value, not {told!r:.60}: {', '.join(BY_NAME)}.")
    return RuleCondition(kind.strip(), value, negated)


def _action(told: str) -> RuleAction:
    from newsloom.rules.values import RuleAction

    kind, _equals, value = told.partition("=")
    return RuleAction(kind.strip(), value)


def _asks(feeds: Sequence[Subscription], rule: Rule) -> str:
    from newsloom.rules.service.rules import in_words

    told = (
        f"{'not ' if one.negated else ''}{one.kind}: {in_words(feeds, one)}"
        for one in rule.conditions
    )
    return (" and " if rule.match == "all" else " or ").join(told)


def _does(rule: Rule) -> str:
    told = [f"{one.kind} {one.value}".strip() for one in rule.actions]
    return ", ".join((*told, "and no later rule") if rule.last else told)
