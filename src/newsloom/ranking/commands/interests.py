"""`newsloom interests`: what the reader says they care about, in their words."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, on_terminal, say, session, show_json, show_table
from newsloom.cli.group import Commands

app = Commands()


@app.command("add", help='Add an interest, such as "urban cycling" or "Rust compilers".')
def add(
    context: typer.Context, text: Annotated[list[str], typer.Argument(help="In your words.")]
) -> None:
    with session(context).open() as app:
        interest = app.reader().add_interest(" ".join(text))
        say(
            f"Interest {interest.id}: {interest.text}. The list follows at the next `newsloom run`."
        )


@app.command("list", help="Those there are.")
def list_(context: typer.Context, as_json: Json = False) -> None:
    with session(context).open() as app:
        found = app.reader().interests()
        if as_json:
            show_json(found)
        elif found or not on_terminal():
            show_table(("id", "interest"), [(str(one.id), one.text) for one in found])
        else:
            say('None yet. `newsloom interests add "…"` names one.')


@app.command("remove", help="Take one away, by its number.")
def remove(
    context: typer.Context, interest: Annotated[int, typer.Argument(help="Its number.")]
) -> None:
    with session(context).open() as app:
        app.reader().remove_interest(interest)
        say(f"Interest {interest} is gone.")


@app.command("topics", help="What you follow, by weight, and the articles that taught it.")
def topics(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many.")] = 25,
    as_json: Json = False,
) -> None:
    from newsloom.importance.service import importance

    with session(context).open() as app:
        found = importance.topics(app.reader(), limit)
        if as_json:
            show_json(found)
            return
        rows = [
            (
                f"{100 * one.weight:.0f}",
                one.word,
                ", ".join(
                    words
                    for words, so in (
                        ("named", one.stated),
                        ("fading", one.fading),
                        (f"counts {one.edited or 0:g} times", one.edited is not None),
                    )
                    if so
                ),
                one.articles[0].title if one.articles else "",
            )
            for one in found
        ]
        show_table(("weight", "topic", "is", "taught by"), rows, right="weight")
        if not rows and on_terminal():
            say('Nothing yet. `newsloom interests add "…"` names something; likes teach the rest.')


@app.command("edit", help="Let a topic count more or less: 0, 0.5, 2 or 4 times; 1 takes it back.")
def edit(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(help="As `newsloom interests topics` shows it.")],
    times: Annotated[float, typer.Argument(help="0 leaves it out.")],
) -> None:
    from newsloom.importance.service import importance

    with session(context).open() as app:
        reader = app.reader()
        named = {one.word.lower(): one.term for one in importance.topics(reader)}
        term = named.get(topic.lower(), topic)
        importance.edit_topic(reader, term, None if times == 1 else times)
        say("Noted. The order follows at the next `newsloom run`.")


@app.command("pace", help='How soon news is old: "real time", daily or weekly; "usual": as set.')
def pace(context: typer.Context, name: Annotated[str, typer.Argument()] = "") -> None:
    from newsloom.importance.service import importance

    with session(context).open() as app:
        reader = app.reader()
        if name:
            importance.set_pace(reader, None if name == "usual" else name)
        say(f"Recency fades by {importance.fade_in_force(reader):g} an hour.")
