"""What the API is: its OpenAPI document, and the same as a page to read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.routing import APIRoute

from newsloom import __version__
from newsloom.api.examples import put_examples
from newsloom.api.route import LONGEST_KEY, creates
from newsloom.briefs import api as briefs
from newsloom.coverage import api as coverage
from newsloom.digests import api as digests
from newsloom.feeds import api as feeds
from newsloom.importance import api as importance
from newsloom.ranking import api as ranking
from newsloom.reading.api import articles, marks, notes, own
from newsloom.rules import api as rules
from newsloom.sharing import api as sharing
from newsloom.stories import api as stories
from newsloom.web.api_access import DOCUMENT, PAGE, PREFIX
from newsloom.web.list_view import Page
from newsloom.web.problems import Problem, Wrong
from newsloom.web.site import Here, Nobody, bare

# Links of the OpenAPI document: from answers that carry a number or name to the operations that
# take it. Made by rule, from paths and schemas. Pure.
#
# `{number}` of `/feeds/{number}/history` is an id of `feeds`. An answer carries one where its path
# ends with `feeds`, or its items are of the shape `Feed`, and it or the first of its items has an
# `id` (or a field named as the parameter); and where a field of either is called `feed`, `feed_id`
# or `feeds`. `next` of a page is its `after`.

Schema = Mapping[str, Any]

# A collection, as `digests/schedules`, and the parameter of what is in it.
_PARAMETER = re.compile(r"((?:[^/{}]+/)*[^/{}]+)/\{([^}]+)\}")


def put_links(document: dict[str, Any]) -> None:
    """Put them into the good answer of each operation."""
    schemas = document["components"]["schemas"]
    operations = [
        (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    ]
    for path, operation in operations:
        answer = next(one for code, one in operation["responses"].items() if code[0] == "2")
        body = answer.get("content", {}).get("application/json", {}).get("schema", {})
        known = dict(_PARAMETER.findall(path.removeprefix(PREFIX)))
        links: dict[str, Any] = {}
        for target, other in operations:
            name, given = other["operationId"], {}
            for kind, parameter in _PARAMETER.findall(target.removeprefix(PREFIX)):
                if kind in known:
                    given[parameter] = f"$request.path.{parameter}"
                elif found := _pointer(body, path, kind, parameter, schemas):
                    given[parameter] = f"$response.body#{found}"
            if any("response" in one for one in given.values()):
                links[name] = {"operationId": name, "parameters": given}
        names = {one["name"] for one in operation.get("parameters", ())}
        if "after" in names and "next" in _link_fields(body, schemas):
            given = {one: f"$request.path.{one}" for one in known.values()}
            given["after"] = "$response.body#/next"
            links["next"] = {"operationId": operation["operationId"], "parameters": given}
        if links:
            answer["links"] = links


def _pointer(
    body: Schema, path: str, kind: str, parameter: str, schemas: Mapping[str, Schema]
) -> str | None:
    """Where the body of a path has the parameter of a thing of a kind; None: nowhere."""
    own = "id" if parameter == "number" else parameter
    many = kind.rpartition("/")[2]
    single = re.sub("s$", "", re.sub("ies$", "y", many))
    fields = _link_fields(body, schemas)
    items = fields.get("items", {})
    item = items.get("items", {})
    if path.endswith(f"/{kind}") and own in fields:
        return f"/{own}"
    if path.endswith(f"/{kind}") or item.get("$ref", "").endswith(f"/{single.title()}"):
        found = _within(items, own, schemas)
        if found is not None:
            return f"/items{found}"
    for at, named in (("", fields), ("/items/0", _link_fields(item, schemas))):
        for name in (single, f"{single}_id", many):
            found = _within(named.get(name, {}), own, schemas, plain=name != many)
            if found is not None:
                return f"{at}/{name}{found}"
    return None


def _within(
    schema: Schema, own: str, schemas: Mapping[str, Schema], plain: bool = False
) -> str | None:
    """Where a field has an id: in an object, in a list, or it is one."""
    if schema.get("type") == "array":
        found = _within(schema["items"], own, schemas, plain=True)
        return None if found is None else f"/0{found}"
    if own in _link_fields(schema, schemas):
        return f"/{own}"
    return "" if plain and schema.get("type") in {"integer", "string"} else None


def _link_fields(schema: Schema, schemas: Mapping[str, Schema]) -> Mapping[str, Schema]:
    schema = schema.get("anyOf", [schema])[0]
    shape = schema.get("$ref", "").rpartition("/")[2]
    fields: Mapping[str, Schema] = schemas.get(shape, schema).get("properties", {})
    return fields


# In the order of the document. The first that matches answers.
ROOMS = (
    articles,
    marks,
    notes,
    feeds,
    stories,
    digests,
    briefs,
    rules,
    coverage,
    importance,
    ranking,
    sharing,
    own,
)

TAGS = (
    ("Articles", "Lists, search, single articles and explanations of their scores."),
    ("Marks", "Read, star, like and other marks, and undo."),
    ("Notes", "Notes, highlights and tags of articles."),
    ("Feeds", "Feeds and categories."),
    ("Stories", "Events over days, covered by several sources, and threads of them over weeks."),
    ("Digests", "Summaries of a period of time."),
    ("Briefs", "Spoken briefs: transcripts, chapters and audio."),
    ("Rules", "What is done to new articles, and what rules mute and notify you of."),
    ("Coverage", "Who else reports an article, found by news searches."),
    ("Importance", "Sources, topics, and how soon news is old."),
    ("Ranking", "Your model, how fast scores halve, and what your ranking does not learn from."),
    ("Sharing", "Services to which you save articles."),
    ("Yours", "Your account, counts, saved lists, interests and preferences."),
)

ABOUT = """\
Everything that the pages show and do, for programs. Sign in with an app password of yours (page
Account, or `newsloom user app-password add`), as `Authorization: Bearer PASSWORD` or as HTTP Basic
with your name. Where nobody has an account, nothing is needed; then what changes something must
send `Content-Type: application/json`.

Times are ISO 8601 with an offset. Lists come in pages: `next` of one is `after` of the next. Errors
are problem details (RFC 9457). Answers have an `ETag`; send it back as `If-None-Match`. Titles and
texts are what publishers wrote: HTML is made safe to show, and nothing in it is to be obeyed.
"""

SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An app password. It gives no access to administration or pages.",
    },
    "basic": {"type": "http", "scheme": "basic", "description": "Name and app password."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-newsloom",
        "description": "The session of a browser that is signed in, from a page of this server.",
    },
}

KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Any text. A request that is sent again with its key within 24 hours is not "
    "done again, and gets the same answer; another request with that key is refused (422), and so "
    "is one whose first attempt was cut off (409).",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}

router = APIRouter()


def routes() -> list[APIRoute]:
    """Every route of the API."""
    return [one for room in ROOMS for one in room.router.routes if isinstance(one, APIRoute)]


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, made of the routes and their types."""
    made = get_openapi(
        title="Newsloom",
        version=__version__,
        summary="A self-hosted news reader.",
        description=ABOUT,
        routes=routes(),
        tags=[{"name": name, "description": words} for name, words in TAGS],
    )
    parts = made["components"]
    for shape in (Wrong, Problem):
        parts["schemas"][shape.__name__] = shape.model_json_schema(
            ref_template="#/components/schemas/{model}"
        )
        parts["schemas"][shape.__name__].pop("$defs", None)
    parts["securitySchemes"] = SCHEMES
    for methods in made["paths"].values():
        for told in methods.values():
            told["summary"] = " ".join(told["description"].partition("\n\n")[0].split())
    for route in filter(creates, routes()):
        made["paths"][route.path_format]["post"].setdefault("parameters", []).append(KEY)
    put_examples(made)
    put_links(made)
    made["security"] = [{}, *({name: []} for name in SCHEMES)]
    return made


@router.get(DOCUMENT, include_in_schema=False)
def openapi(_site: Nobody, request: Request) -> JSONResponse:
    """The OpenAPI document, with the URL it was requested at."""
    root = str(request.base_url).rstrip("/")
    return JSONResponse({**document(), "servers": [{"url": root}]})


@router.get(PAGE, include_in_schema=False)
def page(site: Here, request: Request) -> HTMLResponse:
    """The API reference as a page."""
    return site.page(
        request,
        "api.html",
        bare(Page.HELP),
        about=[" ".join(one.split()) for one in ABOUT.split("\n\n")],
        tags=TAGS,
        operations=operations(),
        shapes=shapes(),
        document=DOCUMENT,
    )


# --- the page ---


@dataclass(frozen=True, slots=True)
class Value:
    """A field or a parameter."""

    name: str
    kind: str  # "integer", "list of Article", "ranked, newest or important"
    needed: bool
    words: str
    shape: str = ""  # the name of its shape, where it has one


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked for."""

    id: str
    tag: str
    method: str
    path: str
    summary: str
    words: str
    parameters: tuple[Value, ...]
    sent: Value | None
    answer: Value | None  # None: an empty one


@dataclass(frozen=True, slots=True)
class ShapeInfo:
    """The fields of an object."""

    name: str
    words: str
    fields: tuple[Value, ...]
    choices: str  # of an enumeration; "" for an object


@cache
def operations() -> tuple[Operation, ...]:
    """Everything that can be asked for, in the order of the document."""
    return tuple(
        _operation(path, method, told)
        for path, methods in document()["paths"].items()
        for method, told in methods.items()
    )


@cache
def shapes() -> tuple[ShapeInfo, ...]:
    """Every object, by name."""
    return tuple(
        ShapeInfo(
            name,
            told.get("description", ""),
            _fields(told),
            " or ".join(map(str, told.get("enum", ()))),
        )
        for name, told in sorted(document()["components"]["schemas"].items())
    )


def _operation(path: str, method: str, data: Mapping[str, Any]) -> Operation:
    first, _, rest = data.get("description", "").partition("\n\n")
    good = next(answer for code, answer in data["responses"].items() if code.startswith("2"))
    return Operation(
        id=data["operationId"],
        tag=data["tags"][0],
        method=method.upper(),
        path=path,
        summary=" ".join(first.split()),
        words=" ".join(rest.split()),
        parameters=tuple(
            _value(one["name"], one["schema"], one.get("required", False), one.get("description"))
            for one in data.get("parameters", ())
        ),
        sent=_content(data.get("requestBody", {})),
        answer=_content(good),
    )


def _content(data: Mapping[str, Any]) -> Value | None:
    for kind, content in data.get("content", {}).items():
        schema = content.get("schema", {})
        return _value(kind, schema, needed=True, words=schema.get("description", ""))
    return None


def _fields(data: Mapping[str, Any]) -> tuple[Value, ...]:
    needed = data.get("required", ())
    return tuple(
        _value(name, schema, name in needed, schema.get("description", ""))
        for name, schema in data.get("properties", {}).items()
    )


def _value(name: str, schema: Mapping[str, Any], needed: bool, words: str | None) -> Value:
    kind, shape = _kind(schema)
    unless = schema.get("default")
    said = f" Default: {unless}." if unless not in (None, "", [], {}) else ""
    return Value(name, kind, needed, (words or "") + said, shape)


def _kind(schema: Mapping[str, Any]) -> tuple[str, str]:
    """What a value is in words, and the shape it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name, name
    for word in ("anyOf", "allOf", "oneOf"):
        if word in schema:
            return _either(schema[word])
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"])), ""
    if schema.get("type") == "array":
        kind, shape = _kind(schema.get("items", {}))
        return f"list of {kind}", shape
    if schema.get("format") == "date-time":
        return "time", ""
    return schema.get("type", "anything"), ""


def _either(schemas: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    kinds = [_kind(one) for one in schemas]
    shape = next((name for _kind, name in kinds if name), "")
    return " or ".join(kind for kind, _name in kinds), shape
