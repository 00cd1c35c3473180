"""`newsloom prune`: remove what is too old by the settings, or tell what would go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import Json, note, say, session, show_json, show_table

if TYPE_CHECKING:
    from newsloom.retention.values import PrunedRows

# What a sweep takes from how many articles, in words.
WORDS = {
    "texts": "articles keep only the beginning of their text",
    "vectors": "articles lose their vectors",
    "keys": "articles lose the keys of their text",
    "articles": "articles deleted",
}


def prune(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be deleted.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove now what the settings of the group `keep` say is too old.

    Every pass does a part of it by itself. It may run beside everything else, be cut off and go on.
    The space is used again by what comes; docs/run/backup.md says how to give it back to the disk.
    """
    from newsloom.app.passes import pruning
    from newsloom.kernel.settings import KeepSettings

    with session(context).open() as app:
        if app.settings.keep == KeepSettings():
            note("Nothing is ever deleted. See the settings keep.* and docs/run/backup.md.")
        work = pruning(app)
        found = work.would_prune() if dry_run else work.prune_all(lambda _one: None)
    if as_json:
        show_json({"dry_run": dry_run, "pruned": found})
    elif dry_run:
        show_table(("what", "number", "MB"), [_row(one) for one in found], stretch="what")
    else:
        for one in found:
            say(f"{one.rows:,} {WORDS.get(one.what, f'rows of {one.what}')}.")
        if not found:
            say("Nothing to delete.")


def _row(one: PrunedRows) -> tuple[str, str, str]:
    freed = f"{one.bytes / 1e6:,.1f}" if one.bytes else ""
    return WORDS.get(one.what, one.what), f"{one.rows:,}", freed
