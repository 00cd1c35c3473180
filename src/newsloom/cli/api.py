"""`newsloom api`: runs one operation of the JSON API in this process."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import typer

from newsloom.cli.common import note, on_terminal, say, session, show_table
from newsloom.kernel import files
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message

    from newsloom.app import App

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Their parameters go into the address; those of the others into the body.
IN_ADDRESS = ("GET", "DELETE")


def api(
    context: typer.Context,
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="GET, POST, PUT, PATCH or DELETE.")
    ] = "",
    path: Annotated[str, typer.Argument(metavar="PATH", help="Such as /feeds/7.")] = "",
    fields: Annotated[
        list[str] | None,
        typer.Argument(metavar="FIELD", help="name=text, name:=JSON or name==text."),
    ] = None,
    body: Annotated[
        Path | None, typer.Option("--input", help="Send this file as the body; - reads stdin.")
    ] = None,
) -> None:
    """Run an operation of the JSON API on your data. No server has to run; no password is needed.

    \b
    newsloom api                         list the operations
    newsloom api stories                 list those about stories, with their parameters
    newsloom api GET /articles limit=5
    newsloom api POST /articles/17/marks mark=like
    newsloom api PATCH /feeds/7 full_text:=true

    name=text is a parameter of the address for GET and DELETE, otherwise a field of the JSON body.
    name:=JSON is a field that is no text. name==text is always a parameter of the address.
    The reply is printed as JSON. If the operation fails, the exit status is 1.
    """
    if not path:
        _list(method)
        return
    method = method.upper()
    if method not in METHODS:
        raise UserError(f"A method is one of {', '.join(METHODS)}, not {method!r:.20}.")
    address, query = _address(path)
    named, sent = _read(method, fields or ())
    if named:
        query = "&".join(filter(None, (query, urlencode(named, errors="replace"))))
    if body is not None and sent:
        raise UserError("Give fields of the body or --input, not both.")
    content = b"" if method in IN_ADDRESS else json.dumps(sent).encode()
    if body is not None:
        content = files.read_bytes(body)
    with session(context).open() as app:
        _print(*asyncio.run(_run(app, method, address, query, content)))


def _list(part: str) -> None:
    """The operations; those whose path has this part with everything that they take."""
    from newsloom.api.document import operations, shapes
    from newsloom.web.api_access import PREFIX

    part = part.strip("/")
    found = [one for one in operations() if part in one.path.removeprefix(PREFIX)]
    if not found:
        raise UserError(f"No operation has {part!r:.40} in its path; `newsloom api` lists all.")
    if not part:
        rows = [(one.method, one.path.removeprefix(PREFIX), one.summary) for one in found]
        show_table(("method", "path", "what it does"), rows, stretch="what it does")
        return
    by_name = {one.name: one for one in shapes()}
    for one in found:
        say(f"{one.method} {one.path.removeprefix(PREFIX)}\n  {one.summary}")
        shape = by_name.get(one.sent.shape) if one.sent else None
        for value in (*one.parameters, *(shape.fields if shape else ())):
            say(f"    {value.name} ({value.kind}){' *' * value.needed}: {value.words}")


def _address(path: str) -> tuple[str, str]:
    """The path below the prefix of the API, and the query. Raises UserError for no operation."""
    from starlette.routing import Match

    from newsloom.api.document import routes
    from newsloom.web.api_access import PREFIX

    # As servers do with what is no UTF-8.
    path, _, query = (
        path.encode("utf-8", "surrogateescape").decode("utf-8", "replace").partition("?")
    )
    path = f"{PREFIX}/{path.removeprefix(PREFIX).strip('/')}"
    scope = {"type": "http", "path": path, "method": "", "root_path": ""}
    if all(one.matches(scope)[0] is Match.NONE for one in routes()):
        raise UserError(f"There is no operation {path.removeprefix(PREFIX)!r:.60}: `newsloom api`.")
    return path, query


def _read(method: str, fields: Sequence[str]) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """Parameters of the address, and fields of the body. Raises UserError."""
    named: list[tuple[str, str]] = []
    sent: dict[str, Any] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        typed = name.endswith(":")
        if not equals or not name.rstrip(":"):
            raise UserError(f"Write a field as name=text or name:=JSON, not {field!r:.60}.")
        if value.startswith("=") or method in IN_ADDRESS:
            named.append((name.rstrip(":"), value.removeprefix("=")))
        elif typed:
            try:
                sent[name[:-1]] = json.loads(value)
            except ValueError as error:
                raise UserError(f"{value!r:.60} is not JSON: {error}.") from error
        else:
            sent[name] = value
    return named, sent


async def _run(app: App, method: str, path: str, query: str, body: bytes) -> tuple[int, str, bytes]:
    """Status, media type and body of the reply of the pages' own application."""
    from newsloom.briefs.commands.brief_pages import brief_actions
    from newsloom.briefs.service.briefing import briefing
    from newsloom.web.app import create_app

    briefs = briefing(app)
    try:
        async with app.fetching() as fetcher:
            address = urlsplit(app.settings.web.address)
            pages = create_app(
                app.reader(fetcher),
                hosts=(address.hostname or "",),
                spoken=brief_actions(briefs),
            )
            found = await _ask(pages, address, method, path, query, body)
            # Threads that began in it end with this process.
            await asyncio.to_thread(pages.state.sites.shared.finish)
            return found
    finally:
        briefs.speaking.close()


async def _ask(
    pages: ASGIApp, address: SplitResult, method: str, path: str, query: str, body: bytes
) -> tuple[int, str, bytes]:
    headers = {"host": address.netloc, "content-type": "application/json"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": address.scheme,
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": query.encode(),
        "root_path": address.path,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": None,
        "server": (address.hostname, address.port),
    }
    given = [{"type": "http.request", "body": body, "more_body": False}]
    status, kind, parts = 500, "", list[bytes]()

    async def receive() -> Message:
        if given:
            return given.pop()
        await asyncio.Event().wait()  # nobody hangs up
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal status, kind
        if message["type"] == "http.response.start":
            status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"").decode()
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await pages(scope, receive, send)
    return status, kind, b"".join(parts)


def _print(status: int, kind: str, body: bytes) -> None:
    """The reply to standard output; what went wrong to standard error, and exit status 1."""
    if status >= 400:
        told = json.loads(body)
        note(f"newsloom: {told['detail']}")
        for one in told.get("errors", ()):
            note(f"  {one['where']}: {one['what']}")
        raise typer.Exit(1)
    if "json" in kind and on_terminal():
        say(json.dumps(json.loads(body), ensure_ascii=False, indent=2))
    elif body:
        sys.stdout.buffer.write(body + b"\n" * ("json" in kind))
        sys.stdout.flush()
