"""One pass of Newsloom in a process of its own, made to be killed: its argument says where."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from newsloom.app import open_app
from newsloom.settings import Settings


def main(words: str) -> None:
    """Poll what is due, by a clock that stands still."""
    told = json.loads(words)
    now = datetime.fromisoformat(told["now"])
    shipped = Settings()
    settings = replace(
        shipped,
        store=replace(shipped.store, path=Path(told["store"])),
        fetch=replace(shipped.fetch, private_hosts=tuple(told["private_hosts"])),
    )
    app = open_app(settings, now=lambda: now)
    try:
        asyncio.run(app.runner(stages=()).once())
    finally:
        app.close()


if __name__ == "__main__":
    main(sys.argv[1])
