"""Asks about everything in a store until nothing is left; made to be killed while it does."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from llm.judge import JUDGE
from llm.world import World
from newsloom.app.purposes import PURPOSES


async def main(path: Path, url: str, judging: bool) -> None:
    world = World(path)
    purposes = (JUDGE, *PURPOSES) if judging else PURPOSES
    concurrency = 1 if judging else 2
    while (await world.ask(url, purposes=purposes, concurrency=concurrency)).stored:
        pass
    world.store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], "judge" in sys.argv[3:]))
