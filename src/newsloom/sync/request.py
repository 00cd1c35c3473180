"""One request of a program that has authenticated, as the protocols share it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from newsloom.feeds.service import subscribing
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Listed, Subscription
from newsloom.reading.values.syncing import StreamArticle
from newsloom.sync.fields import BadRequest, Fields
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services

# The date of an article as sync programs get it. Pure.
#
# Programs put articles in the order of their dates and know no other. Where the settings say so,
# the date tells the rank instead: an article of score 100 is dated now, and with every halving of
# the score a day back. So at each moment the order of dates is that of the scores; and an article
# whose score halves within a day, as most news does, keeps its date.

HALVING = timedelta(days=1)
# What scores less is as far back as this: ten days and a little.
LEAST_SCORE = 0.1


def shown_date(one: Listed, now: datetime, *, ranked: bool) -> datetime:
    """When an article is said to have been published."""
    if not ranked:
        return one.dated
    halvings = math.log2(100 / min(max(one.score, LEAST_SCORE), 100.0))
    return now - HALVING * halvings


# What a row of a protocol does with a request, and with what its path names.
Answer = Callable[..., Response | Awaitable[Response]]


@dataclass
class SyncRequest:
    """A request. What takes a question to the store is asked once, and only where it is wanted."""

    services: Services
    syncing: Syncing
    fields: Fields
    body: bytes

    @cached_property
    def subscriptions(self) -> Sequence[Subscription]:
        return self.syncing.subscriptions()

    @cached_property
    def icons(self) -> Mapping[FeedId, str]:
        """The feeds that have an icon, with what changes when it does."""
        return subscribing.icons(self.syncing.reader, self.subscriptions)

    @cached_property
    def now(self) -> datetime:
        return self.services.now()

    def dated(self, one: StreamArticle) -> datetime:
        """When an article is said to have been published."""
        return shown_date(one.listed, self.now, ranked=self.services.terms.ranked_dates)

    def forget(self) -> None:
        """Drop what was cached of categories and feeds, after a change to them."""
        self.services.folders.forget(self.syncing.reader.user)
        for name in self.__dict__.keys() - self.__dataclass_fields__.keys():
            del self.__dict__[name]

    def import_opml(self) -> None:
        """Follow every feed of the list in the body. Raises UserError."""
        try:
            subscribing.import_opml(self.syncing.reader, self.body)
        except ParseError as error:
            raise BadRequest(str(error)) from error
        self.forget()


async def answered(answer: Answer, *given: object) -> Response:
    """What a row answers: in a thread, unless it waits for the network."""
    if inspect.iscoroutinefunction(answer):
        found = await answer(*given)
    else:
        found = await run_in_threadpool(answer, *given)
    assert isinstance(found, Response)
    return found
