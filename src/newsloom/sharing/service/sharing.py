"""Services to which a reader saves articles. Sending is in sharing/service/sending.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId
from newsloom.sharing import services
from newsloom.sharing.values import ShareServiceId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsloom.app.reader import Reader
    from newsloom.sharing.values import ShareService, ShareState

MOST = 20
LONGEST_NAME = 60
# What the page shows of the last ones.
SHOWN = 50

NONE = "There is no such service."


def added(reader: Reader, kind: str, name: str, typed: Mapping[str, str]) -> ShareServiceId:
    """Keep a service. Raises UserError saying what is wrong with what was typed."""
    service = services.service(kind)
    given = services.checked(service, typed)
    store = reader.store.sharing
    if len(store.share_services(reader.user)) >= MOST:
        raise UserError(f"There are {MOST} services, which is the limit.")
    called = " ".join(name.split())[:LONGEST_NAME] or service.called
    return store.add_share_service(reader.user, kind, called, given, reader.now())


def share_services(reader: Reader) -> tuple[ShareService, ...]:
    return reader.store.sharing.share_services(reader.user)


def save_stars(reader: Reader, number: int, *, wanted: bool) -> None:
    """Whether what is starred from now on is saved there. Raises NotFound."""
    if not reader.store.sharing.save_stars(reader.user, ShareServiceId(number), wanted):
        raise NotFound(NONE)


def delete(reader: Reader, number: int) -> None:
    """Raises NotFound."""
    if not reader.store.sharing.drop_share_service(reader.user, ShareServiceId(number)):
        raise NotFound(NONE)


def save(reader: Reader, number: int, article: ArticleId) -> None:
    """Put an article into the outbox. Raises NotFound, UserError for one without an address."""
    if not reader.article(article).listed.url:
        raise UserError("This article has no link to save.")
    store = reader.store.sharing
    if not store.ask_share(reader.user, ShareServiceId(number), article, reader.now()):
        raise NotFound(NONE)


def last(reader: Reader, article: ArticleId | None = None) -> tuple[ShareState, ...]:
    """How it stands with what was saved last, of one article or of all."""
    return reader.store.sharing.shares_of(reader.user, SHOWN, article)
