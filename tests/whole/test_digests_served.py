"""`newsloom serve` as it is started: it makes and mails what is due, and its mails can be ended."""

from __future__ import annotations

import re
import shutil
import time
from datetime import timedelta
from pathlib import Path

import httpx

from cli.serving import served
from mail_server import Mailbox, mail_server
from newsloom.app import utc_now
from newsloom.digests.values import (
    DigestKind,
    Schedule,
)
from newsloom.kernel.delivery.values import SendingState, Target, Way
from newsloom.kernel.ids import ScheduleId, UserId
from newsloom.store import Store, open_store

PATIENCE = 90.0  # seconds


def planned(path: Path) -> None:
    """A weekly digest that fell due a minute ago."""
    store = open_store(path, now=utc_now)
    due = utc_now() - timedelta(minutes=1)
    ann = Target(Way.MAIL, "ann@example.org")
    plan = Schedule(
        ScheduleId(0),
        user_of(store),
        DigestKind.WEEKLY,
        60 * due.hour + due.minute,
        due.weekday(),
        "UTC",
        (ann,),
        due,
    )
    store.digests.add_schedule(plan, ["a-token"])
    store.close()


def user_of(store: Store) -> UserId:
    return store.users.user("reader", utc_now())


def states(path: Path) -> list[SendingState]:
    store = open_store(path, now=utc_now)
    try:
        digests = store.digests.newest_digests(user_of(store), 9)
        return [one for each in digests for one in store.digests.sendings(each.id)]
    finally:
        store.close()


def test_serve_mails_what_is_due_and_takes_one_click_to_end_it(
    sampled: Path, tmp_path: Path
) -> None:
    path = tmp_path / "news.db"
    shutil.copy(sampled, path)
    planned(path)
    box = Mailbox()
    with mail_server(box) as port:
        environment = {
            "NEWSLOOM_MAIL_HOST": "localhost",
            "NEWSLOOM_MAIL_PORT": str(port),
            "NEWSLOOM_MAIL_SECURITY": "none",
            "NEWSLOOM_MAIL_SENDER": "news@reader.example",
            "NEWSLOOM_WEB_URL": "https://reader.example",
            "NEWSLOOM_FETCH_PROXY": "http://127.0.0.1:9",
        }
        with served(path, **environment) as url:
            end = time.monotonic() + PATIENCE
            while not box.taken and time.monotonic() < end:
                time.sleep(0.2)
            (mail,) = box.taken
            (leave,) = re.findall(r"<https://reader\.example(.+)>", mail["List-Unsubscribe"])
            behind_proxy = {"host": "reader.example"}
            answer = httpx.post(url.rstrip("/") + leave, headers=behind_proxy, timeout=60)
            assert answer.status_code == 200
            assert "Nothing more is sent" in answer.text
            while [one.state for one in states(path)] != ["sent"]:
                assert time.monotonic() < end
                time.sleep(0.2)
    store = open_store(path, now=utc_now)
    (plan,) = store.digests.schedules(user_of(store))
    store.close()
    assert plan.targets == ()
