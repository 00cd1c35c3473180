"""Where the stages are computed: in this process, in several, or on machines of a Ray cluster.

Every engine starts workers, and each of them is the same loop (worker.py) over the same stages.
They share the work by leases in the store; an engine hands out no articles, it only decides where
workers run, starts those again that died, and counts. To add one: a class with `work`, and a row.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from newsloom.engines.port import Engine


class EngineRow(NamedTuple):
    """`place` is "module:class" in this package, imported when it is used."""

    name: str
    place: str
    help: str


ENGINES = (
    EngineRow("local", "worker:Local", "in this process"),
    EngineRow("processes", "processes:Processes", "in several processes on this machine"),
    EngineRow("ray", "on_ray:OnRay", "on the machines of a Ray cluster"),
)


def engine(name: str) -> Engine:
    """The engine of that name, one of ENGINES."""
    row = next(one for one in ENGINES if one.name == name)
    module, _, kind = row.place.partition(":")
    made: Engine = getattr(import_module(f"{__name__}.{module}"), kind)()
    return made
