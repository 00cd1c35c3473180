"""Templates are compiled once in a process, however many applications are made in it."""

from __future__ import annotations

from functools import cache
from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """Templates compiled in this process, for further applications below the same path: Jinja may
    fold an address and its path into one constant."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


@cache
def compiled(_path: str) -> Compiled:
    """Those of the applications below a path."""
    return Compiled()
