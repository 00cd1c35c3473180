"""Every name of the values is found where it is said to be, and imports no more than it needs."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

from newsloom import types


def named(module: str) -> set[str]:
    """What a module of values defines for others."""
    found = import_module(f"newsloom.types.{module}")
    return {
        name
        for name, value in vars(found).items()
        if not name.startswith("_")
        and (getattr(value, "__module__", "") == found.__name__ or name.isupper())
    }


@pytest.mark.parametrize("module", [one.name for one in pkgutil.iter_modules(types.__path__)])
def test_every_name_of_a_module_is_listed(module: str) -> None:
    listed = set(types.MODULES[module].split())
    assert listed <= named(module) | {"OK"}
    assert {name for name in named(module) if not name.isupper()} <= listed


def test_each_is_the_one_of_its_module() -> None:
    for module, names in types.MODULES.items():
        for name in names.split():
            assert getattr(types, name) is getattr(import_module(f"newsloom.types.{module}"), name)


def test_another_name_is_none() -> None:
    with pytest.raises(ImportError, match="Nothing"):
        from newsloom.types import Nothing  # noqa: F401


def test_one_name_imports_its_module_alone() -> None:
    code = (
        "import sys; from newsloom.types import FeedId; "
        "print(*(one for one in sys.modules if one.startswith('newsloom.types.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["newsloom.types.ids"]
