"""What the program imports when it is needed, for forkservers to import at once.

A process that is killed after a tenth of a second would spend it on importing.
"""

from __future__ import annotations

from pathlib import Path

import newsloom

_SOURCES = Path(newsloom.__file__).parent
_MODULES = sorted(
    ".".join(("newsloom", *file.relative_to(_SOURCES).with_suffix("").parts))
    for file in _SOURCES.rglob("*.py")
    if file.stem != "__init__" and "migrations" not in file.parts
)
STORE = tuple(one for one in _MODULES if not {"store", "values"}.isdisjoint(one.split(".")))
DATABASE = tuple(one for one in _MODULES if one.startswith("newsloom.kernel.db."))
COMMANDS = tuple(
    one
    for one in _MODULES
    if one.startswith("newsloom.cli.") or not {"command", "commands"}.isdisjoint(one.split("."))
)
APP = (
    *STORE,
    *("newsloom.app", "newsloom.articles.entities.finder", "newsloom.duplicates.stage"),
    *(one for one in _MODULES if one.startswith("newsloom.feeds.service.")),
    *("newsloom.engines.pipeline", "newsloom.feeds.websub", "newsloom.kernel.http"),
    *("newsloom.llm.service.runner", "newsloom.ranking.encoders.onnx_encoder"),
    *("newsloom.ranking.encoders.registry", "newsloom.ranking.learning.head"),
    *("newsloom.ranking.learning.shipped", "newsloom.ranking.training"),
)
