"""Signatures as bytes and back. Knows no table."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from newsloom.dedup.signature import Signature
from newsloom.errors import StoreError
from newsloom.types import ArticleId, FeedId


def pack(signature: Signature) -> bytes:
    s = signature
    entities = None if s.entities is None else sorted(s.entities)
    numbers = [list(some) for some in (s.figures, s.sample, s.sentences, s.names)]
    return json.dumps(
        [s.id, s.feed_id, s.source, s.agency, s.dated.timestamp(), s.title, s.words, s.shingles,
         s.simhash, s.minhash.hex(), numbers, entities]
    ).encode()  # fmt: skip


def unpack(packed: bytes) -> Signature:
    try:
        (
            ident,
            feed,
            source,
            agency,
            dated,
            title,
            words,
            shingles,
            simhash,
            minhash,
            numbers,
            entities,
        ) = json.loads(packed)
        figures, sample, sentences, names = map(tuple, numbers)
    except (ValueError, TypeError) as error:
        raise StoreError("a signature is damaged") from error
    return Signature(
        ArticleId(ident), FeedId(feed), source, agency, datetime.fromtimestamp(dated, UTC), title, words,
        figures, shingles, simhash, bytes.fromhex(minhash), sample, sentences, names,
        None if entities is None else frozenset(entities),
    )  # fmt: skip
