"""`newsloom distill`: heads of this machine's own, trained on what a language model said."""

from __future__ import annotations

from typing import Annotated

import typer

from newsloom.cli.common import Json, say, session, show_json
from newsloom.cli.group import Commands
from newsloom.kernel.errors import UserError

app = Commands()


@app.command("sensitivity", help="How fast articles expire, as the language model rates it.")
def sensitivity(
    context: typer.Context,
    maker: Annotated[
        str,
        typer.Option(
            help="Whose ratings; else those of the language model of the settings, else of the "
            "one that rated most."
        ),
    ] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Go back to the head before.")] = False,
    later: Annotated[
        bool,
        typer.Option(
            "--later", help="Only keep it: `newsloom jobs start judge --model` rates all first."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Put in force if not worse on articles it was not shown, for every reader of this database.

    Too few ratings is said and is no failure.
    """
    from newsloom.llm.producers import CHAT

    if undo and (maker or later):
        raise UserError("--undo takes no --maker and no --later.")
    with session(context).open() as opened:
        if undo:
            words = opened.sensitivity.undo()
            if as_json:
                show_json({"words": words, "in_force": opened.sensitivity.head().model_id})
            else:
                say(words)
            return
        makers = [name for name, _count in opened.store.articles.rating_makers(CHAT)]
        chosen = maker or opened.language_model or (makers[0] if makers else "")
        if maker and maker not in makers:
            known = f" There are those of {', '.join(makers)}." if makers else ""
            raise UserError(f"There are no ratings of {maker!r:.80}.{known}")
        result = opened.sensitivity.distil(chosen, later=later)
        if as_json:
            show_json(result)
        else:
            say(result.words)
            if later and result.model_id:
                say(f"`newsloom jobs start judge --model {result.model_id}` goes on with it.")
