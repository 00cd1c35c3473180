"""The SQL that makes the role for Newsloom, with the parts that the settings ask for."""

from __future__ import annotations

import re
from importlib.resources import files

_PART = re.compile(r"^-- part: (\w+)\n", re.MULTILINE)


def role_sql(*, titles: bool, sensitivity: bool) -> str:
    """To be run by a superuser in the database of Tiny Tiny RSS."""
    text = (files("newsloom.bridges.ttrss") / "data" / "role.sql").read_text(encoding="utf-8")
    base, *rest = _PART.split(text)
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    wanted = {"titles": titles, "sensitivity": sensitivity, "end": True}
    return base + "".join(parts[name] for name, on in wanted.items() if on)
