"""Asks about everything in a store until nothing is left; made to be killed while it does."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from language_model.world import World


async def main(path: Path, url: str) -> None:
    world = World(path)
    while (await world.ask(url, concurrency=2)).rated:
        pass
    world.store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
