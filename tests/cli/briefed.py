"""A database with news of today, and one schedule of a brief that is due."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import commands
from newsloom.app import utc_now
from newsloom.briefs.values import BriefSchedule, BriefWish
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ScheduleId
from newsloom.store import Store, open_store
from web.world import furnish, open_world


def world_of_today(folder: Path) -> Path:
    """The database."""
    folder.mkdir(parents=True, exist_ok=True)
    world = furnish(open_world(folder, utc_now()))
    world.store.close()
    return folder / "newsloom.db"


def opened(path: Path) -> Store:
    return open_store(path, now=utc_now)


def plan(path: Path, *targets: Target, missed: int = 0) -> None:
    """A schedule that fell due so many days ago, at this time of day."""
    store, now = opened(path), utc_now()
    due = now - timedelta(days=missed, minutes=1)
    made = BriefSchedule(
        id=ScheduleId(0),
        user=store.users.user("reader", now),
        at=due.hour * 60 + due.minute,
        weekdays=tuple(range(7)),
        zone="UTC",
        wish=BriefWish(("en",), 1),
        targets=targets or (Target(Way.FILE, "mp3"),),
        next_at=due.replace(second=0, microsecond=0),
        begun=now,
    )
    store.briefs.add_schedule(replace(made), [f"token{one}" for one in range(len(made.targets))])
    store.close()


def settings(path: Path, **more: str) -> dict[str, str]:
    """The environment of a command on it."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("NEWSLOOM_")}
    folder = path.parent
    return bare | {
        "NEWSLOOM_STORE_PATH": str(path),
        "NEWSLOOM_BRIEF_FOLDER": str(folder / "briefs"),
        "NEWSLOOM_BRIEF_OPUS": "false",
        "NEWSLOOM_DIGEST_FOLDER": str(folder / "sent"),
        "HOME": str(folder),
        **more,
    }


def begun(path: Path, *words: str, **more: str) -> subprocess.Popen[str]:
    """`newsloom brief ...`, begun."""
    return subprocess.Popen(
        [sys.executable, "-m", "newsloom", "brief", *words],
        env=settings(path, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(path: Path, *words: str, status: int = 0, name: str = "brief", **more: str) -> str:
    """What a command says, on both streams."""
    done = commands.run(name, *words, environment=settings(path, **more))
    assert done.returncode == status, done
    return done.stdout + done.stderr
