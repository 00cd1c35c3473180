"""What holds of every module of the source."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import newsloom
import newsloom_lab

SOURCES = [Path(package.__file__).parent for package in (newsloom, newsloom_lab)]
MODULES = sorted(module for source in SOURCES for module in source.rglob("*.py"))


def test_each_name_is_bound_once() -> None:
    """The second silently takes the place of the first; linters look at functions alone."""
    bound = {one: Counter(names(ast.parse(one.read_text(encoding="utf-8")))) for one in MODULES}
    assert len(bound) > 500
    twice = {
        str(one): [name for name, times in found.items() if times > 1]
        for one, found in bound.items()
    }
    assert {one: found for one, found in twice.items() if found} == {}


def names(module: ast.Module) -> Iterator[str]:
    for one in module.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield one.name
        elif isinstance(one, ast.Assign | ast.AnnAssign):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
