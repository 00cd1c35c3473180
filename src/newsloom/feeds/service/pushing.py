"""What is asked of hubs, and what they sent is taken in: between two passes, a little at a time.

Holds the order of things. What an answer means is text.websub's to say, what becomes of a document
is the poller's: one judge and one way into the store, whoever brought it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from newsloom.feeds import websub
from newsloom.feeds.service.poll import Poller
from newsloom.feeds.service.reply import Polled, unreadable
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.polling import Announced, Delivery, MostDeliveries, PollCounts, Push
from newsloom.feeds.websub import Call
from newsloom.kernel.errors import NewsloomError, NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.store import Store

log = logging.getLogger(__name__)

# Asking a hub takes a second and a quarter of its host's turn: with so many a pass, 10,000 feeds of
# one hub are agreed on within a day, and no pass waits long for it, nor one hub for another.
MOST_ASKED = 32
MOST_OF_A_HUB = 8
MOST_SECONDS = 20.0
MOST_BEGUN = 500
MOST_TAKEN = 200

# What was claimed and never settled, because this process ended, is asked again after this.
CLAIM = timedelta(minutes=30)

# A hub may be this late: polls find some news before hubs tell.
PATIENCE = timedelta(hours=1)
# And is not trusted again before this.
DISTRUST = timedelta(days=7)

# Hubs that send subscribers elsewhere do so once.
MOST_HOPS = 3

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Terms:
    """What hubs are told of us."""

    base: str  # where they reach us; empty: nowhere
    lease: timedelta
    floor: timedelta  # between two polls of a feed


@dataclass(frozen=True, slots=True)
class Pushing:
    """Asks hubs and takes in what they sent. `token` gives what nobody can guess."""

    store: Store
    terms: Terms
    poller: Callable[[Fetcher], Poller]
    now: Callable[[], datetime]
    token: Callable[[], str]
    seconds: float = MOST_SECONDS
    _taking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, fetcher: Fetcher) -> int:
        """After the polls of a pass: how many hubs were asked and documents taken in."""
        if not self.terms.base:
            if await asyncio.to_thread(self.store.feeds.pushes):
                floor = self.terms.floor
                await asyncio.to_thread(self.store.feeds.drop_pushes, self.now(), floor)
            return 0
        taken = await self.take_in(fetcher)
        await asyncio.to_thread(self._keep_up)
        return taken + await self._ask(fetcher)

    async def take_in(self, fetcher: Fetcher) -> int:
        """Store what hubs sent; how many documents are done with."""
        async with self._taking:
            waiting = await asyncio.to_thread(self.store.feeds.waiting_deliveries, MOST_TAKEN)
            busy: set[FeedId] = set()
            done = 0
            for number, feed in waiting:
                # Of one feed in order: what came later may revise what came before.
                if feed in busy:
                    continue
                if await self._take(fetcher, number):
                    done += 1
                else:
                    busy.add(feed)
            return done

    async def _take(self, fetcher: Fetcher, number: int) -> bool:
        delivery = await asyncio.to_thread(self.store.feeds.delivery, number)
        if delivery is None:
            return False
        known = await asyncio.to_thread(self.store.feeds.pushes, [delivery.feed])
        push = known.get(delivery.feed)
        if push is None:
            return False  # `end_pushes` drops it
        try:
            counts = await self.poller(fetcher).take(
                delivery.feed, _reply(push, delivery), lambda polled: admitted(push, polled)
            )
        except NewsloomError:
            raise  # the store is busy or full: it is there for the next pass
        except Exception:  # our own fault, whatever it is; the others are not to wait for ever
            log.exception("what a hub sent of feed %s could not be taken in", delivery.feed)
            counts = PollCounts(feeds=1, failed=1)
        if counts is None or not counts.feeds:
            return False
        await asyncio.to_thread(
            self.store.feeds.taken_in,
            delivery,
            ignored=counts.failed > 0,
            now=self.now(),
            floor=self.terms.floor,
        )
        return True

    def _keep_up(self) -> None:
        """Bring what is agreed in line with what is followed, and with the time."""
        now, floor = self.now(), self.terms.floor
        self.store.feeds.end_pushes(now, floor)
        self._fall_back(now)
        announced = self.store.feeds.announced(self.terms.base, MOST_BEGUN)
        if announced:
            rows = [self._begun(one, now) for one in announced]
            self.store.feeds.begin_pushes(rows, announced, now, floor)

    def _fall_back(self, now: datetime) -> None:
        """What a hub told of until now, and tells no more, is polled again."""
        floor, wanted = self.terms.floor, PushState.WANTED
        silent: dict[str, list[FeedId]] = defaultdict(list)
        over = []
        for push in self.store.feeds.fallen(now, PATIENCE):
            if push.until is not None and push.until <= now:
                over.append(push.feed)
            else:
                silent[websub.hub_name(push)].append(push.feed)
        if over:
            self.store.feeds.fall_back(over, now=now, floor=floor, state=wanted)
        for name, feeds in silent.items():
            self.store.feeds.fall_back(
                feeds,
                now=now,
                floor=floor,
                state=wanted,
                problem=f"{name} missed new articles",
                next_at=now + DISTRUST,
            )

    def _begun(self, announced: Announced, now: datetime) -> Push:
        problem = websub.unaskable(announced.hub, announced.topic)
        return Push(
            feed=announced.feed,
            token=self.token(),
            secret=self.token(),
            base=self.terms.base,
            hub=announced.hub,
            topic=announced.topic,
            state=PushState.DENIED if problem else PushState.WANTED,
            next_at=None if problem else now,
            problem=problem,
        )

    async def _ask(self, fetcher: Fetcher) -> int:
        now = self.now()
        claimed = await asyncio.to_thread(
            self.store.feeds.claim_pushes, now, now + CLAIM, MOST_ASKED, MOST_OF_A_HUB
        )
        hubs: dict[str, list[Push]] = defaultdict(list)
        for push in claimed:
            hubs[websub.hub_name(push)].append(push)
        under_way = [asyncio.create_task(self._ask_hub(fetcher, few)) for few in hubs.values()]
        if not under_way:
            return 0
        # A hub that lets us wait makes nobody else wait: what it was asked is asked again.
        done, late = await asyncio.wait(under_way, timeout=self.seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return sum(task.result() for task in done)

    async def _ask_hub(self, fetcher: Fetcher, pushes: Sequence[Push]) -> int:
        """One after the other; when the hub is ill the others are put off without asking."""
        for number, push in enumerate(pushes, start=1):
            try:
                reply = await self._post(fetcher, push)
            except NotNow:  # asked again when the claim is over
                return number - 1
            answer = websub.answered(push, reply, self.now())
            await asyncio.to_thread(self._settle, push, answer)
            if answer.failing:
                for other in pushes[number:]:
                    put_off = websub.answered(other, reply, self.now())
                    await asyncio.to_thread(self._settle, other, put_off)
                return number
        return len(pushes)

    def _settle(self, push: Push, answer: websub.Answered) -> None:
        if answer.over:
            self.store.feeds.forget_push(push.token)
            return
        self.store.feeds.settle_push(
            push,
            state=answer.state,
            next_at=answer.next_at,
            problem=answer.problem,
            awaits=answer.awaits,
        )

    async def _post(self, fetcher: Fetcher, push: Push) -> Reply:
        """Ask the hub, at each of its addresses until one takes it."""
        body = websub.request_body(push, self.terms.lease)
        for address in websub.addresses(push.hub):
            reply = await _post_to(fetcher, address, body)
            if reply.failure is None and 200 <= reply.status < 300:
                break
        return reply


async def _post_to(fetcher: Fetcher, address: str, body: bytes) -> Reply:
    """Post a form, and again to where a hub sends its subscribers (5.1.2)."""
    for _hop in range(MOST_HOPS):
        reply = await fetcher.get(
            Request(url=address, method="POST", follow=False, body=body, content_type=FORM)
        )
        target = websub.redirected(address, reply)
        if not target:
            break
        address = target
    return reply


def admitted(push: Push, polled: Polled) -> Polled:
    """What a hub sent, unless it is another feed's."""
    if polled.feed is not None and websub.foreign(push, polled.due, polled.feed):
        return unreadable(polled, "the hub sent another feed")
    return polled


def _reply(push: Push, delivery: Delivery) -> Reply:
    """As if it had been asked for. Of its headers only the type counts: no other is signed."""
    return Reply(
        request=Request(url=push.topic),
        received=delivery.at,
        seconds=0.0,
        status=200,
        url=push.topic,
        headers=(("content-type", delivery.content_type),),
        body=delivery.body,
        wire_bytes=len(delivery.body),
    )


# What is done when a hub calls: its calls back, and what it sends. Asks nothing of the network.
# What is acknowledged is in the store before; what it means is found out after.

# A hub that sends more is told to come back: nobody publishes so often, and what waits is on our
# disk. A feed that has news every half minute is better polled.
MOST = MostDeliveries(waiting=8, megabytes=100.0, an_hour=120)

LONGEST_TYPE = 200


class Taken(StrEnum):
    """What became of a document that a hub sent."""

    KEPT = "kept"
    FORGED = "forged"
    TOO_MUCH = "too much"


@dataclass(frozen=True, slots=True)
class Callback:
    """What hubs reach. `most_bytes` of a body are read, within `seconds`."""

    store: Store
    terms: Terms
    now: Callable[[], datetime]
    most_bytes: int
    seconds: float
    most: MostDeliveries = MOST

    def push(self, token: str) -> Push | None:
        """What is agreed under a token; None when there is nothing."""
        return self.store.feeds.push(token) if websub.plausible(token) else None

    def listens(self, token: str) -> Push | None:
        """The same, while documents of it are wanted."""
        push = self.push(token)
        unwanted = push is None or push.state in {PushState.ENDING, PushState.DENIED}
        return None if unwanted else push

    def called(self, token: str, query: Sequence[tuple[str, str]]) -> str | None:
        """What to answer a hub that makes sure of something; None: it is not so."""
        push = self.push(token)
        call = websub.called(push, query)
        if push is None or call.what is Call.STRANGE:
            return None
        now = self.now()
        if call.what is Call.CONFIRMS:
            renewal = now + websub.renewal(call.lease)
            kept = self.store.feeds.confirm_push(push.token, now, now + call.lease, renewal)
            return call.challenge if kept else None
        if call.what is Call.ENDS:
            return call.challenge if self.store.feeds.forget_push(push.token) else None
        if call.what is Call.REPEATS:
            return call.challenge
        self._denied(push, call, now)
        return None if call.what is Call.SHORT else ""

    def _denied(self, push: Push, call: websub.Called, now: datetime) -> None:
        """It tells no more; or, if that is all it would not do, it is not asked for longer."""
        again = websub.denied_until(push, now)
        words = f"{websub.hub_name(push)} said no" + (f" ({call.reason})" if call.reason else "")
        if call.what is Call.SHORT and push.state is PushState.ACTIVE:
            self.store.feeds.settle_push(
                push, state=push.state, next_at=again, problem=words, awaits=False
            )
            return
        self.store.feeds.fall_back(
            [push.feed],
            now=now,
            floor=self.terms.floor,
            state=PushState.DENIED,
            problem=words,
            next_at=again,
        )

    def sent(self, push: Push, signature: str, content_type: str, body: bytes) -> Taken:
        """Keep a document, if it is the hub's. A forgery makes a poll due, when that is polite."""
        now = self.now()
        if not websub.signed(signature, body, push.secret):
            self.store.feeds.refuse_push(push.feed, now, self.terms.floor)
            return Taken.FORGED
        digest = hashlib.sha256(body).hexdigest()
        delivery = Delivery(push.feed, now, content_type[:LONGEST_TYPE], digest, body)
        return Taken.KEPT if self.store.feeds.deliver(delivery, self.most) else Taken.TOO_MUCH

    def too_large(self, push: Push) -> None:
        """It sent more than is read: a poll, which has the same limit, says so to the readers."""
        self.store.feeds.refuse_push(push.feed, self.now(), self.terms.floor)
