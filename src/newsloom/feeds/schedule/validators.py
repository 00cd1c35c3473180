"""Which validators are kept of an answer: only of a document that nothing can be missing of. Pure.

A server that is asked with the validators of half a document says 304 for ever, and the other half
is never seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.feeds.values.polling import PollOutcome
from newsloom.feeds.values.published import Damage
from newsloom.kernel.http.values import Reply

NOT_MODIFIED = 304

_ANSWERED = frozenset({PollOutcome.CHANGED, PollOutcome.UNCHANGED})


@dataclass(frozen=True, slots=True)
class Validators:
    """What the next request is to send; None keeps what is stored, an empty text forgets it."""

    etag: str | None = None
    last_modified: str | None = None
    url: str | None = None  # whose they are, after redirects


AS_BEFORE = Validators()
NO_MORE = Validators("", "", "")


def trusted(damage: Damage, damaged: int) -> bool:
    """Whether the validators of a document may be kept; `damaged` counts the documents in a row
    before it that were damaged.

    One that was only mended has all its articles. Mended once it may have been an accident, which a
    304 would keep; twice, and its publisher writes it so: to ask for it whole again and again would
    bring the same mistake each time.
    """
    return not damage or (damage is Damage.MENDED and damaged > 0)


def validators(reply: Reply, outcome: PollOutcome, damage: Damage, damaged: int) -> Validators:
    """What is kept of an answer. A 304 without a header keeps what is stored (RFC 9111, 3.2); a
    document without it forgets."""
    unchanged = reply.status == NOT_MODIFIED
    if outcome not in _ANSWERED:
        # A 304 is a failure where nothing had been asked on condition.
        return NO_MORE if unchanged else AS_BEFORE
    if not trusted(damage, damaged):
        return NO_MORE
    etag, last_modified = reply.header("etag"), reply.header("last-modified")
    return Validators(
        None if unchanged and not etag else etag,
        None if unchanged and not last_modified else last_modified,
        reply.url,
    )
