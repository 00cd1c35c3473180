"""The route class of the JSON API: ETags, error bodies, and idempotency keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from fastapi.routing import APIRoute

from newsloom.accounts.values import KeyedAnswer, KeyedRequest
from newsloom.api.pace import Pace
from newsloom.kernel.errors import NotFound
from newsloom.web.api_access import PREFIX
from newsloom.web.auth import visitor_of
from newsloom.web.problems import MEDIA_TYPE, problem
from newsloom.web.site import site_of

VIA = "api"

TOO_MANY = "Too many requests. Wait a minute."

LONGEST_KEY = 200
REPLAYED = {"idempotency-replayed": "true"}
NOT_ANSWERED = (
    "The first request with this Idempotency-Key is still running, or the server stopped before "
    "it answered. Check whether it was done; if not, send it with another key."
)

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
        if creates(self):
            handle = partial(_once, handle)

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


def creates(route: APIRoute) -> bool:
    """Whether it makes something new, or begins to."""
    return route.status_code in {201, 202}


async def _once(handle: Answer, request: Request) -> Response:
    """Do a request; one with an Idempotency-Key once a day, and then give the same answer again."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return await handle(request)
    if not 1 <= len(key) <= LONGEST_KEY:
        return problem(400, f"An Idempotency-Key has 1 to {LONGEST_KEY} characters.")
    reader = (await site_of(request)).reader
    sent = f"{request.url.path}?{request.url.query}\n".encode() + await request.body()
    digest = hashlib.blake2b(sent, digest_size=32).hexdigest()
    wanted = KeyedRequest(reader.user, key, digest)
    keys = reader.store.accounts
    known = await run_in_threadpool(keys.claim_key, wanted, reader.now())
    if known is not None:
        return _again(known, wanted)
    done = False
    try:
        answer = await handle(request)
        done = True
    finally:
        # What failed changed nothing, and may be sent again. Without a note of its end, after a
        # kill, the request is refused: it may have been done.
        if not done:
            await run_in_threadpool(keys.put_keyed_answer, wanted, None)
    body = bytes(answer.body).decode()
    await run_in_threadpool(keys.put_keyed_answer, wanted, answer.status_code, body)
    return answer


def _again(known: KeyedAnswer, wanted: KeyedRequest) -> Response:
    if known.request != wanted.request:
        return problem(422, "Another request was sent with this Idempotency-Key.")
    if known.status is None:
        return problem(409, NOT_ANSWERED)
    media_type = "application/json" if known.body else None
    return Response(known.body or None, known.status, REPLAYED, media_type)


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
