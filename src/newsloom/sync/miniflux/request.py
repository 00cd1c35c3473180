"""One request of the Miniflux API: who sends it, what it holds, and the categories it can name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from newsloom.feeds.service import arranging
from newsloom.kernel.errors import NotFound
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import Listed, Subscription
from newsloom.reading.values.syncing import UNCATEGORIZED, StreamKind, StreamPart
from newsloom.sync.fields import BadRequest, number
from newsloom.sync.miniflux.shapes import Category, feed_of
from newsloom.sync.request import SyncRequest
from newsloom.sync.texts import numbered

# Entries that one request can name.
MOST_NAMED = 10_000


@dataclass
class MinifluxRequest(SyncRequest):
    """A request of a user."""

    @property
    def user(self) -> int:
        return int(self.syncing.reader.user)

    @cached_property
    def categories(self) -> Mapping[int, Category]:
        """By number: those of feeds, those without, and the folders that Newsloom fills."""
        names = list(dict.fromkeys(one.category for one in self.subscriptions))
        shelves = arranging.shelves(self.syncing.reader, self.subscriptions)
        # Miniflux always has a category for new feeds.
        names += [
            one for one in (*(one.name for one in shelves), UNCATEGORIZED) if one not in names
        ]
        folders = {
            name: StreamPart(StreamKind.THESE, these=one.articles)
            for name, one in self.services.folders.of(self.syncing.reader).items()
            if name not in names
        }
        return {
            at: Category(
                at,
                name,
                folders.get(name, StreamPart(StreamKind.CATEGORY, category=name)),
                own=name not in folders,
            )
            for at, name in numbered([*names, *folders]).items()
        }

    def category(self, at: int) -> Category:
        """Raises NotFound."""
        if at not in self.categories:
            raise NotFound("resource not found")
        return self.categories[at]

    def own_category(self, at: int) -> Category:
        """One that feeds can be in. Raises NotFound and BadRequest."""
        found = self.category(at)
        if not found.own:
            raise BadRequest(f"{found.title!r} is built in and cannot be changed.")
        return found

    @cached_property
    def feeds(self) -> Mapping[FeedId, dict[str, Any]]:
        """The user's feeds as JSON objects."""
        by_title = {one.title: one for one in self.categories.values()}
        return {
            one.feed_id: feed_of(
                one, by_title[one.category], self.user, icon=one.feed_id in self.icons
            )
            for one in self.subscriptions
        }

    def feed_of(self, one: Listed) -> dict[str, Any]:
        """The feed of an entry: of one with a star, perhaps a feed that the user has left. Clients
        in typed languages need all its fields then, too."""
        if one.feed_id in self.feeds:
            return self.feeds[one.feed_id]
        left = Subscription(one.feed_id, "", one.feed_title, UNCATEGORIZED)
        shelf = next(found for found in self.categories.values() if found.title == UNCATEGORIZED)
        return feed_of(left, shelf, self.user, icon=False)

    def feed(self, at: int) -> dict[str, Any]:
        """Raises NotFound."""
        if at not in self.feeds:
            raise NotFound("resource not found")
        return self.feeds[FeedId(at)]

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """The JSON object in the body. Raises BadRequest."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise BadRequest("The body is not JSON.") from error
        if not isinstance(found, dict):
            raise BadRequest("The body is not a JSON object.")
        return found

    def text(self, name: str, most: int = 4_000) -> str | None:
        """A string of the body; None: it is not there. Raises BadRequest."""
        found = self.values.get(name)
        if found is None:
            return None
        if not isinstance(found, str) or len(found) > most or "\0" in found:
            raise BadRequest(f"{name} is not a string of up to {most:,} characters.")
        return found.encode("utf-8", "replace").decode()

    def whole(self, name: str) -> int | None:
        """A positive number of the body; None: it is not there, or 0. Raises BadRequest."""
        found = self.values.get(name)
        if found is None or found == 0:
            return None
        if not isinstance(found, int) or isinstance(found, bool):
            raise BadRequest(f"{name} is not a whole number.")
        return number(str(found), name, least=1)

    def flag(self, name: str) -> bool | None:
        """A boolean of the body; None: it is not there. Raises BadRequest."""
        found = self.values.get(name)
        if found is not None and not isinstance(found, bool):
            raise BadRequest(f"{name} is not true or false.")
        return found

    def entry_ids(self) -> list[int]:
        """The entries that the body names. Raises BadRequest."""
        found = self.values.get("entry_ids")
        if not isinstance(found, list) or not found:
            raise BadRequest("the list of entries cannot be empty")
        if len(found) > MOST_NAMED:
            raise BadRequest(f"At most {MOST_NAMED:,} entries at once.")
        if any(not isinstance(one, int) or isinstance(one, bool) for one in found):
            raise BadRequest("entry_ids are whole numbers.")
        return [number(str(one), "entry_ids") for one in found]
