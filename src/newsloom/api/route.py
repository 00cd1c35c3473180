"""What every route of the API has: an ETag, and errors that are told."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

from newsloom.api.pace import Pace
from newsloom.kernel.errors import NotFound
from newsloom.web.api_access import PREFIX
from newsloom.web.auth import visitor_of
from newsloom.web.problems import MEDIA_TYPE, problem

VIA = "api"

TOO_MANY = "Too many requests. Wait a minute."

Answer = Callable[[Request], Coroutine[Any, Any, Response]]

_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
# FastAPI tells of an answer 422 where no "4XX" is told of, and there is none here.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "Nothing was changed; the response says why.", "content": _PROBLEM},
    "5XX": {"description": "A temporary failure. Try again later.", "content": _PROBLEM},
}


class ApiRoute(APIRoute):
    """A route whose answers can be asked for again with If-None-Match."""

    def get_route_handler(self) -> Answer:
        handle = super().get_route_handler()

        async def handler(request: Request) -> Response:
            pace, principal = pace_of(request), visitor_of(request)
            if wait := pace.wait(principal.user if principal else None):
                return problem(429, TOO_MANY, headers={"retry-after": str(wait)})
            try:
                answer = await handle(request)
            except NotFound:
                if request.method != "DELETE":
                    raise
                return Response(status_code=204)  # it is gone already
            return _unless_known(request, answer) if request.method == "GET" else answer

        return handler


def router(tag: str) -> APIRouter:
    """For the routes of one matter."""
    return APIRouter(
        prefix=PREFIX,
        tags=[tag],
        route_class=ApiRoute,
        responses=RESPONSES,
        generate_unique_id_function=lambda route: route.name,
    )


def pace_of(request: Request) -> Pace:
    """How many requests are answered."""
    pace: Pace = request.app.state.pace
    return pace


def _unless_known(request: Request, answer: Response) -> Response:
    """With an ETag; without a body where the program says that it has it already."""
    body = getattr(answer, "body", None)
    if answer.status_code != 200 or body is None:
        return answer
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    known = request.headers.get("if-none-match", "")
    if tag in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return Response(status_code=304, headers={"etag": tag})
    answer.headers["etag"] = tag
    return answer
