"""Links of the OpenAPI document: from answers that carry a number or name to the operations that
take it. Made by rule, from paths and schemas. Pure.

`{number}` of `/feeds/{number}/history` is an id of `feeds`. An answer carries one where its path
ends with `feeds`, or its items are of the shape `Feed`, and it or the first of its items has an
`id` (or a field named as the parameter); and where a field of either is called `feed`, `feed_id` or
`feeds`. `next` of a page is its `after`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from newsloom.web.api_access import PREFIX

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
        if "after" in names and "next" in _fields(body, schemas):
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
    fields = _fields(body, schemas)
    items = fields.get("items", {})
    item = items.get("items", {})
    if path.endswith(f"/{kind}") and own in fields:
        return f"/{own}"
    if path.endswith(f"/{kind}") or item.get("$ref", "").endswith(f"/{single.title()}"):
        found = _within(items, own, schemas)
        if found is not None:
            return f"/items{found}"
    for at, named in (("", fields), ("/items/0", _fields(item, schemas))):
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
    if own in _fields(schema, schemas):
        return f"/{own}"
    return "" if plain and schema.get("type") in {"integer", "string"} else None


def _fields(schema: Schema, schemas: Mapping[str, Schema]) -> Mapping[str, Schema]:
    schema = schema.get("anyOf", [schema])[0]
    shape = schema.get("$ref", "").rpartition("/")[2]
    fields: Mapping[str, Schema] = schemas.get(shape, schema).get("properties", {})
    return fields
