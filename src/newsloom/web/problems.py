"""Errors as programs read them: problem details of RFC 9457. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"


class Wrong(BaseModel):
    """One value of a request that cannot be."""

    model_config = ConfigDict(extra="forbid")

    where: str = Field(
        description="Location, such as `query.limit`, `body.articles.3`, `path.number`."
    )
    what: str = Field(description="Error message.")


class Problem(BaseModel):
    """Why a request was not done, as RFC 9457 has it."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="Always `about:blank`; see the status.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A message for people.")
    errors: list[Wrong] = Field(default=[], description="The invalid values, if any.")


def problem(
    status: int,
    detail: str,
    errors: Sequence[Wrong] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer that says what went wrong."""
    told: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        told["errors"] = [one.model_dump() for one in errors]
    body = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, headers, MEDIA_TYPE)
