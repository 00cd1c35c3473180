"""The API held to its own document: requests made from it, right and wrong, and their answers.

Each operation is asked as somebody who has everything, with numbers of what is there as often as
with others, and again as somebody who has nothing. No answer is a fault of ours, each has the
status, media type and shape that the document says, and nothing of one person is told to another.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, Registry, Validator
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from migrated import copied
from newsloom.api.document import document, operations
from newsloom.api.examples import NUMBER
from newsloom.web.api_access import DOCUMENT
from web.crowded import crowded
from web.digested import digested
from web.peopled import ANNA, BOB, HOME, Peopled, Program
from web.storied import storied
from web.world import NEWS, open_world

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Requests of each operation and kind. A long run: NEWSLOOM_TEST_API_REQUESTS=2000.
REQUESTS = int(os.environ.get("NEWSLOOM_TEST_API_REQUESTS", "5"))

# One that waits for the network asks strangers.
LABELS = [f"{one.method} {one.path}" for one in operations()]


def checking(components: Any) -> Callable[[Any], Validator]:
    """Validators of schemas that refer to these components, which are compiled once for all."""
    root = "urn:document"
    registry = Registry(resources=[(root, {"components": components})])

    def validator(schema: Any) -> Validator:
        absolute = json.loads(json.dumps(schema).replace('"#/', f'"{root}#/'))
        return Draft202012Validator(absolute, validate_formats=True, registry=registry)

    return validator


# Numbers of what is there.
NEAR = st.one_of(st.none(), st.integers(1, 12))


class Everything:
    """Anna's world, and Bob beside her, asked through the document."""

    def __init__(self, folder: Path) -> None:
        self.world = open_world(folder)
        crowded(self.world)
        digested(self.world)
        storied(self.world, self.world.named(NEWS[0]["title"]), self.world.named(NEWS[1]["title"]))
        self.peopled = Peopled(self.world)
        self.peopled.add(ANNA)
        self.anna = self.peopled.program(self.world.user)
        self.bob = self.peopled.program(self.peopled.add(BOB))
        self.schema: Any = schemathesis.openapi.from_asgi(
            DOCUMENT, self.peopled.app, headers={"host": "localhost"}
        )
        self.operations = {
            found.ok().label: found.ok() for found in self.schema.get_all_operations()
        }

    def ask(self, case: Any, number: int | None, program: Program) -> Any:
        if number is not None and "number" in case.path_parameters:
            case.path_parameters["number"] = number
        headers = {"authorization": f"Bearer {program.secret}"}
        case.headers.pop("Idempotency-Key", None)  # the same for other bodies is refused
        return case.call(base_url=HOME, headers=headers)


@pytest.fixture(scope="module")
def everything(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    folder = tmp_path_factory.mktemp("everything")
    copied(furnished, folder)
    made = Everything(folder)
    yield made
    made.world.store.close()


def test_every_operation_is_in_the_document(everything: Everything) -> None:
    assert list(everything.operations) == LABELS
    assert everything.schema.raw_schema["openapi"].startswith("3.1")


def test_every_operation_has_examples_that_are_right(everything: Everything) -> None:
    components = everything.schema.raw_schema["components"]
    validator = checking(components)
    # Two shapes of one name get names of modules, which generated clients would show.
    assert not [name for name in components["schemas"] if "__" in name]
    for path, methods in everything.schema.raw_schema["paths"].items():
        for method, told in methods.items():
            bodies = [told.get("requestBody", {}), *told["responses"].values()]
            contents = [one for body in bodies for one in body.get("content", {}).values() if one]
            for one in (*contents, *told.get("parameters", ())):
                validator(one["schema"]).validate(one["example"])
            for kind, content in told.get("requestBody", {}).get("content", {}).items():
                if kind != "application/json":
                    continue
                url = path.format(number=12, domain="harbour.example", term="ferry", name="x")
                answer = everything.anna.ask(method.upper(), url, content["example"])
                # No network; words that no article has.
                refused = (400,) if path.endswith(("/feeds", "/highlights")) else ()
                assert answer.status_code in {*range(200, 300), 403, 404, *refused}, answer.text


def test_links_lead_from_answers_to_what_takes_their_numbers() -> None:
    validator = checking(document()["components"])
    told = {
        one["operationId"]: (path, one)
        for path, methods in document()["paths"].items()
        for one in methods.values()
    }
    linked = set()
    for _path, operation in told.values():
        answers = [one for one in operation["responses"].values() if "links" in one]
        for answer, link in ((a, b) for a in answers for b in a["links"].values()):
            linked.add(link["operationId"])
            takes = {one["name"]: one for one in told[link["operationId"]][1]["parameters"]}
            for name, expression in link["parameters"].items():
                value = answer["content"]["application/json"]["example"]
                for part in expression.partition("#/")[2].split("/"):
                    value = value[int(part) if part.isdigit() else part] if part else NUMBER
                validator(takes[name]["schema"]).validate(value)
    takes_some = {name for name, (path, _told) in told.items() if "{" in path}
    # No answer has a language of a podcast.
    assert takes_some - linked == {"get_podcast", "renew_podcast", "remove_podcast"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("label", LABELS)
def test_answers_are_as_the_document_says(
    everything: Everything, label: str, mode: GenerationMode
) -> None:
    operation = everything.operations[label]
    if mode is GenerationMode.NEGATIVE and not (
        operation.body or tuple(operation.iter_parameters())
    ):
        return  # nothing is sent that could be wrong

    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), number=NEAR)
    def hold(case: Any, number: int | None) -> None:
        answer = everything.ask(case, number, everything.anna)
        case.validate_response(answer, checks=CHECKS)
        others = everything.ask(case, number, everything.bob)
        assert others.status_code < 500

    hold()
