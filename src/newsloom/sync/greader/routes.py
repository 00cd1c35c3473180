"""The Google Reader API: one row for each thing that can be asked. Thin: parse, ask, format."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from newsloom.kernel.errors import NotFound
from newsloom.sync import bodies
from newsloom.sync.answers import Unauthorized, plain_text, values
from newsloom.sync.greader import changes, reading, tokens
from newsloom.sync.greader.request import GreaderRequest
from newsloom.sync.greader.tokens import Credentials
from newsloom.sync.request import Answer, answered
from newsloom.sync.service import Syncing
from newsloom.sync.services import Services

VIA = "google reader"  # not "greader", which the bridge writes: what an app did is meant here

LOGIN = "/accounts/ClientLogin"
API = "/reader/api/0/"
ATOM = "/reader/atom/"

REFUSED = "Error=BadAuthentication\n"
BAD_TOKEN = {"x-reader-google-bad-token": "true"}


@dataclass(frozen=True, slots=True)
class Row:
    """What answers a path. One that ends with a slash goes on with a stream."""

    path: str
    answer: Answer
    changes: bool = False  # posted, with the token
    document: bool = False  # its body is no form


ROWS: tuple[Row, ...] = (
    Row("token", lambda request: plain_text(tokens.for_changes(request.who))),
    Row("user-info", reading.user_info),
    Row("preference/list", lambda _request: values({"prefs": []})),
    Row("preference/stream/list", lambda _request: values({"streamprefs": {}})),
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
    Row("subscription/edit", changes.edit_subscription, changes=True),
    Row("subscription/quickadd", changes.quickadd, changes=True),
    Row("subscription/import", changes.import_opml, changes=True, document=True),
)
ATOM_ROW = Row(ATOM, reading.atom)


async def answer(services: Services, request: Request, path: str) -> Response:
    """One request, at its path below whichever root. Raises NewsloomError."""
    if path == LOGIN:
        return await _login(services, request)
    row, rest = _row(path)
    allowed = ("POST",) if row.changes else ("GET", "HEAD", "POST")
    if request.method not in allowed:
        return plain_text("There is no such method here.", 405, {"allow": ", ".join(allowed)})
    who = tokens.of_header(request.headers.get("authorization", ""))
    if who is not None or request.method != "POST" or row.document:
        who = await _authenticated(services, request, who)
    body, fields = await bodies.read(request, document=row.document)
    if who is None:
        who = await _authenticated(services, request, tokens.of_token(fields.one("T")))
    if row.changes and not tokens.changes_allowed(fields.one("T"), who):
        raise Unauthorized("The token is wrong or has expired.", BAD_TOKEN)
    made = GreaderRequest(
        services,
        Syncing(request.state.reader, VIA),
        fields,
        body,
        who=who,
        rest=rest,
        known=request.headers.get("if-none-match", ""),
        agent=request.headers.get("user-agent", ""),
        base=str(request.base_url).rstrip("/"),
    )
    return await answered(row.answer, made)


async def _authenticated(
    services: Services, request: Request, who: Credentials | None, words: str = "Unauthorized"
) -> Credentials:
    """Who asks, if the app password is right; the request has their reader then. Raises
    Unauthorized."""
    if who is None:
        raise Unauthorized(words)
    user = await run_in_threadpool(
        services.passwords.user_of, who.name, who.secret, services.address(request)
    )
    if user is None:
        raise Unauthorized(words)
    request.state.reader = services.reader(user)
    return who


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
    who = Credentials(fields.one("Email"), fields.one("Passwd"))
    await _authenticated(services, request, who, REFUSED)
    said = dict.fromkeys(("SID", "LSID", "Auth"), who.auth)
    if fields.one("output") == "json":
        return values(said)
    return plain_text("".join(f"{name}={auth}\n" for name, auth in said.items()))
