"""What a feed says about polling, and what was learned of it, to JSON and back. No database."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from newsloom.feeds.values.health import FeedIdentity
from newsloom.feeds.values.polling import PublishingRate
from newsloom.feeds.values.published import PollHints


def write_hints(hints: PollHints) -> dict[str, Any] | None:
    """Only what is said; None when nothing is."""
    said = {
        "ttl": _seconds(hints.ttl),
        "skip_hours": sorted(hints.skip_hours),
        "skip_days": sorted(hints.skip_days),
        "update_every": _seconds(hints.update_every),
        "hub": hints.hub,
        "topic": hints.topic,
    }
    return {name: value for name, value in said.items() if value or value == 0} or None


def read_hints(stored: Mapping[str, Any] | None) -> PollHints:
    said = stored or {}
    return PollHints(
        ttl=_span(said.get("ttl")),
        skip_hours=frozenset(said.get("skip_hours", ())),
        skip_days=frozenset(said.get("skip_days", ())),
        update_every=_span(said.get("update_every")),
        hub=said.get("hub", ""),
        topic=said.get("topic", ""),
    )


def write_pace(pace: PublishingRate) -> dict[str, Any]:
    return {
        "polls": pace.polls,
        "per_day": pace.per_day,
        "hours": list(pace.hours),
        "days": list(pace.days),
        "at": pace.at and pace.at.isoformat(),
        "watched": pace.watched,
    }


def read_pace(stored: Mapping[str, Any] | None) -> PublishingRate:
    said = stored or {}
    return PublishingRate(
        polls=said.get("polls", 0),
        per_day=said.get("per_day", 0.0),
        hours=tuple(said.get("hours", ())),
        days=tuple(said.get("days", ())),
        at=datetime.fromisoformat(said["at"]) if said.get("at") else None,
        watched=said.get("watched", 0.0),
    )


def write_identity(identity: FeedIdentity) -> dict[str, Any]:
    return {"authors": list(identity.authors), "hosts": list(identity.hosts)}


def read_identity(stored: Mapping[str, Any] | None) -> FeedIdentity | None:
    if stored is None:
        return None
    return FeedIdentity(tuple(stored.get("authors", ())), tuple(stored.get("hosts", ())))


def _seconds(span: timedelta | None) -> float | None:
    return None if span is None else span.total_seconds()


def _span(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)
