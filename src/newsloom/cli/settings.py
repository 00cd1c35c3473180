"""`newsloom settings`: every setting, in the form that the file and the environment take."""

from __future__ import annotations

import typer

from newsloom.cli.common import Json, session, show_json, show_table
from newsloom.kernel import settings as settings_module


def settings(context: typer.Context, as_json: Json = False) -> None:
    """Every setting: its value now, its variable, what it means."""
    now = session(context).settings
    rows = [
        (key, settings_module.masked(key.path, _value(now, key.path)))
        for key in settings_module.declared()
    ]
    if as_json:
        show_json({key.path: value for key, value in rows})
        return
    show_table(
        ("setting", "value", "variable", "meaning"),
        [(key.path, settings_module.written(value), key.variable, key.doc) for key, value in rows],
        stretch="meaning",
    )


def _value(tree: object, path: str) -> object:
    for name in path.split("."):
        tree = getattr(tree, name)
    return tree
