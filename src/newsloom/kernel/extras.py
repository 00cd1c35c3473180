"""What is installed only where it is asked for: the extras of pyproject.toml, and what says so."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import find_spec

from newsloom.kernel.errors import NewsloomError, UserError

# Each extra, and the modules that Newsloom imports from it. tests/test_extras.py compares the names
# with pyproject.toml.
EXTRAS: Mapping[str, tuple[str, ...]] = {
    "argos": ("ctranslate2", "sentencepiece"),
    "fine-tuning": ("torch", "transformers", "safetensors"),
    "openid": ("joserfc",),
    "mcp": ("mcp",),
    "piper": ("piper",),
    "postgres": ("psycopg",),
    "ray": ("ray",),
    "sentence-transformers": ("sentence_transformers", "torch", "transformers", "safetensors"),
    "spacy": ("spacy",),
}


def install(extra: str) -> str:
    """The command that installs an extra beside this Newsloom."""
    return f"{sys.executable} -m pip install 'newsloom[{extra}]'"


def require(extra: str, what: str, error: type[NewsloomError] = UserError) -> None:
    """Raises `error`, with the command that installs it, when a module of the extra is missing.

    `what` needs it, and begins the sentence. Imports nothing.
    """
    missing = [name for name in EXTRAS[extra] if find_spec(name) is None]
    if missing:
        raise error(f"{what} needs {', '.join(missing)}, not installed here: {install(extra)}")
