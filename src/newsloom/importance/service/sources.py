"""The sources of a reader's feeds: how far each is believed, why, and the reader's own tiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.importance.sources import authority, explained, source_of
from newsloom.importance.sources.authority import NO_FACTS
from newsloom.importance.values import Authority, SourceFacts
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

TIERS = (1, 2, 3, 4, 5)

# Readers set few by hand; a program that sets more is at fault.
MOST_TIERS = 10_000
LONGEST = 253  # of a name in DNS


@dataclass(frozen=True, slots=True)
class RatedSource:
    """A source of the reader's feeds."""

    authority: Authority
    facts: SourceFacts
    articles: int  # in the reader's feeds, as of the last measurement
    own: int | None  # the reader's tier, set for this very name
    told: tuple[str, ...]  # what was measured, in sentences


@dataclass(frozen=True, slots=True)
class Sources:
    """One reader's sources. Methods may be called from any thread."""

    reader: Reader

    def all(self) -> tuple[RatedSource, ...]:
        """Those of all feeds, the most articles first; of a feed not measured yet, its own host."""
        carried = self._carried()
        facts = self.reader.store.sources.source_facts(carried)
        own = self.own_tiers()
        found = [_rated(name, facts, own, count) for name, count in carried.items()]
        return tuple(sorted(found, key=lambda one: (-one.articles, one.authority.domain)))

    def source(self, domain: str) -> RatedSource:
        """Any source, by its name, a host or an address of it. Raises UserError for none.

        What was measured of one that only others' feeds carry stays theirs: it would tell that
        somebody follows it.
        """
        name, carried = _named(domain), self._carried()
        facts = self.reader.store.sources.source_facts([name] if name in carried else [])
        return _rated(name, facts, self.own_tiers(), carried.get(name, 0))

    def own_tiers(self) -> Mapping[str, int]:
        """The tiers that the reader set, by domain."""
        return self.reader.store.sources.own_tiers(self.reader.user)

    def set_tier(self, domain: str, tier: int | None) -> RatedSource:
        """Set the reader's own tier of a source; None takes it back.

        Raises UserError for what is no tier or no source.
        """
        name = _named(domain)
        if tier is not None and tier not in TIERS:
            raise UserError(
                "The tier must be a number from 1 (wire services, official) to 5 (unverified)."
            )
        if tier is not None and len(self.own_tiers()) >= MOST_TIERS:
            raise UserError(f"You have already set {MOST_TIERS:,} tiers. Remove some first.")
        self.reader.store.sources.set_tier(self.reader.user, name, tier, self.reader.now())
        self.reader.on_change()
        return self.source(name)

    def _carried(self) -> dict[str, int]:
        """Articles of the reader's feeds by source."""
        measured = self.reader.store.sources.feed_sources(self.reader.user)
        carried: dict[str, int] = {}
        for feed in self.reader.store.lists.subscriptions(self.reader.user):
            # A site without a name, as of articles that were brought in, is nobody's.
            own = {source_of(feed.site_url or feed.url): 0}
            for name, count in (measured.get(feed.feed_id) or own).items():
                if name:
                    carried[name] = carried.get(name, 0) + count
        return carried


def _rated(
    name: str, facts: Mapping[str, SourceFacts], own: Mapping[str, int], articles: int
) -> RatedSource:
    seen = facts.get(name, NO_FACTS)
    found = authority(name, seen, own)
    return RatedSource(found, seen, articles, own.get(name), explained(found, seen))


def _named(domain: str) -> str:
    name = source_of(domain) if len(domain) <= 8 * LONGEST else ""
    if not name or len(name) > LONGEST or "." not in name:
        raise UserError(f"{domain[:60]!r} is not a domain such as example.org.")
    return name
