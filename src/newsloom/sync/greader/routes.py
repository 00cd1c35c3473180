"""The Google Reader API: one row for each thing that can be asked. Thin: parse, ask, format."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from newsloom.app.reader import Reader
from newsloom.kernel.errors import NotFound
from newsloom.sync import bodies
from newsloom.sync.answers import Unauthorized, plain_text, values
from newsloom.sync.greader import changes, reading, tokens
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services

VIA = "google reader"  # not "greader", which the bridge writes: what an app did is meant here

LOGIN = "/accounts/ClientLogin"
API = "/reader/api/0/"
ATOM = "/reader/atom/"

REFUSED = "Error=BadAuthentication\n"
BAD_TOKEN = {"x-reader-google-bad-token": "true"}

Answer = Callable[[GreaderRequest], Response]
Later = Callable[[GreaderRequest], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Row:
    """What answers a path. One that ends with a slash goes on with a stream."""

    path: str
    answer: Answer | None = None
    later: Later | None = None  # one that waits for the network
    changes: bool = False  # posted, with the token
    document: bool = False  # its body is no form


ROWS: tuple[Row, ...] = (
    Row("token", reading.token),
    Row("user-info", reading.user_info),
    Row("preference/list", reading.preferences),
    Row("preference/stream/list", reading.stream_preferences),
    Row("preference/set", changes.nothing, changes=True),
    Row("preference/stream/set", changes.nothing, changes=True),
    Row("tag/list", reading.tag_list),
    Row("subscription/list", reading.subscription_list),
    Row("subscription/export", reading.export),
    Row("unread-count", reading.unread_count),
    Row("stream/items/ids", reading.item_ids),
    Row("stream/items/count", reading.item_count),
    Row("stream/items/contents", reading.item_contents),
    Row("stream/contents", reading.stream_contents),
    Row("stream/contents/", reading.stream_contents),
    Row("edit-tag", changes.edit_tag, changes=True),
    Row("mark-all-as-read", changes.mark_all_as_read, changes=True),
    Row("rename-tag", changes.rename_tag, changes=True),
    Row("disable-tag", changes.disable_tag, changes=True),
    Row("subscription/edit", later=changes.edit_subscription, changes=True),
    Row("subscription/quickadd", later=changes.quickadd, changes=True),
    Row("subscription/import", changes.import_opml, changes=True, document=True),
)
ATOM_ROW = Row(ATOM, reading.atom)


async def answer(services: Services, request: Request, path: str) -> Response:
    """One request, at its path below whichever root. Raises NewsloomError."""
    if path == LOGIN:
        return await _login(services, request)
    row, rest = _row(path)
    if row.changes and request.method != "POST":
        return plain_text("Use POST.", 405, {"allow": "POST"})
    if request.method not in ("GET", "HEAD", "POST"):
        return plain_text("There is no such method.", 405, {"allow": "GET, POST"})
    who = tokens.of_header(request.headers.get("authorization", ""))
    if who is None and (request.method != "POST" or row.document):
        raise Unauthorized
    if who is not None:
        request.state.reader = await _reader(services, request, who)
    body, fields = await bodies.read(request, document=row.document)
    if who is None:
        who = tokens.of_token(fields.one("T"))
        if who is None:
            raise Unauthorized
        request.state.reader = await _reader(services, request, who)
    if row.changes and not tokens.changes_allowed(fields.one("T"), who):
        raise Unauthorized("The token is wrong or has expired.", BAD_TOKEN)
    known = request.headers.get("if-none-match", "")
    syncing = Syncing(request.state.reader, VIA)
    agent = request.headers.get("user-agent", "")
    base = str(request.base_url).rstrip("/")
    query = GreaderRequest(services, syncing, who, fields, rest, body, known, agent, base)
    if row.later is not None:
        return await row.later(query)
    assert row.answer is not None
    return await run_in_threadpool(row.answer, query)


async def _reader(services: Services, request: Request, who: tokens.Credentials) -> Reader:
    """The user that the request authenticates as. Raises Unauthorized."""
    user = await run_in_threadpool(
        services.passwords.user_of, who.name, who.secret, services.address(request)
    )
    if user is None:
        raise Unauthorized
    return services.reader(user)


def _row(path: str) -> tuple[Row, str]:
    """What answers a path, and the stream it goes on with. Raises NotFound."""
    if path.startswith(ATOM):
        return ATOM_ROW, path.removeprefix(ATOM)
    name = path.removeprefix(API) if path.startswith(API) else ""
    for row in ROWS:
        if name == row.path.rstrip("/"):
            return row, ""
        if row.path.endswith("/") and name.startswith(row.path):
            return row, name.removeprefix(row.path)
    raise NotFound("Not found.")


async def _login(services: Services, request: Request) -> Response:
    _body, fields = await bodies.read(request, document=False)
    who = tokens.Credentials(fields.one("Email"), fields.one("Passwd"))
    user = await run_in_threadpool(
        services.passwords.user_of, who.name, who.secret, services.address(request)
    )
    if user is None:
        raise Unauthorized(REFUSED)
    if fields.one("output") == "json":
        return values(tokens.login_values(who))
    return plain_text(tokens.login_lines(who))
