"""What is done when a hub calls: its calls back, and what it sends. Asks nothing of the network.

What is acknowledged is in the store before; what it means is found out after.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newsloom.feeds import websub
from newsloom.feeds.service.pushing import Terms
from newsloom.feeds.values.health import PushState
from newsloom.feeds.values.pushes import Delivery, MostDeliveries, Push
from newsloom.feeds.websub import Call
from newsloom.store import Store

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
