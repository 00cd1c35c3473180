"""The server itself: the tools, resources and prompts put together, for one way to be reached."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import INVALID_PARAMS, GetPromptResult, InputRequiredResult, ToolAnnotations

from newsloom import __version__
from newsloom.app.reader import Reader
from newsloom.mcp import prompts, schemas, tools

ABOUT = (
    "The news of one reader: feeds they follow, articles ranked for them, stories over days, "
    "digests. "
    + schemas.NOTICE
    + " Answers are bounded; ask for more with cursor, offset or start. Name articles by their ids."
)
READ_ONLY = " Nothing can be changed from here."


class Server(MCPServer[Reader | None]):
    """The library's server, which takes a prompt that cannot be given for a mistake of the client:
    it logs a traceback and says "Internal error" otherwise."""

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Reader | None, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error


def server(reader: Reader | None, *, marks: bool) -> MCPServer[Reader | None]:
    """The tools of a reader; None: of whoever each request is of. `marks`: also what changes."""

    @asynccontextmanager
    async def lifespan(_server: MCPServer[Reader | None]) -> AsyncIterator[Reader | None]:
        yield reader

    with _logging_as_it_is():
        made = Server(
            "newsloom",
            title="Newsloom",
            instructions=ABOUT if marks else ABOUT + READ_ONLY,
            version=__version__,
            lifespan=lifespan,
            log_level="WARNING",
            subscriptions=False,
        )
    for one in tools.READING:
        made.add_tool(one, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    for one in tools.MARKING if marks else ():
        made.add_tool(
            one,
            annotations=ToolAnnotations(
                read_only_hint=False, destructive_hint=False, open_world_hint=False
            ),
        )
    for uri, read in prompts.RESOURCES:
        made.resource(uri, mime_type="application/json")(read)
    for prompt in prompts.PROMPTS:
        made.prompt()(prompt)
    return made


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """The library sets up the log of the whole process, which is ours."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
