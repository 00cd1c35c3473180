"""Briefs on schedule as `serve` makes, speaks and sends them: once each, by mail, webhook and file,
with eSpeak NG, a real mail server and a real webhook."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Whole

from mail_server import Mailbox, mail_server
from newsloom.briefs.service import brief_schedules
from newsloom.briefs.service.briefing import briefing
from newsloom.briefs.values import BriefWish
from newsloom.kernel.delivery.values import Target, Way
from webhook import listening


@pytest.fixture
def whole(sampled: Path, tmp_path: Path, open_whole: Callable[..., Whole]) -> Whole:
    """After a pass over the sample; briefs, and digests as files, go below the test's folder."""
    shutil.copy(sampled, tmp_path / "news.db")
    opened = open_whole("127.0.0.1")
    opened.clock.stop()
    settings = opened.app.settings
    changed = replace(
        settings,
        brief=replace(settings.brief, folder=tmp_path / "briefs", opus=False),
        digest=replace(settings.digest, folder=str(tmp_path / "folder")),
        web=replace(settings.web, url="https://reader.example"),
    )
    return Whole(replace(opened.app, settings=changed), opened.clock)


def mailing(whole: Whole, port: int) -> Whole:
    settings = whole.app.settings
    mail = replace(
        settings.mail, host="localhost", port=port, security="none", sender="news@example.org"
    )
    return Whole(replace(whole.app, settings=replace(settings, mail=mail)), whole.clock)


def go(whole: Whole) -> tuple[int, int, int]:
    """Made, spoken and sent."""
    briefs = briefing(whole.app)

    async def once() -> tuple[int, int, int]:
        async with whole.app.fetching() as fetcher:
            return await briefs.once(fetcher)

    try:
        return asyncio.run(once())
    finally:
        briefs.speaking.close()


def test_a_brief_is_spoken_and_sent_once_each_way(whole: Whole, tmp_path: Path) -> None:
    box = Mailbox()
    with mail_server(box) as port, listening([200]) as (hook, posted):
        whole = mailing(whole, port)
        reader = whole.app.reader()
        soon = whole.clock() + timedelta(hours=1)
        targets = (
            Target(Way.MAIL, "ann@example.org"),
            Target(Way.WEBHOOK, f"http://127.0.0.1:{hook}/"),
            Target(Way.FILE, "mp3"),
        )
        brief_schedules.add(reader, BriefWish(("en",), 1), f"{soon:%H:%M}", "UTC", targets=targets)
        token = brief_schedules.podcast_token(reader, "en", make=True)
        assert go(whole) == (0, 0, 0), "it is not due"
        whole.clock.ahead += timedelta(hours=25)  # one was missed meanwhile, and is not made up
        assert go(whole) == (1, 1, 3)
        assert go(whole) == (0, 0, 0)
    (head,) = whole.app.store.briefs.briefs(whole.app.user, 10)
    (mail,) = box.taken
    assert mail["Subject"] == head.title
    plain = mail.get_body(("plain",)).get_content()
    assert f"https://reader.example/briefs/{head.id}" in plain
    assert "That was the news." in plain
    (webhook,) = whole.app.store.briefs.webhooks(whole.app.user)
    posted.assert_signed(webhook.secret)
    (told,) = map(json.loads, posted)
    assert (told["id"], told["title"], told["problem"]) == (head.id, head.title, "")
    (spoken,) = (tmp_path / "briefs").glob("*.mp3")
    assert told["sound"][0]["bytes"] == spoken.stat().st_size
    assert f"/podcasts/{token}/" in told["sound"][0]["url"]
    ends = [one["end"] for chapter in told["chapters"] for one in chapter["sentences"]]
    assert ends == sorted(ends)
    (file,) = (tmp_path / "folder").iterdir()
    assert file.read_bytes()[:3] == b"ID3"


def test_a_webhook_that_is_down_gets_it_later_and_nobody_else_twice(
    whole: Whole, tmp_path: Path
) -> None:
    with listening([503, 200]) as (hook, posted):
        soon = whole.clock() + timedelta(hours=1)
        targets = (Target(Way.WEBHOOK, f"http://127.0.0.1:{hook}/"), Target(Way.FILE, "mp3"))
        wish, at = BriefWish(("en",), 1), f"{soon:%H:%M}"
        brief_schedules.add(whole.app.reader(), wish, at, "UTC", targets=targets)
        whole.clock.ahead += timedelta(hours=2)
        assert go(whole) == (1, 1, 1)
        assert go(whole) == (0, 0, 0), "not before its time"
        whole.clock.ahead += timedelta(minutes=15)
        assert go(whole) == (0, 0, 1)
    assert len(posted) == 2
    assert len(list((tmp_path / "folder").iterdir())) == 1
