"""`kill -9` while a language model is asked, at every point that the server can see and shortly
after: an article has one rating with one audit row, or none and is asked about again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from llm.server import Asked, serving
from llm.world import MAKER, World

pytestmark = pytest.mark.crash

ARTICLES = 12
TESTS = Path(__file__).resolve().parents[1]

# Which question the kill belongs to, whether its answer is sent before, and how many milliseconds
# later it comes: the transaction that keeps an answer takes two to ten here.
KILLS = (
    *((number, False, 0) for number in (1, 2, 5)),
    *((number, True, wait) for number in (1, 6) for wait in (0, 1, 2, 4, 8, 16)),
)


async def run(world: Path, kill: tuple[int, bool, int] | None) -> tuple[int, int]:
    """The program once; its exit status, and how many questions reached the server."""
    program: list[asyncio.subprocess.Process] = []

    async def script(request: Asked) -> None:
        number = len(server.asked)
        if kill is not None and number == kill[0] and not kill[1]:
            program[0].kill()
        await request.rate(number % 5 + 1, "high", f"answer {number}")
        if kill is not None and number == kill[0] and kill[1]:
            asyncio.get_running_loop().call_later(kill[2] / 1000, _kill, program[0].pid)

    async with serving(script) as server:
        program.append(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "llm.program",
                str(world),
                server.url,
                cwd=TESTS,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
            )
        )
        return await program[0].wait(), len(server.asked)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it was done


def whole(world: World) -> int:
    """How many articles are rated; fails when anything is doubled, torn or lost."""
    assert world.rows("PRAGMA integrity_check") == [("ok",)]
    rated = world.rows(
        "SELECT CAST(article_id AS TEXT) FROM ratings WHERE explanation LIKE 'answer %'"
    )
    told = world.rows("SELECT subject_id FROM model_calls WHERE verdict = 'ok'")
    assert sorted(rated) == sorted(told), "a rating and its audit row are kept together"
    assert len(set(told)) == len(told), "no article is rated twice"
    found = world.rows("SELECT tokens FROM services WHERE name LIKE 'judge%'")
    least = 330 * len(told)
    assert sum(row[0] for row in found) >= least, "what was spent is counted"
    return len(rated)


def test_kill_anywhere(tmp_path: Path) -> None:
    made = World(tmp_path / "news.db")
    made.publish(*(f"News {number}" for number in range(ARTICLES)))
    before = made.untouched()
    made.store.close()
    for place, kill in enumerate(KILLS):
        path = tmp_path / f"{place}.db"
        path.write_bytes((tmp_path / "news.db").read_bytes())
        status, _asked = asyncio.run(run(path, kill))
        world = World(path)
        acknowledged = whole(world)
        assert status in {0, -signal.SIGKILL}
        world.store.close()
        status, asked = asyncio.run(run(path, None))
        assert status == 0
        assert asked == ARTICLES - acknowledged, "what was answered and kept is not asked again"
        world = World(path)
        assert whole(world) == ARTICLES
        assert world.untouched() == before
        assert len(world.ratings()) == ARTICLES == len(world.rows(_RATED))
        world.store.close()


_RATED = f"""
    SELECT article_id FROM ratings r JOIN makers m ON m.id = r.maker_id WHERE m.name = '{MAKER}'
"""
