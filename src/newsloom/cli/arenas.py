"""How many arenas the C library may take memory from, on Linux."""

from __future__ import annotations

import ctypes
import os

# glibc gives threads up to eight arenas for each core, and each keeps what it once had: a server
# whose pages come from forty threads grew by 42 MB in two and a half minutes, and with two arenas
# by nothing (docs/work/figures.md).
MOST = 2
_M_ARENA_MAX = -8  # malloc.h


def limit() -> None:
    """Before threads start. What the environment says goes first; other libraries than glibc have
    no such limit, and need none."""
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MOST)
    except (AttributeError, OSError, TypeError):
        return
