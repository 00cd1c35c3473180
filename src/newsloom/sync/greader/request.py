"""One request of the Google Reader API, and what it needs to be answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.service import annotating
from newsloom.reading.values.syncing import StreamPart
from newsloom.sync.fields import BadRequest
from newsloom.sync.greader.items import LIFEREA, for_liferea, item_id, item_of
from newsloom.sync.greader.stream_ids import Labels, stream_part
from newsloom.sync.greader.tokens import Credentials
from newsloom.sync.request import SyncRequest

# Articles that one request can name.
MOST_NAMED = 10_000


@dataclass
class GreaderRequest(SyncRequest):
    """A request of a user."""

    who: Credentials
    rest: str  # of the path
    known: str  # the If-None-Match header
    agent: str  # the User-Agent header
    base: str  # the server's address, as the app has it

    @property
    def is_liferea(self) -> bool:
        return self.agent.startswith(LIFEREA)

    @cached_property
    def feeds(self) -> Mapping[str, FeedId]:
        """The reader's feeds by address."""
        return {one.url: one.feed_id for one in self.subscriptions}

    @cached_property
    def labels(self) -> Labels:
        return Labels(
            like=self.services.terms.like,
            dislike=self.services.terms.dislike,
            categories=dict.fromkeys(one.category for one in self.subscriptions),
            folders=self.services.folders.of(self.syncing.reader),
            tags=[one.name for one in annotating.all_tags(self.syncing.reader)],
        )

    def part(self, stream: str) -> StreamPart:
        """The articles of a stream. Raises BadRequest."""
        return stream_part(stream, self.labels, self.feeds)

    def numbers(self) -> Sequence[int]:
        """The articles that are named by `i`, each once, in order; without what can be none.

        Raises BadRequest.
        """
        given = self.fields.all("i")
        if not given:
            raise BadRequest("Missing i=... (article id).")
        if len(given) > MOST_NAMED:
            raise BadRequest(f"At most {MOST_NAMED:,} articles at once.")
        found = dict.fromkeys(item_id(one) for one in given)
        return [one for one in found if one is not None]

    def items(self, wanted: Mapping[int, ArticleId]) -> Iterator[list[dict[str, Any]]]:
        """The requested articles in batches, each with the id from the request."""
        numbers: dict[ArticleId, list[int]] = defaultdict(list)
        for number, article in wanted.items():
            numbers[article].append(number)
        for part in self.syncing.in_parts(numbers):
            items = [
                item_of(one, self.labels, self.dated(one), number)
                for one in part
                for number in numbers[one.listed.id]
            ]
            yield [for_liferea(one) for one in items] if self.is_liferea else items
