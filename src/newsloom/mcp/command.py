"""The Model Context Protocol server: `newsloom mcp` on standard streams, and beside the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from newsloom.cli.common import session
from newsloom.kernel.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AsyncExitStack

    from starlette.types import ASGIApp

    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import UserId

WHAT = "The Model Context Protocol server"


def mcp(
    context: typer.Context,
    allow_marks: Annotated[
        bool, typer.Option("--allow-marks", help="Allow marking articles and undo.")
    ] = False,
) -> None:
    """Give a language model's program your news, over standard input and output.

    It reads; nothing can be changed unless you allow it. The program starts this command; see
    docs/use/api.md for what to write in its settings.
    """
    require("mcp", WHAT)
    from newsloom.mcp.server import server

    with session(context).open() as app:
        marks = allow_marks or app.settings.mcp.marks
        server(app.reader(), marks=marks).run("stdio")


async def mcp_beside(
    app: App, readers: Callable[[UserId], Reader], stack: AsyncExitStack
) -> tuple[Callable[[ASGIApp], ASGIApp], ...]:
    """What puts it before the pages until the stack ends; nothing, where the settings want none."""
    wanted = app.settings.mcp
    if not wanted.http:
        return ()
    require("mcp", f"{WHAT} (setting mcp.http)")
    from newsloom.accounts.service.app_passwords import AppPasswords
    from newsloom.mcp.http import mounted
    from newsloom.web.auth import address_of

    passwords = AppPasswords(app.store, app.now)
    door = mounted(passwords, readers, address_of, marks=wanted.marks)
    return (await stack.enter_async_context(door),)
