"""Reads the fields that a program sends, in the address and in a form. Knows no protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import parse_qsl

from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from newsloom.sync.fields import BadRequest, Fields

MOST_FIELDS = 20_500
MOST_PARTS = 1_000  # of a form with boundaries, which few programs send


async def read(request: Request, *, document: bool) -> tuple[bytes, Fields]:
    """The body, and what the address and a form in it say. Raises BadRequest.

    A `document` is no form, whatever it is called: programs send OPML as text/xml, or as nothing.
    """
    body = await request.body()
    pairs = _pairs(request.scope.get("query_string", b"").decode("latin-1"))
    if body and not document:
        pairs += await _form(request.scope, request.headers.get("content-type", ""), body)
    return body, Fields.of(pairs)


async def _form(scope: Scope, kind: str, body: bytes) -> list[tuple[str, str]]:
    if kind.lower().startswith("application/json"):
        return _of_json(body)
    if not kind.lower().startswith("multipart/form-data"):
        return _pairs(body.decode("utf-8", "replace"))
    again = Request(scope, _receive(body))
    try:
        form = await again.form(max_files=0, max_fields=MOST_PARTS)
    except (MultiPartException, ValueError) as error:
        raise BadRequest("The form in the request cannot be read.") from error
    except Exception as error:
        # Starlette turns the first of these into an HTTP error where an application is in scope.
        if getattr(error, "status_code", None) == 400:
            raise BadRequest("The form in the request cannot be read.") from error
        raise
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def _of_json(body: bytes) -> list[tuple[str, str]]:
    """The values of an object, which are texts, numbers or lists of those."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("The JSON in the request cannot be read.") from error
    if not isinstance(found, dict):
        raise BadRequest("The JSON in the request is no object.")
    return [
        (name, str(one))
        for name, value in found.items()
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, str | int)
    ][:MOST_FIELDS]


def _receive(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        found: Sequence[tuple[str, str]] = parse_qsl(
            text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="replace"
        )
    except ValueError as error:
        raise BadRequest(f"The request has more than {MOST_FIELDS:,} values.") from error
    return list(found)
