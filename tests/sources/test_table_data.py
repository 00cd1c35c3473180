"""The shipped table: large and wide enough, and every row well-formed."""

from __future__ import annotations

import re
from collections import Counter

from newsloom.importance.sources.table import rows
from newsloom.importance.values import SourceKind


def test_it_covers_many_domains_countries_and_kinds() -> None:
    known = rows()
    assert len(known) >= 1_500
    assert len({one.country for one in known} - {""}) >= 40
    assert {one.tier for one in known} == {1, 2, 3, 4, 5}
    assert {one.kind for one in known} == set(SourceKind)


def test_every_row_is_well_formed() -> None:
    known = rows()
    domains = [one.domain for one in known]
    assert domains == sorted(set(domains))
    for one in known:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*\.[a-z0-9-]{2,}", one.domain), one
        assert re.fullmatch(r"([A-Z]{2})?", one.country), one
        assert one.owner, one
        assert one.reason, one
        assert one.owner == one.owner.strip()


def test_an_owner_is_spelled_in_one_way() -> None:
    owners = {one.owner for one in rows()}
    assert max(Counter(one.casefold() for one in owners).values()) == 1
