"""One request of a program that has logged in, and what it needs to be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.service import annotating
from newsloom.reading.values.reading import Subscription
from newsloom.reading.values.syncing import StreamArticle, StreamPart
from newsloom.sync.fields import Fields
from newsloom.sync.greader.items import Shown, item_of, shown
from newsloom.sync.greader.liferea import is_liferea, with_state
from newsloom.sync.greader.stream_ids import Labels, stream_part
from newsloom.sync.greader.tokens import Credentials
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services
from newsloom.sync.texts import written

# Articles read from the store and written at once.
AT_ONCE = 100


@dataclass
class GreaderRequest:
    """A request. What takes a question to the store is asked once, and only where it is wanted."""

    services: Services
    syncing: Syncing
    who: Credentials
    fields: Fields
    rest: str  # of the path
    body: bytes
    known: str  # the If-None-Match header
    agent: str  # the User-Agent header
    base: str  # the server's address, as the app has it

    @cached_property
    def subscriptions(self) -> Sequence[Subscription]:
        return self.syncing.subscriptions()

    @cached_property
    def feeds(self) -> Mapping[str, FeedId]:
        """The reader's feeds by address."""
        return {one.url: one.feed_id for one in self.subscriptions}

    @cached_property
    def labels(self) -> Labels:
        terms = self.services.terms
        labels = Labels(
            like=terms.like,
            dislike=terms.dislike,
            categories=dict.fromkeys(one.category for one in self.subscriptions),
            folders=self.services.folders.of(self.syncing.reader),
        )
        names = [one.name for one in annotating.all_tags(self.syncing.reader)]
        return replace(labels, tags=tuple(one for one in names if not labels.means(one)))

    def part(self, stream: str) -> StreamPart:
        """The articles of a stream. Raises BadRequest."""
        return stream_part(stream, self.labels, self.feeds)

    @cached_property
    def shown(self) -> Shown:
        terms = self.services.terms
        return shown(self.labels, self.services.now(), ranked=terms.ranked_dates)

    def items(self, wanted: Sequence[tuple[int, ArticleId]]) -> Iterator[dict[str, object]]:
        """Articles, each under the number it was asked for by; read in parts."""
        rest = iter(wanted)
        while some := list(islice(rest, AT_ONCE)):
            found = self.syncing.articles([article for _number, article in some])
            by_id = {one.listed.id: one for one in found}
            for number, article in some:
                if article in by_id:
                    yield self._item(by_id[article], number)

    def _item(self, one: StreamArticle, number: int) -> dict[str, object]:
        item = item_of(one, self.shown, number)
        return with_state(item, one.listed.state) if is_liferea(self.agent) else item

    def written_items(self, wanted: Sequence[tuple[int, ArticleId]]) -> Iterator[bytes]:
        """The same as JSON, some in each part with commas between: a part costs a thread's turn."""
        rest = (written(one) for one in self.items(wanted))
        while some := list(islice(rest, AT_ONCE)):
            yield b",".join(some)
