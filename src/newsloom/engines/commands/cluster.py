"""`newsloom cluster`: who works on the stages, where, and how much is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from newsloom.cli.common import Json, plain, say, session, show_json, show_table
from newsloom.cli.group import Commands

if TYPE_CHECKING:
    from newsloom.engines.status import Status

app = Commands()


@app.command("status", help="The engine, workers alive and what each holds, what is left to do.")
def status(context: typer.Context, as_json: Json = False) -> None:
    """The engine of the settings, every process that holds work by lease, what is left of each
    stage, and the Ray cluster, where one is used. Changes nothing.
    """
    from newsloom.engines.status import status as look

    found = look(session(context).settings)
    if as_json:
        show_json(plain(found))
        return
    _show(found)


def _show(found: Status) -> None:
    say(f"Engine: {found.engine}.")
    if found.workers:
        rows = [
            [one.host, str(one.process), held.stage, str(held.articles), f"{held.until:%H:%M:%S}"]
            for one in found.workers
            for held in one.holds
        ]
        show_table(["host", "process", "stage", "articles", "until"], rows, stretch="stage")
    else:
        say("Nobody holds any work now.")
    left = ", ".join(f"{one.stage} {one.articles:,}{'+' * one.more}" for one in found.pending)
    say(f"Left to do: {left}." if left else "Nothing is left to do.")
    for line in _of_ray(found.ray):
        say(line)


def _of_ray(ray: dict[str, Any]) -> list[str]:
    if ray["words"]:
        return [ray["words"]]
    alive = [one for one in ray["nodes"] if one["alive"]]
    lines = [f"Ray at {ray['address']}: {len(alive)} nodes, {ray['workers']} workers."]
    lines += [
        f"  {one['host']}: {'alive' if one['alive'] else 'gone'}, {one['cpus']:g} processors, "
        f"{one['gpus']:g} graphics processors"
        for one in ray["nodes"]
    ]
    board = ray["dashboard"] or "none; `pip install 'ray[default]'` brings one"
    return [*lines, f"Dashboard: {board}."]
