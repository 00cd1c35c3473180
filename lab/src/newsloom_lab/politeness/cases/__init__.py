"""Every case, in the order of its number."""

from __future__ import annotations

from newsloom_lab.politeness.case import Case
from newsloom_lab.politeness.cases import (
    addresses,
    asking,
    beyond,
    crowds,
    hidden,
    identities,
    sizes,
    times,
    waiting,
    wires,
)

CASES: tuple[Case, ...] = tuple(
    sorted(
        (
            *addresses.CASES,
            *asking.CASES,
            *beyond.CASES,
            *crowds.CASES,
            *hidden.CASES,
            *identities.CASES,
            *sizes.CASES,
            *times.CASES,
            *waiting.CASES,
            *wires.CASES,
        ),
        key=lambda one: (one.number[0] != "P", one.number),
    )
)
