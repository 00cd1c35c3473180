"""One pass of Newsloom in a process of its own: its argument says where, and what time it is."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from newsloom.app import open_app
from newsloom.kernel.settings import Settings
from newsloom_lab.politeness.clock import FastLoop, reading


def main(words: str) -> None:
    """Poll what is due, by the clock of the case."""
    told = json.loads(words)
    base, speed, since = told["clock"]
    shipped = Settings()
    settings = replace(
        shipped,
        store=replace(shipped.store, path=Path(told["store"]), url=told["url"]),
        fetch=replace(shipped.fetch, private_hosts=tuple(told["private_hosts"])),
    )
    app = open_app(settings, now=partial(reading, datetime.fromisoformat(base), speed, since))
    try:
        with asyncio.Runner(loop_factory=partial(FastLoop, told["speed"])) as runner:
            runner.run(app.runner(stages=()).once())
    finally:
        app.close()


if __name__ == "__main__":
    main(sys.argv[1])
