"""Examples of what programs send and get, made of the OpenAPI document's own schemas. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

TIME = "2026-03-02T07:00:00Z"

# Values by the name of their field, those of one shape by both names.
VALUES: Mapping[str, Any] = {
    "HalfLives.days": [60, 21, 7, 3, 1],
    "Idempotency-Key": "5f0c7a52-1d0a-4c3f-9e0b-6f1f2f4f7a10",
    "NewForgottenPeriod.until": "2026-03-09T07:00:00Z",
    "NewBriefSchedule.days": ["monday"],
    "NewHalfLives.days": [60, 21, 7, 3, 1],
    "NewService.kind": "linkding",
    "NewService.fields": {"url": "https://links.example", "token": "SECRET", "labels": "news"},
    "Document": {"newsloom_rules": 1, "rules": []},
    "OwnBriefSchedule.days": ["monday"],
    "TopicWeight.times": 2,
    "added": TIME,
    "address": "ann@reader.example",
    "as_of": "MTIwLTQ4MA",
    "at": "07:00",
    "atom": "https://reader.example/feeds/Zm9v.atom",
    "author": "Ada Berg",
    "because": "You follow this story.",
    "category": "Science",
    "detail": "You have no article 12.",
    "domain": "harbour.example",
    "exact": "the ferry ran aground",
    "excerpt": "The ferry to the island ran aground on Monday.",
    "feed_title": "Harbour News",
    "html": "<p>The ferry to the island ran aground on Monday.</p>",
    "image": "https://harbour.example/ferry.jpg",
    "json_feed": "https://reader.example/feeds/Zm9v.json",
    "label": "Ferries",
    "language": "en",
    "maker": "newsloom-summary@3",
    "name": "Ferries",
    "next": "AAGXyq8h",
    "note": "Ask the harbour master.",
    "prefix": "On Monday ",
    "probability": 0.93,
    "problem": "",
    "publisher": "Harbour News",
    "q": "ferry",
    "rating": 1,
    "reason": "You liked three articles about ferries.",
    "sensitivity": 2,
    "since": TIME,
    "site_url": "https://harbour.example/",
    "source": "harbour.example",
    "spoken": "har-bor",
    "suffix": " in calm weather",
    "summary": "The ferry to the island ran aground on Monday; nobody was hurt.",
    "text": "The ferry to the island ran aground on Monday.",
    "title": "Ferry runs aground off the island",
    "to": "ann@reader.example",
    "tag": "ferries",
    "until": TIME,
    "url": "https://harbour.example/ferry",
    "value": "ferry",
    "version": "1.0",
    "voice": "",
    "weight": 0.5,
    "written": "harbour",
    "zone": "Europe/Berlin",
}
NUMBER = 12

_QUOTED = re.compile(r"`([^`]+)`")


def put_examples(document: dict[str, Any]) -> None:
    """Put one into every parameter, body and answer of the document."""
    schemas = document["components"]["schemas"]
    for methods in document["paths"].values():
        for operation in methods.values():
            for one in operation.get("parameters", ()):
                one["example"] = example(one["schema"], one["name"], schemas)
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (found for body in bodies for found in body.get("content", {}).values()):
                if "schema" in content:
                    content["example"] = example(content["schema"], "", schemas)


def example(
    schema: Mapping[str, Any], name: str, schemas: Mapping[str, Any], within: tuple[str, ...] = ()
) -> Any:
    """A value that the schema allows; `name` is its field's."""
    if "$ref" in schema:
        shape = schema["$ref"].rpartition("/")[2]
        found = {**schemas[shape], **{k: v for k, v in schema.items() if k != "$ref"}}
        return example(found, name, schemas, (*within, shape))
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            given = {key: schema[key] for key in ("description",) if key in schema}
            return example({**given, **schema[word][0]}, name, schemas, within)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("default", schema.get("enum", [None])[0]))
    named = [f"{within[-1] if within else ''}.{name}"]
    if schema.get("format") != "date-time":
        named.append(name or schema.get("title", ""))
    for known in named:
        if isinstance(VALUES.get(known), _TYPES.get(schema.get("type", ""), ())):
            return VALUES[known]
    return _MAKERS[schema.get("type", "string")](schema, name, schemas, within)


def _object(
    schema: Mapping[str, Any], name: str, schemas: Mapping[str, Any], within: tuple[str, ...]
) -> Any:
    more = schema.get("additionalProperties")
    if isinstance(more, Mapping):
        return {VALUES["name"]: example(more, name, schemas, within)}
    return {
        key: example(one, key, schemas, within) for key, one in schema.get("properties", {}).items()
    }


def _array(
    schema: Mapping[str, Any], name: str, schemas: Mapping[str, Any], within: tuple[str, ...]
) -> Any:
    items = schema.get("items", {})
    if items.get("$ref", "").rpartition("/")[2] in within:
        return []
    return [example(items, name.removesuffix("s"), schemas, within)]


def _text(schema: Mapping[str, Any], name: str, *_: Any) -> Any:
    if schema.get("format") == "date-time":
        return TIME
    quoted = _QUOTED.search(schema.get("description", ""))
    return quoted[1] if quoted else schema.get("default", "") or name.replace("_", " ")


def _number(schema: Mapping[str, Any], _name: str, *_: Any) -> Any:
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    most = schema.get("maximum", NUMBER)
    return max(min(NUMBER, most), NUMBER if least is None else least)


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
}
_MAKERS: Mapping[str, Callable[..., Any]] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _number,
    "number": _number,
    "boolean": lambda *_: True,
    "null": lambda *_: None,
}
