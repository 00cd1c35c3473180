"""A task as it is, watched in its worker: which modules and files it asks for once it has begun."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from typing import Any

SEEN = "what was seen"  # the question that is answered here
# Python's own events, of what needs a file.
_EVENTS = ("open", "os.listdir", "os.scandir", "ctypes.dlopen", "subprocess", "socket.")


def watched(module: str) -> tuple[Callable[[Any, bytes], bytes], Callable[[], None]]:
    """The task's `answer` and `get_ready`; from the first answer on all is noted."""
    task = importlib.import_module(module)
    seen: list[str] = []
    begun = False

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(_EVENTS):
            seen.append(f"{event} {arguments[0]}")

    class Finder(MetaPathFinder):
        """Asked for each module that is not there already, and finds none."""

        def find_spec(self, fullname: str, *_where: object) -> None:
            seen.append(f"import {fullname}")

    def answer(asked: Any, body: bytes) -> bytes:
        nonlocal begun
        if asked == SEEN:
            said, seen[:] = json.dumps(seen).encode(), []
            return said
        if not begun:
            begun = True
            sys.addaudithook(note)
            sys.meta_path.insert(0, Finder())
        return task.answer(asked, body)

    return answer, getattr(task, "get_ready", lambda: None)
