"""Briefs that are ready are sent: by mail, to a webhook, or as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.briefs import forms
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.podcast import PREFIX
from newsloom.briefs.values.briefs import ArchivedBrief
from newsloom.digests.formats import clean
from newsloom.kernel.delivery.mail import Letter, letter, whole_html
from newsloom.kernel.delivery.outbox import send_due
from newsloom.kernel.delivery.sending import into_folder, mailed, posted
from newsloom.kernel.delivery.values import Sending, Sent, Way

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.kernel.http.ports import Fetcher, Mailer
    from newsloom.kernel.settings import Settings
    from newsloom.store import Store


@dataclass(frozen=True, slots=True)
class BriefPost:
    """Sends what is in the outbox."""

    store: Store
    mailer: Mailer
    settings: Settings
    now: Callable[[], datetime]

    async def send_due(self, fetcher: Fetcher) -> int:
        """How many were taken by the other side."""
        return await send_due(
            self.store.briefs,
            lambda one: self._send(one, fetcher),
            lambda one: f"a brief to {one.target.to}",
            self.now,
        )

    async def _send(self, sending: Sending, fetcher: Fetcher) -> Sent:
        brief = await asyncio.to_thread(self.store.briefs.brief_to_send, sending)
        if brief is None:
            return Sent("the brief was deleted", final=True)
        if sending.target.way is Way.MAIL:
            return await asyncio.to_thread(self._by_mail, sending, brief)
        if sending.target.way is Way.WEBHOOK:
            text = await asyncio.to_thread(self._told, brief)
            return await posted(sending, "brief", text, self.now(), fetcher)
        return await asyncio.to_thread(self._as_file, brief)

    @property
    def _links(self) -> BriefLinks:
        return BriefLinks(self.settings.web.url.rstrip("/"))

    def _by_mail(self, sending: Sending, brief: ArchivedBrief) -> Sent:
        """With its text and a link to its sound: mail servers refuse what is as large as sound."""

        def made() -> EmailMessage:
            page, leave = self._links.page(brief.id), self._links.leave(sending.token)
            words = "Listen" if brief.sound else "Read"
            plain = forms.plain(brief.script)
            if brief.problem:
                plain = f"No audio: {brief.problem}\n\n{plain}"
            if page:
                plain += f"\n{words}: {page}\nUnsubscribe: {leave}\n"
            body = forms.mail_html(brief)
            title = clean(brief.script.title)
            whole = whole_html(title, body, page, words, leave)
            return letter(
                Letter(f"brief-{brief.id}", title, plain, whole, leave),
                sending.target.to,
                self.settings.mail.sender,
                sending.token,
                self.now(),
            )

        return mailed(self.settings.mail, self.mailer, made)

    def _told(self, brief: ArchivedBrief) -> str:
        token = self.store.digests.feed_token(brief.user, PREFIX + brief.script.language)
        return forms.as_json(brief, self._links, token)

    def _as_file(self, brief: ArchivedBrief) -> Sent:
        files = brief.sound.files if brief.sound else ()
        wanted = [one for one in files if forms.ending(one) == "mp3"]
        if not wanted:
            return Sent(brief.problem or "its audio was deleted because of its age", final=True)
        folder = self.settings.brief.folder.expanduser()
        name = (
            f"{forms.day(brief.script)} brief {brief.script.language} {brief.user}-{brief.id}.mp3"
        )
        return into_folder(self.settings, name, (folder / wanted[0].name).read_bytes)
