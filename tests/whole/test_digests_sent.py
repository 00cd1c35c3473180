"""Digests on schedule as `serve` makes and sends them: once each, through a real mail server."""

from __future__ import annotations

import asyncio
import html
import io
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from conftest import Whole
from PIL import Image

from mail_server import Mailbox, mail_server
from newsloom.app import open_app
from newsloom.digests.service import schedules
from newsloom.digests.service.digesting import Digesting, digesting
from newsloom.digests.values import (
    ArchivedDigest,
    DigestKind,
)
from newsloom.kernel.delivery.outbox import MOST_ATTEMPTS, retry_after
from newsloom.kernel.delivery.schedules import WEEKDAYS
from newsloom.kernel.delivery.values import SendingState, Target, Way
from publisher import Publisher
from webhook import listening

ANN = Target(Way.MAIL, "ann@example.org")


class Sender:
    """An opened app with what makes and sends its digests."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole
        self.app = whole.app

    def using(self, **mail: object) -> Sender:
        """With other settings of mail."""
        settings = self.app.settings
        mailing = replace(settings.mail, **{"sender": "news@example.org"} | mail)
        web = replace(settings.web, url="https://reader.example")
        changed = replace(settings, mail=mailing, web=web)
        return Sender(Whole(replace(self.app, settings=changed), self.whole.clock))

    def plan(self, *targets: Target) -> None:
        """A weekly digest that falls due in an hour."""
        soon = self.whole.clock() + timedelta(hours=1)
        schedules.add(
            self.app.reader(),
            DigestKind.WEEKLY,
            f"{soon:%H:%M}",
            "UTC",
            WEEKDAYS[soon.weekday()],
            targets,
        )
        self.whole.clock.ahead += timedelta(hours=1, minutes=1)

    def go(self, after: timedelta = timedelta(0)) -> tuple[int, int]:
        """Made and sent, that much later."""
        self.whole.clock.ahead += after

        async def once() -> tuple[int, int]:
            async with self.app.fetching() as fetcher:
                return await self.due.once(fetcher)

        return asyncio.run(once())

    @property
    def due(self) -> Digesting:
        return digesting(self.app)

    @property
    def kept(self) -> list[ArchivedDigest]:
        return list(self.app.store.digests.newest_digests(self.app.user, 50))

    @property
    def states(self) -> list[SendingState]:
        return [state for one in self.kept for state in self.app.store.digests.sendings(one.id)]


@pytest.fixture
def sender(sampled: Path, tmp_path: Path, open_whole: Callable[..., Whole]) -> Sender:
    """After a pass over the sample."""
    shutil.copy(sampled, tmp_path / "news.db")
    whole = open_whole("127.0.0.1")
    whole.clock.stop()
    return Sender(whole)


def plain(port: int) -> dict[str, object]:
    return {"host": "localhost", "port": port, "security": "none"}


def test_a_digest_is_made_when_it_is_due_and_mailed_once(sender: Sender) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        sender.plan(ANN)
        assert sender.go() == (1, 1)
        assert sender.go(timedelta(hours=1)) == (0, 0)
    (mail,) = box.taken
    (digest,) = sender.kept
    assert box.receivers == ["ann@example.org"]
    assert mail["Subject"] == digest.digest.title
    assert digest.digest.top[0].lead.title in html.unescape(mail.get_body(("html",)).get_content())
    assert "\nFrom " in mail.get_body(("plain",)).get_content()
    assert [one.state for one in sender.states] == ["sent"]


ITEM = """<item><title>Bridge {n} over the river opens</title><link>{url}/{n}</link>
<enclosure url="{url}/{picture}" type="image/png" length="9"/>
<description>Bridge {n} opened to cars and bicycles on Friday.</description></item>"""


def test_a_mail_carries_its_pictures(
    open_whole: Callable[..., Whole], publisher: Publisher, tmp_path: Path
) -> None:
    whole, box, body = open_whole(publisher.host, workers=1), Mailbox(), io.BytesIO()
    Image.new("RGB", (600, 400), "navy").save(body, "PNG")
    publisher.puts("/good.png", body.getvalue())
    publisher.puts("/bad.png", b"no picture")
    items = [
        ITEM.format(n=n, url=publisher.url, picture=name)
        for n, name in enumerate(("good.png", "bad.png"))
    ]
    rss = f"<rss version='2.0'><channel><title>T</title>{''.join(items)}</channel></rss>"
    whole.follow(publisher.puts("/feed", rss))
    whole.run()
    with mail_server(box) as port:
        settings = replace(whole.app.settings.pages, picture_folder=tmp_path / "pictures")
        app = replace(whole.app, settings=replace(whole.app.settings, pages=settings))
        sender = Sender(Whole(app, whole.clock)).using(**plain(port))
        whole.clock.stop()
        sender.plan(ANN)
        assert sender.go() == (1, 1)
    (mail,) = box.taken
    pictures = [one for one in mail.walk() if one.get_content_maintype() == "image"]
    (shown,) = [Image.open(io.BytesIO(one.get_content())) for one in pictures]
    assert shown.format == "JPEG"
    assert shown.size == (240, 160)


def test_nothing_is_made_before_it_is_due(sender: Sender) -> None:
    sender.plan(ANN)
    sender.whole.clock.ahead -= timedelta(minutes=5)
    assert sender.go() == (0, 0)


def test_starttls_is_used_and_its_certificate_checked(
    sender: Sender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, box = trustme.CA(), Mailbox()
    with mail_server(box, authority) as port:
        sender = sender.using(host="localhost", port=port, security="starttls")
        sender.plan(ANN)
        assert sender.go() == (1, 0)
        assert "certificate" in sender.states[0].error
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert sender.go(timedelta(hours=1)) == (0, 1)
    assert box.encrypted == [True]


def test_a_server_without_starttls_gets_nothing_in_the_clear(sender: Sender) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        sender = sender.using(host="localhost", port=port, security="starttls")
        sender.plan(ANN)
        assert sender.go() == (1, 0)
    assert not box.taken
    assert "STARTTLS" in sender.states[0].error


def test_greylisting_is_waited_out(sender: Sender) -> None:
    box = Mailbox(at_receiver=["451 4.7.1 greylisted, come again"] * 2)
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        sender.plan(ANN)
        assert sender.go() == (1, 0)
        assert (sender.states[0].state, sender.states[0].attempts) == ("waiting", 1)
        assert sender.go() == (0, 0)  # not before its time
        assert sender.go(timedelta(minutes=2)) == (0, 0)
        assert sender.go(timedelta(minutes=10)) == (0, 1)
    assert len(box.taken) == 1


@pytest.mark.parametrize("where", ["at_receiver", "at_message"])
def test_a_refusal_for_good_is_not_tried_again(sender: Sender, where: str) -> None:
    box = Mailbox(**{where: ["550 5.1.1 no such user"]})
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        sender.plan(ANN)
        assert sender.go() == (1, 0)
        assert sender.go(timedelta(days=1)) == (0, 0)
    assert [(one.state, one.error) for one in sender.states] == [
        ("failed", "the mail server returned 550: 5.1.1 no such user")
    ]


def test_a_server_that_dies_within_a_message_gets_it_again(sender: Sender) -> None:
    box = Mailbox(at_message=["hang up"])
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        sender.plan(ANN)
        assert sender.go() == (1, 0)
        assert sender.go(timedelta(minutes=2)) == (0, 1)
    assert len(box.taken) == 1


def test_a_slow_server_holds_nothing_up_for_ever(sender: Sender) -> None:
    """It says a byte now and then, so that no single read is late."""
    with dripping() as port:
        sender = sender.using(**plain(port), timeout_seconds=0.9)
        sender.plan(ANN)
        assert sender.go() == (1, 0)
    assert sender.states[0].error == "not finished after 0.9 s"


def test_a_dead_server_loses_nothing_and_is_given_up_after_days(sender: Sender) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    sender = sender.using(**plain(port))
    sender.plan(ANN)
    assert sender.go() == (1, 0)
    for _ in range(3):
        sender.go(timedelta(hours=7))
    box = Mailbox()
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        assert sender.go(timedelta(hours=7)) == (0, 1)
    assert len(box.taken) == 1
    waited = sum(
        (retry_after(one) or timedelta(0) for one in range(MOST_ATTEMPTS)),
        timedelta(0),
    )
    assert timedelta(days=4) < waited < timedelta(days=5)
    assert retry_after(MOST_ATTEMPTS) is None


def test_windows_that_were_missed_are_made_up_once(sender: Sender) -> None:
    reader = sender.app.reader()
    soon = sender.whole.clock() + timedelta(hours=1)
    schedules.add(reader, DigestKind.MORNING, f"{soon:%H:%M}", "UTC")
    sender.whole.clock.ahead += timedelta(days=3, hours=2)
    assert sender.due.make_due() == 0  # nothing came in the last 14 hours
    (plan,) = sender.app.store.digests.schedules(sender.app.user)
    assert timedelta(0) < plan.next_at - sender.whole.clock() < timedelta(days=1)


def test_the_next_digest_tells_nothing_again(sender: Sender) -> None:
    soon = sender.whole.clock() + timedelta(hours=1)
    for hours in (0, 2):
        at = soon + timedelta(hours=hours)
        schedules.add(sender.app.reader(), DigestKind.EVENING, f"{at:%H:%M}", "UTC")
    sender.whole.clock.ahead += timedelta(hours=1, minutes=1)
    assert sender.due.make_due() == 1
    told = shown(sender.kept[0])
    sender.whole.clock.ahead += timedelta(hours=2)
    sender.due.make_due()
    assert not told & {one for digest in sender.kept[:-1] for one in shown(digest)}


def shown(digest: ArchivedDigest) -> set[int]:
    whole = digest.digest
    return {
        one.id
        for topic in (*whole.top, *whole.noteworthy, *whole.mentioned)
        for one in (topic.lead, *topic.related)
    }


def test_two_processes_make_and_send_each_once(sender: Sender, tmp_path: Path) -> None:
    box = Mailbox()
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        targets = [Target(Way.MAIL, f"reader{number}@example.org") for number in range(8)]
        sender.plan(*targets)
        other = open_app(sender.app.settings, sender.whole.clock)
        try:
            both = [sender, Sender(Whole(other, sender.whole.clock))]
            counts: list[tuple[int, int]] = []
            threads = [
                threading.Thread(target=lambda one=one: counts.append(one.go())) for one in both
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        finally:
            other.close()
        counts.append(sender.go())
    assert sum(made for made, _sent in counts) == 1
    assert sorted(box.receivers) == sorted(one.to for one in targets)


def test_who_left_gets_nothing_more(sender: Sender) -> None:
    box = Mailbox(at_receiver=["451 later"])
    with mail_server(box) as port:
        sender = sender.using(**plain(port))
        sender.plan(ANN)
        assert sender.go() == (1, 0)
        with sender.app.store.database.read() as connection:
            token = connection.exec_driver_sql("SELECT token FROM digest_targets").scalar()
        assert sender.app.store.digests.unsubscribe(token) == ANN
        assert sender.go(timedelta(hours=1)) == (0, 0)
    assert not box.taken
    assert sender.app.store.digests.unsubscribe(token) is None


def test_an_ended_schedule_sends_nothing_and_keeps_its_digests(sender: Sender) -> None:
    sender.plan(ANN)
    assert sender.due.make_due() == 1
    (plan,) = sender.app.store.digests.schedules(sender.app.user)
    sender.app.store.digests.drop_schedule(sender.app.user, plan.id)
    assert sender.go(timedelta(hours=1)) == (0, 0)
    assert len(sender.kept) == 1


def test_a_webhook_is_posted_and_tried_again(sender: Sender) -> None:
    with listening([503, 200]) as (port, bodies):
        sender.plan(Target(Way.WEBHOOK, f"http://127.0.0.1:{port}/hook"))
        assert sender.go() == (1, 0)
        assert sender.states[0].error == "it returned status 503"
        assert sender.go(timedelta(hours=1)) == (0, 1)
    (hook,) = sender.app.store.digests.webhooks(sender.app.user)
    bodies.assert_signed(hook.secret)
    assert len({one["webhook-id"] for one in bodies.headers}) == 1
    whole = json.loads(bodies[-1])
    assert whole["id"] == sender.kept[0].id
    assert whole["title"] == sender.kept[0].digest.title


def test_a_file_is_written_in_its_format(sender: Sender, tmp_path: Path) -> None:
    settings = sender.app.settings
    folder = tmp_path / "digests"
    changed = replace(settings, digest=replace(settings.digest, folder=str(folder)))
    sender = Sender(Whole(replace(sender.app, settings=changed), sender.whole.clock))
    sender.plan(Target(Way.FILE, "markdown"))
    assert sender.go() == (1, 1)
    (file,) = folder.iterdir()
    assert file.suffix == ".md"
    assert file.read_text().startswith("# Weekly roundup")


def test_all_of_it_is_marked_read_and_teaches_nothing(sender: Sender) -> None:
    sender.plan()
    sender.due.make_due()
    reader = sender.app.reader()
    (digest,) = sender.kept
    assert schedules.mark_read(reader, digest.id, "digest") == len(shown(digest))
    assert schedules.mark_read(reader, digest.id, "digest") == 0
    assert sender.app.store.models.labels(sender.app.user) == ()


@contextmanager
def dripping() -> Iterator[int]:
    """A server that greets one byte every half second."""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip() -> None:
        peer, _from = listener.accept()
        with peer:
            while not ended.wait(0.3):
                try:
                    peer.send(b"2")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        ended.set()
        thread.join()
        listener.close()
