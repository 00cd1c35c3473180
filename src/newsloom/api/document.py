"""What the API is: its OpenAPI document, and the same as a page to read."""

from __future__ import annotations

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
from newsloom.api.links import put_links
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
from newsloom.web.api_access import DOCUMENT, PAGE
from newsloom.web.list_view import Page
from newsloom.web.problems import Problem, Wrong
from newsloom.web.site import Here, Nobody, bare

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
