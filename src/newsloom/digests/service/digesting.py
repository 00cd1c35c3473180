"""Digests on schedule: made when they fall due, then sent. In `serve`, or once by a command.

Both steps are claimed in the database, so that several processes make and send each once. A process
that ends while it makes one leaves nothing behind; one that ends while it sends leaves the sending
in the outbox. A mail server may then have taken a mail that is sent again: with the same
Message-ID, which is all that SMTP has to tell the two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from newsloom.digests import formats, mail
from newsloom.digests.links import Links
from newsloom.digests.service import digests, story_news
from newsloom.digests.service.schedules import occurrence, window
from newsloom.digests.values import ArchivedDigest, Digest, DigestKind, Schedule
from newsloom.feeds.service.pictures import MAIL, Pictures
from newsloom.kernel.delivery.outbox import (
    CLAIM,
    into_folder,
    mailed,
    posted,
    run_periodically,
    send_due,
)
from newsloom.kernel.delivery.schedules import make_due
from newsloom.kernel.delivery.values import Sending, Sent, Way

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.kernel.http.ports import Fetcher, Mailer
    from newsloom.kernel.ids import UserId
    from newsloom.kernel.settings import Settings
    from newsloom.store import Store

# Between two looks at what is due.
PAUSE = timedelta(seconds=20)
# What is remembered of earlier digests: of a week, or of the last weekly one.
REMEMBERED, REMEMBERED_WEEKLY = timedelta(days=7), timedelta(days=15)
# Those that remember each other.
DAILY = (DigestKind.MORNING, DigestKind.MIDDAY, DigestKind.EVENING)


@dataclass(frozen=True, slots=True)
class Digesting:
    """Makes and sends what is due."""

    store: Store
    reader: Callable[[UserId], Reader]
    mailer: Mailer
    settings: Settings
    now: Callable[[], datetime]
    written: bool = False  # whether a language model writes summaries, which a digest waits for
    fetching_pictures: Callable[[], AbstractAsyncContextManager[Pictures]] | None = None

    def make_due(self) -> int:
        """How many digests were made."""
        return make_due(self.store.digests, self._make, self.now, CLAIM)

    def _make(self, schedule: Schedule, now: datetime) -> bool:
        """Of several windows that were missed only the last is made, and covers them all."""
        if schedule.kind in {DigestKind.STORIES, DigestKind.RULES}:
            return self._tell(schedule, now)
        due = occurrence(schedule, now, after=False)
        next_at = occurrence(schedule, now, after=True)
        weekly = schedule.kind is DigestKind.WEEKLY
        since = due - (REMEMBERED_WEEKLY if weekly else REMEMBERED)
        # A week's digest tells again what its days told.
        kinds = [DigestKind.WEEKLY] if weekly else DAILY
        past = self.store.digests.memories(schedule.user, kinds=kinds, since=since, until=due)
        begin, end = window(schedule.kind, due, past[0][0] if past else None)
        memories = [memory for _end, memory in (past[:1] if weekly else past)]
        made = digests.composed(
            self.reader(schedule.user),
            schedule.kind,
            begin,
            end,
            schedule.zone,
            memories,
            as_of=now,
        )
        if not made.digest.topics:  # nothing came, or nothing new
            self.store.digests.postpone(schedule.id, next_at)
            return False
        wait = timedelta(minutes=self.settings.digest.summary_minutes if self.written else 0)
        kept = self.store.digests.put_digest(
            schedule, made.digest, made.memory, now=now, ready=now + wait, next_at=next_at
        )
        return kept is not None

    def _tell(self, schedule: Schedule, now: datetime) -> bool:
        """Send news of followed stories, or articles that rules send, in one message when it is
        due."""
        if not schedule.targets:  # all of them were ended, by links in mails
            self.store.digests.drop_schedule(schedule.user, schedule.id)
            return False
        if schedule.kind is DigestKind.STORIES:
            collect = story_news.collect
        else:
            from newsloom.digests.service.rule_news import collect  # few readers have such rules
        batch = collect(self.reader(schedule.user), schedule, self.settings.digest, now)
        if batch.made is None:
            self.store.digests.postpone(schedule.id, batch.next_at)
            return False
        kept = self.store.digests.put_digest(
            schedule,
            batch.made.digest,
            batch.made.memory,
            now=now,
            ready=now,
            next_at=batch.next_at,
            article_ids=batch.articles,
        )
        return kept is not None

    async def send_due(self, fetcher: Fetcher) -> int:
        """How many were taken by the other side."""
        return await send_due(
            self.store.digests,
            lambda one: self._send(one, fetcher),
            lambda one: f"a digest to {one.target.to}",
            self.now,
        )

    async def _send(self, sending: Sending, fetcher: Fetcher) -> Sent:
        digest = await asyncio.to_thread(self.store.digests.digest_to_send, sending)
        if digest is None:
            return Sent("the digest was deleted", final=True)
        if sending.target.way is Way.MAIL:
            pictures = await self._pictures(digest.digest)
            return await asyncio.to_thread(self._by_mail, sending, digest, pictures)
        if sending.target.way is Way.WEBHOOK:
            text = formats.as_json(digest.digest, id=digest.id)
            return await posted(sending, "digest", text, self.now(), fetcher)
        return await asyncio.to_thread(self._as_file, sending, digest)

    async def _pictures(self, digest: Digest) -> dict[str, bytes]:
        """JPEG by its address, of those a mail shows; without those that cannot be fetched."""
        urls = mail.pictured(digest)
        if not urls or self.fetching_pictures is None:
            return {}
        async with self.fetching_pictures() as pictures:
            found = await asyncio.gather(*(pictures.get(url, MAIL) for url in urls))
        return {url: one.body for url, one in zip(urls, found, strict=True) if one.type}

    def _by_mail(
        self, sending: Sending, digest: ArchivedDigest, pictures: Mapping[str, bytes]
    ) -> Sent:
        settings = self.settings

        def made() -> EmailMessage:
            return mail.message(
                digest,
                sending.target.to,
                settings.mail.sender,
                Links(settings.web.url.rstrip("/")),
                sending.token,
                self.now(),
                pictures,
            )

        return mailed(settings.mail, self.mailer, made)

    def _as_file(self, sending: Sending, digest: ArchivedDigest) -> Sent:
        form = formats.format_of(sending.target.to)
        local = digest.digest.end.astimezone(ZoneInfo(digest.digest.zone))
        name = f"{local:%Y-%m-%d} {digest.digest.kind} {digest.user}-{digest.id}.{form.suffix}"
        return into_folder(self.settings, name, lambda: form.render(digest.digest).encode())

    async def once(self, fetcher: Fetcher) -> tuple[int, int]:
        """Make what is due and send what waits: how many of each."""
        made = await asyncio.to_thread(self.make_due)
        return made, await self.send_due(fetcher)

    async def run(self, stopping: asyncio.Event, fetcher: Fetcher) -> None:
        """Again and again until `stopping`; trouble is for the next time."""
        await run_periodically(
            lambda: self.once(fetcher), stopping, PAUSE, "making or sending digests"
        )


def digesting(app: App) -> Digesting:
    """As the settings have it."""
    from newsloom.kernel.http.smtp import SmtpMailer

    shown = app.settings.pages.pictures == "proxy"
    return Digesting(
        store=app.store,
        reader=lambda user: replace(app, user=user).reader(),
        mailer=SmtpMailer(app.settings.mail),
        settings=app.settings,
        now=app.now,
        written=bool(app.language_model),
        fetching_pictures=app.fetching_pictures if shown else None,
    )
