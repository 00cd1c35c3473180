"""A server of the Google Reader API (FreshRSS, Miniflux, ...) as the other side of a bridge.

Speaks through the call it is given and keeps nothing but the login's tokens. What the bytes mean
is in greader_wire.py, what the labels say in greader_labels.py. The API tells neither when an
article was read nor what changed since: a pull names every unread, starred and labelled article,
and what has left those lists is looked at by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from urllib.parse import urlencode

from newsloom.bridges import greader_wire as wire
from newsloom.bridges.greader_labels import BEST_KIND, Labels
from newsloom.bridges.remote import Known
from newsloom.bridges.values import (
    DISLIKED_KIND,
    LIKED_KIND,
    RankedEntry,
    RatedEntry,
    RemoteAccount,
    RemoteFeed,
    RemotePage,
    RemoteWrite,
    Written,
)
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.kernel.settings import GreaderSettings

BRIDGE = "greader"

# Keys of one answer: what NetNewsWire and ReadYou ask for. Servers may give fewer and continue.
KEYS_PAGE = 1_000
# More than anyone has unread; a server that goes on for ever is not believed.
MOST_KEYS = 200_000
# Articles with their texts in one answer; fifty keys keep a request under 4 KB.
CONTENTS_PAGE = 50
MOST_BYTES = 30_000_000
PATIENCE_SECONDS = 60.0

# Clocks of two machines differ, and a server may date an article before it shows it.
OVERLAP = timedelta(hours=1)

# Servers number articles one by one or by microseconds: none will come to this one.
NO_ARTICLE = 1 << 62

_T = TypeVar("_T")

OK = 200
UNAUTHORIZED = 401


class Greader:
    """Implements bridge.Remote for the one account of the settings."""

    def __init__(
        self,
        settings: GreaderSettings,
        call: Callable[[ApiRequest], ApiReply],
        now: Callable[[], datetime],
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._call = call
        self._now = now
        self._on_close = on_close
        self._auth = ""
        self._token = ""
        names = {
            BEST_KIND: settings.label,
            LIKED_KIND: settings.like_label,
            DISLIKED_KIND: settings.dislike_label,
        }
        self._labels = Labels(names)
        self._folders: frozenset[str] = frozenset()

    @property
    def bridge(self) -> str:
        return BRIDGE

    @property
    def lists_marked(self) -> bool:
        return True

    # --- in ---

    def accounts(self) -> Sequence[RemoteAccount]:
        """The one that logs in."""
        if not self._auth:
            self._log_in()
        name = self._settings.user
        return (RemoteAccount(key=f"{name} {self._settings.url}", login=name),)

    def feeds(self, account: RemoteAccount) -> Sequence[RemoteFeed]:  # noqa: ARG002 - the only one
        body = self._get("subscription/list")
        self._folders = wire.folders(body)
        return wire.subscriptions(body)

    def pull(
        self,
        account: RemoteAccount,  # noqa: ARG002
        cursor: str,
        known: Known,
    ) -> Iterator[RemotePage]:
        """Unread, starred, labelled and new articles; then the moment to go on from.

        Known articles that are on no list are not spoken of: while a list is read in pages an
        article can slip from one to the other, so that only `look` is believed when it says read.
        """
        began = self._now()
        unread = self._stream(wire.READING_LIST, xt=wire.READ)
        starred = self._stream(wire.STARRED)
        recent = self._stream(wire.READING_LIST, ot=str(self._since(cursor, began)))
        lists = self._labelled()
        rated = {key for kind in lists if kind != BEST_KIND for key in lists[kind]}
        listed = list(dict.fromkeys((*unread, *starred, *sorted(rated), *recent)))
        kept = known(listed)
        for keys in _parts([key for key in listed if key not in kept]):
            found = self._contents(keys)
            yield RemotePage(
                entries=tuple(one.entry for one in found),
                states=tuple(map(self._labels.state, found)),
            )
        fresh, stars = set(unread), set(starred)
        yield RemotePage(
            states=tuple(
                self._labels.listed(key, one, key not in fresh and one.read, key in stars, lists)
                for key, one in kept.items()
                if key in fresh or key in stars or key in rated
            ),
            cursor=str(int(began.timestamp())),
        )

    def look(self, account: RemoteAccount, keys: Sequence[int]) -> RemotePage:  # noqa: ARG002
        """The articles asked about; one that does not come back is gone."""
        found = {
            one.entry.key: self._labels.state(one)
            for part in _parts(keys)
            for one in self._contents(part)
        }
        return RemotePage(
            states=tuple(found[key] for key in keys if key in found),
            gone=tuple(key for key in keys if key not in found),
        )

    def close(self) -> None:
        self._auth = self._token = ""
        self._on_close()

    def _since(self, cursor: str, now: datetime) -> int:
        """From when on articles are asked for that are neither unread nor starred; Unix seconds."""
        if cursor.isdecimal():
            return int(cursor) - int(OVERLAP.total_seconds())
        return int((now - timedelta(days=self._settings.days)).timestamp())

    def _stream(self, stream: str, **more: str) -> list[int]:
        """All keys of a stream, newest first."""
        found: dict[int, None] = {}
        continuation = ""
        while len(found) < MOST_KEYS:
            query = {"s": stream, "n": str(KEYS_PAGE), **more}
            if continuation:
                query["c"] = continuation
            part = wire.keys(self._get("stream/items/ids", query))
            before = len(found)
            found.update(dict.fromkeys(part.keys))
            # The same keys again, or the same place to go on from: the server goes in a circle.
            if not part.continuation or part.continuation == continuation or len(found) == before:
                break
            continuation = part.continuation
        return list(found)

    def _labelled(self) -> Mapping[str, set[int]]:
        """What carries each label that is there; the kinds of which the server says nothing are
        absent. A server that lists no labels is asked for none."""
        try:
            tags = wire.tags(self._get("tag/list"))
        except BridgeError:
            self._labels = Labels(self._labels.names, None, self._folders)
            return {}
        self._labels = self._labels.with_server_labels(tags, self._folders)
        found = {
            kind: set(self._stream(wire.LABEL + name))
            for kind in self._labels.names
            if (name := self._labels.stands(kind))
        }
        return {BEST_KIND: set(), **found} if self._labels.names[BEST_KIND] else found

    def _contents(self, keys: Sequence[int]) -> tuple[wire.Entry, ...]:
        form = [("output", "json"), *(("i", wire.long_form(key)) for key in keys)]
        reply = self._post("stream/items/contents", form)
        # Miniflux before 2.2 answers so when none of the articles is there any more.
        if reply.status != OK and b"no items returned" in reply.body:
            return ()
        wanted = set(keys)
        return tuple(
            one for one in wire.entries(_body(reply, "articles")) if one.entry.key in wanted
        )

    # --- out ---

    def wanted(
        self,
        ranked: Sequence[RankedEntry],
        present: Mapping[int, Mapping[str, str]],
        rated: Sequence[RatedEntry],
    ) -> Iterable[RemoteWrite]:
        """The label on the best unread articles, and on nothing else; with `write_marks` also
        what was liked and disliked here."""
        label = self._labels.name(BEST_KIND)
        best = [one.key for one in ranked[: self._settings.top]] if label else []
        chosen = set(best)
        yield from (RemoteWrite(key, BEST_KIND, label) for key in best)
        for key, kinds in present.items():
            if key not in chosen and kinds.get(BEST_KIND):
                yield RemoteWrite(key, BEST_KIND, "")
        if self._settings.write_marks:
            yield from self._labels.ratings(rated)

    def push(
        self,
        account: RemoteAccount,  # noqa: ARG002
        writes: Sequence[RemoteWrite],
    ) -> Written:
        """Put labels on and take them off; both can be done twice without harm."""
        done: list[RemoteWrite] = []
        steps: dict[tuple[str, str], list[RemoteWrite]] = {}
        for one in writes:
            change = "a" if one.value else "r"
            label = one.value or self._labels.names[one.kind]
            steps.setdefault((change, label), []).append(one)
        for (change, label), chosen in sorted(steps.items()):
            for part in _parts(chosen):
                reply = self._edit(change, label, [one.key for one in part])
                if reply.status != OK or reply.body.strip() != b"OK":
                    return Written(tuple(done), problem=_refusal(reply, "the label"))
                done += part
        return Written(tuple(done))

    def make_labels(self) -> tuple[str, ...]:
        """Make the labels for liked and disliked where they are missing; those that are there now.

        A label is made by putting it on an article that is none: no real one carries it for a
        moment, and a server that makes none that way is left as it was.
        """
        self.feeds(RemoteAccount("", ""))
        self._labelled()
        wanted = [self._labels.name(kind) for kind in (LIKED_KIND, DISLIKED_KIND)]
        for name in wanted:
            if name and name not in (self._labels.there or ()):
                self._edit("a", name, [NO_ARTICLE])
        self._labels = self._labels.with_server_labels(
            wire.tags(self._get("tag/list")), self._folders
        )
        return tuple(one for one in wanted if one and one in (self._labels.there or ()))

    def _edit(self, change: str, label: str, keys: Sequence[int]) -> ApiReply:
        form = [(change, wire.LABEL + label), *(("i", wire.long_form(key)) for key in keys)]
        return self._post("edit-tag", form)

    # --- asking ---

    def _log_in(self) -> None:
        settings = self._settings
        form = [("Email", settings.user), ("Passwd", settings.password)]
        reply = self._ask("POST", f"{self._base()}/accounts/ClientLogin", form=form)
        self._auth = wire.login(_body(reply, "the login"))
        self._token = ""

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> bytes:
        words = urlencode({"output": "json", **(query or {})})
        url = f"{self._base()}/reader/api/0/{path}?{words}"
        reply = self._ask("GET", url)
        if reply.status == UNAUTHORIZED:
            self._log_in()  # tokens end; once, and then its answer counts
            reply = self._ask("GET", url)
        return _body(reply, path)

    def _post(self, path: str, form: Sequence[tuple[str, str]]) -> ApiReply:
        url = f"{self._base()}/reader/api/0/{path}"
        reply = self._ask("POST", url, form=[("T", self._edit_token()), *form])
        if reply.status == UNAUTHORIZED:
            self._log_in()
            reply = self._ask("POST", url, form=[("T", self._edit_token()), *form])
        if reply.failure is not None:
            raise BridgeError(_refusal(reply, path))
        return reply

    def _edit_token(self) -> str:
        """FreshRSS takes the header and this; Miniflux this alone."""
        if not self._token:
            self._token = wire.token(self._get("token"))
        return self._token

    def _ask(self, method: str, url: str, *, form: Sequence[tuple[str, str]] = ()) -> ApiReply:
        headers = [("Accept", "application/json, text/plain")]
        if self._auth:
            headers.append(("Authorization", f"GoogleLogin auth={self._auth}"))
        if form:
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        return self._call(
            ApiRequest(
                method=method,
                url=url,
                headers=tuple(headers),
                body=wire.form(form) if form else b"",
                timeout_seconds=PATIENCE_SECONDS,
                max_bytes=MOST_BYTES,
            )
        )

    def _base(self) -> str:
        return self._settings.url.rstrip("/")


def _body(reply: ApiReply, what: str) -> bytes:
    if reply.failure is not None or reply.status != OK:
        raise BridgeError(_refusal(reply, what))
    return reply.body


def _refusal(reply: ApiReply, what: str) -> str:
    """Why the server did not do it, in words; nothing of what was sent is in them."""
    if reply.failure is not None:
        return f"the server does not respond: {reply.problem or reply.failure.value}"
    if reply.status == UNAUTHORIZED:
        return "the server refuses the user name or the API password"
    if 300 <= reply.status < 400:
        return f"the server redirects ({reply.header('location')[:200]}); check the address"
    if reply.status == OK:
        return f"the server does not confirm {what}"
    return f"the server returned {reply.status} for {what}"


def _parts(sequence: Sequence[_T]) -> Iterator[Sequence[_T]]:
    for start in range(0, len(sequence), CONTENTS_PAGE):
        yield sequence[start : start + CONTENTS_PAGE]
