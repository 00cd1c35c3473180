"""Who says what an article says: the source that its link names, or the feed that carries it. Pure.

A feed may write any link. What links elsewhere is the other's word only if the feed is theirs, or
one that is known to pass on what others publish.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address

from newsloom.duplicates.values import Witness
from newsloom.importance.sources.authority import known_tier, owner_of
from newsloom.importance.sources.bands import BANDS
from newsloom.importance.sources.naming import host_of
from newsloom.importance.sources.table import row_of, source_of
from newsloom.importance.values import SourceKind, TierOrigin

# What a link to somebody else can bring at most: nothing above tier 4.
MOST_BORROWED = BANDS[4][1]

# The one speaker that all are whom nothing vouches for: domains cost little.
UNVOUCHED = "?"

# These may pass on what others publish: sources up to the first tier, collections up to the second.
_PASSING_ON, _COLLECTING = 3, 4

# Anybody may have a feed there, and many do who have a name of their own: each is one speaker.
_SERVICES = frozenset(
    (
        *("feedburner.com", "feedburner.google.com", "feedblitz.com", "feedpress.me"),
        *("rss.app", "rsshub.app", "politepol.com", "fetchrss.com", "podbean.com", "libsyn.com"),
        *("buzzsprout.com", "simplecast.com", "megaphone.fm", "acast.com", "art19.com"),
        *("omnycontent.com", "transistor.fm", "anchor.fm"),
    )
)


def is_own(source: str, feeds: Sequence[str]) -> bool:
    """Whether one of the feeds that carry an article may speak for the source that it links to.

    Also where no feed is told.
    """
    return not feeds or any(_may_speak(feed, source) for feed in feeds)


def speaker(source: str, feeds: Sequence[str]) -> str:
    """Who it is that says it, to count independent ones: equal for those of one owner."""
    if is_own(source, feeds):
        return owner_of(source) if source else ""
    feed = min(feeds)
    return feed if source_of(feed) in _SERVICES else owner_of(feed)


def credited_source(source: str, feed: str) -> str:
    """The source that an article counts for: the one its link names, or else its feed's own."""
    return source if is_own(source, (feed,) if feed else ()) else source_of(feed)


def vouched(source: str) -> bool:
    """Whether the table or a rule names who is behind it, so that not anyone can be."""
    known = known_tier(source)
    return known is not None and (known.tier <= 3 or known.origin is TierOrigin.TABLE)


def speaker_of(one: Witness) -> Witness:
    """As who speaks there: all that nothing vouches for may be one, and speak as one. That it is an
    agency's copy is believed only of who is known."""
    own = is_own(one.source, one.feeds)
    known = vouched(one.source if own else source_of(min(one.feeds)))
    who = speaker(one.source, one.feeds) if known else UNVOUCHED
    return Witness(one.text, who, one.agency if own and known else "", one.feeds)


def borrowed(source: str, score: float) -> bool:
    """Whether a score is of an article that only links to a source of tier 1 to 3."""
    known = known_tier(source)
    return known is not None and score < BANDS[known.tier][0]


@lru_cache(maxsize=16_384)
def _may_speak(feed: str, source: str) -> bool:
    host = host_of(feed)
    if _at_home(host) or owner_of(host) == owner_of(source):
        return True
    row = row_of(host)
    if row is None:
        return False
    most = _COLLECTING if row.kind is SourceKind.AGGREGATOR else _PASSING_ON
    return row.tier <= most


def _at_home(host: str) -> bool:
    """No host, a name without a dot, or a number of a private network: what a reader set up."""
    try:
        return ip_address(host.strip("[]")).is_private
    except ValueError:
        return "." not in host
