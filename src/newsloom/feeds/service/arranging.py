"""A reader's feeds in bulk: put into categories, put in order, left, marked read."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from newsloom.kernel.errors import NotFound, UserError

if TYPE_CHECKING:
    from datetime import datetime

    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import FeedId
    from newsloom.reading.values.reading import Subscription

LONGEST_NAME = 200

One = TypeVar("One", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Shelf:
    """A category with its feeds in order; one may be empty."""

    name: str  # "": the feeds without a category
    feeds: tuple[Subscription, ...]


def shelves(reader: Reader, subscriptions: Sequence[Subscription]) -> tuple[Shelf, ...]:
    """Every category in order, feeds without one last."""
    filed: dict[str, list[Subscription]] = {}
    for one in subscriptions:
        filed.setdefault(one.category, []).append(one)
    known = reader.store.reading.categories(reader.user)

    def key(name: str) -> tuple[bool, bool, int, str, str]:
        place = known.get(name, 0)
        return not name, not place, place, name.casefold(), name

    return tuple(
        Shelf(name, tuple(filed.get(name, ()))) for name in sorted({*filed, *known}, key=key)
    )


# --- many feeds at once ---


def mine(reader: Reader, feeds: Iterable[FeedId]) -> list[FeedId]:
    """Those of them that are followed, in their order. Raises UserError where there are none."""
    wanted = set(feeds)
    found = [one.feed_id for one in reader.subscriptions() if one.feed_id in wanted]
    if not found:
        raise UserError("Select feeds first.")
    return found


def file(reader: Reader, feeds: Iterable[FeedId], category: str) -> int:
    """Into a category, also a new one, or into none (""); how many were elsewhere."""
    name = category_name(category) if category.strip() else ""
    return reader.store.reading.file_feeds(reader.user, mine(reader, feeds), name)


def leave(reader: Reader, feeds: Iterable[FeedId]) -> tuple[int, datetime]:
    """Stop following them: how many, and the moment that takes it back."""
    chosen = mine(reader, feeds)
    at = reader.store.reading.unsubscribe_all(reader.user, chosen)
    reader.on_change()
    return len(chosen), at


def follow_again(reader: Reader, left_at: datetime) -> int:
    """All that were left together. Raises NotFound where none is left of them."""
    back = reader.store.reading.follow_again_all(reader.user, left_at)
    if not back:
        raise NotFound("These feeds cannot be restored: already undone, or too long ago.")
    reader.on_change()
    return back


# --- categories ---


def make(reader: Reader, name: str) -> str:
    """An empty category; its name as it is kept. Raises UserError."""
    kept = category_name(name)
    reader.store.reading.make_category(reader.user, kept)
    return kept


def rename(reader: Reader, old: str, new: str, *, merge: bool = False) -> str | None:
    """Give a category another name, which is returned as it is kept. None, and nothing done, where
    another has it and it is not said that both become one. Raises NotFound, UserError."""
    names = _names(reader)
    _check(old, names)
    kept = category_name(new)
    if kept in names and kept != old and not merge:
        return None
    if kept != old:
        reader.store.reading.rename_category(reader.user, old, kept)
    return kept


def delete(reader: Reader, name: str) -> None:
    """Its feeds are in none then. Raises NotFound."""
    _check(name, _names(reader))
    reader.store.reading.drop_category(reader.user, name)


def drop_with_feeds(reader: Reader, name: str) -> tuple[int, datetime]:
    """The category and its feeds: how many were left, and the moment that takes that back."""
    _check(name, _names(reader))
    feeds = [one.feed_id for one in reader.subscriptions() if one.category == name]
    with reader.store.write() as unit:
        at = unit.reading.unsubscribe_all(reader.user, feeds)
        unit.reading.drop_category(reader.user, name)
    reader.on_change()
    return len(feeds), at


# --- order ---


def move_feeds(reader: Reader, feeds: Iterable[FeedId], by: int) -> None:
    """One place up (-1) or down (1) in their categories."""
    chosen = set(mine(reader, feeds))
    found = shelves(reader, reader.subscriptions())
    orders = [[one.feed_id for one in shelf.feeds] for shelf in found]
    with reader.store.write() as unit:
        for order in orders:
            if not chosen.isdisjoint(order):
                unit.reading.place_feeds(reader.user, moved(order, chosen, by))


def place_feed(reader: Reader, feed: FeedId, category: str, before: FeedId | None = None) -> None:
    """Before another feed of a category, or at its end. Raises NotFound."""
    subscriptions = reader.subscriptions()
    if feed not in {one.feed_id for one in subscriptions}:
        raise NotFound(f"You do not follow feed {feed}.")
    shelf = [one.feed_id for one in subscriptions if one.category == category]
    if category:
        _check(category, _names(reader))
    reader.store.reading.place_feeds(reader.user, placed(shelf, feed, before), category)


def move_category(reader: Reader, name: str, by: int) -> None:
    """One place up (-1) or down (1). Raises NotFound."""
    names = _names(reader)
    _check(name, names)
    reader.store.reading.place_categories(reader.user, moved(names, {name}, by))


def place_category(reader: Reader, name: str, before: str = "") -> None:
    """Before another, or at the end. Raises NotFound."""
    names = _names(reader)
    _check(name, names)
    reader.store.reading.place_categories(reader.user, placed(names, name, before or None))


def order_categories(reader: Reader, names: Sequence[str]) -> None:
    """In that order, and the others after them in theirs. Raises NotFound."""
    known = _names(reader)
    for name in names:
        _check(name, known)
    order = [*dict.fromkeys(names), *(one for one in known if one not in names)]
    reader.store.reading.place_categories(reader.user, order)


def order_feeds(reader: Reader, feeds: Sequence[FeedId], category: str) -> None:
    """Into a category, first and in that order; its others after them. Raises NotFound."""
    subscriptions = reader.subscriptions()
    for feed in set(feeds) - {one.feed_id for one in subscriptions}:
        raise NotFound(f"You do not follow feed {feed}.")
    if category:
        _check(category, _names(reader))
    rest = [one.feed_id for one in subscriptions if one.category == category]
    order = [*dict.fromkeys(feeds), *(one for one in rest if one not in feeds)]
    reader.store.reading.place_feeds(reader.user, order, category)


def alphabetical(reader: Reader) -> None:
    """All by name again."""
    reader.store.reading.forget_order(reader.user)


def moved(order: Sequence[One], chosen: Collection[One], by: int) -> list[One]:
    """Those chosen each one place up or down; what is at the edge already stays there."""
    result = list(order) if by < 0 else list(reversed(order))
    for at in range(1, len(result)):
        if result[at] in chosen and result[at - 1] not in chosen:
            result[at - 1], result[at] = result[at], result[at - 1]
    return result if by < 0 else list(reversed(result))


def placed(order: Sequence[One], one: One, before: One | None) -> list[One]:
    """With one before another; at the end where there is no such other."""
    rest = [each for each in order if each != one]
    at = rest.index(before) if before in rest else len(rest)
    return [*rest[:at], one, *rest[at:]]


def _names(reader: Reader) -> list[str]:
    return [one.name for one in shelves(reader, reader.subscriptions()) if one.name]


def _check(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise NotFound(f"There is no category “{name[:80]}”.")


def category_name(text: str) -> str:
    """A name as it is kept. Raises UserError."""
    name = " ".join(text.replace("\0", " ").split())
    if not name:
        raise UserError("A category needs a name.")
    if len(name) > LONGEST_NAME:
        raise UserError(f"A category name can have at most {LONGEST_NAME} characters.")
    return name
