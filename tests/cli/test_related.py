"""`newsloom related` and `newsloom store neighbours`, as they are run."""

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
    told = json.loads(newsloom("related", str(storm), "--json"))
    assert told["article"] == storm
    assert [(one["id"], one["read"], one["copies"]) for one in told["related"]] == [
        (after, False, 0)
    ]
    assert 0.5 < told["related"][0]["cosine"] < 1
    assert f"{after}  " in newsloom("related", str(storm))
    assert "Nothing related within 90 days" in newsloom("related", str(bread), "--days", "90")
    assert "no article 999" in newsloom("related", "999", status=2)
    assert "found by numpy" in newsloom("store", "neighbours")
    made = json.loads(newsloom("store", "neighbours", "--json"))
    assert made["made"] == {"pgvector": False, "filled": 0, "indexed": []}
