"""Related articles on the command line, and `newsloom store neighbours`."""

from __future__ import annotations

import json
from collections.abc import Callable

from cli.test_duplicate_commands import feed, item
from publisher import Publisher

Newsloom = Callable[..., str]


def test_what_tells_of_much_the_same_is_named(newsloom: Newsloom, publisher: Publisher) -> None:
    items = (
        item("a", "https://g.test/1", "Storm floods the harbour of Tidewick",
             "High waves of the autumn storm flooded streets at the harbour of Tidewick."),
        item("b", "https://g.test/2", "Tidewick council argues about a higher sea wall",
             "After years of storms the harbour town weighs a wall against the waves."),
        item("c", "https://g.test/3", "How to bake rye bread", "Flour, water, salt and time."),
    )  # fmt: skip
    newsloom("add", publisher.puts("/one.xml", feed("Gazette", *items)))
    newsloom("run")
    by_title = {one["title"]: one["id"] for one in json.loads(newsloom("list", "--json"))}
    storm, after = (number for title, number in by_title.items() if "Tidewick" in title)
    (bread,) = (number for title, number in by_title.items() if "bread" in title)
    (one,) = json.loads(newsloom("api", "GET", f"/articles/{storm}/related"))["items"]
    assert (one["article"]["id"], one["article"]["read"], one["copies"]) == (after, False, 0)
    assert 0.5 < one["cosine"] < 1
    none = json.loads(newsloom("api", "GET", f"/articles/{bread}/related", "days=90"))
    assert none == {"items": []}
    assert "no article 999" in newsloom("api", "GET", "/articles/999/related", status=1)
    assert "found by numpy" in newsloom("store", "neighbours")
    made = json.loads(newsloom("store", "neighbours", "--json"))
    assert made["made"] == {"pgvector": False, "filled": 0, "indexed": []}
