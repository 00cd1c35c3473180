"""Entries of another program made into judged articles: the ordinary duplicate layers. Pure.

The keys under which duplicates are looked for name the account, so that nothing of one reader
meets what another reads: neither a private feed's text nor that they follow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from newsloom.bridges.values import Account, AdoptedEntry, RemoteEntry
from newsloom.duplicates import judge_document, prepare
from newsloom.duplicates.decide import Candidates
from newsloom.duplicates.values import IncomingArticle
from newsloom.feeds.values.published import ParsedFeed
from newsloom.kernel.ids import FeedId


@dataclass(frozen=True, slots=True)
class Prepared:
    """The entries of one feed: articles, each once, and entries that are the same as another."""

    articles: Mapping[int, IncomingArticle]  # by entry
    digests: Mapping[int, str]
    same: Mapping[int, int]  # entry -> the one in `articles` it is the same as

    @property
    def keys(self) -> set[tuple[str, str]]:
        return {key for one in self.articles.values() for key in one.keys}


def prepared(
    account: Account, feed: FeedId, entries: Sequence[RemoteEntry], now: datetime
) -> Prepared:
    """Made ready as a feed's document would be."""
    alone = {
        one.key: prepare(ParsedFeed(format="", articles=(one.article,)), feed, now)[0]
        for one in entries
    }
    by_guid = {one.copy.guid: key for key, one in alone.items()}
    document = ParsedFeed(format=account.bridge, articles=tuple(one.article for one in entries))
    incoming = {
        by_guid[one.copy.guid]: _private(one, account)
        for one in prepare(document, feed, now)
        if one.copy.guid in by_guid
    }
    by_text = {_text(alone[key]): key for key in incoming}
    same = {
        key: by_text[_text(one)]
        for key, one in alone.items()
        if key not in incoming and _text(one) in by_text
    }
    return Prepared(incoming, {one.key: one.digest for one in entries}, same)


def judged(prepared: Prepared, candidates: Candidates) -> tuple[AdoptedEntry, ...]:
    """What becomes of each article."""
    keys = list(prepared.articles)
    verdicts = judge_document([prepared.articles[key] for key in keys], candidates)
    return tuple(
        AdoptedEntry(key, prepared.digests[key], verdict)
        for key, verdict in zip(keys, verdicts, strict=True)
    )


def _private(incoming: IncomingArticle, account: Account) -> IncomingArticle:
    place = f"{account.bridge} {account.id} "
    private = tuple((layer, place + key) for layer, key in incoming.keys)
    return replace(incoming, keys=private, private=place)


def _text(incoming: IncomingArticle) -> tuple[str, str]:
    copy = incoming.copy
    return copy.canonical_url, copy.content_hash
