"""Who tells of an event: what a cluster's articles say of their sources and agencies."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from newsloom.duplicates.store.tables import signatures
from newsloom.duplicates.values import Relation, Witness
from newsloom.kernel.ids import ArticleId

from .builders import NOW, add, relate


def sign(store, article, agency):
    with store.database.write() as connection:
        row = {"article_id": article, "maker_id": 1, "digest": 1, "agency": agency}
        connection.execute(insert(signatures), {**row, "signature": b""})


@pytest.fixture
def three(store, reader):
    """Two copies of one text by an agency, and a report of its own on the same event."""
    found = []
    for number, host in enumerate(("www.one.co.uk", "news.two.example", "three.example")):
        feed, _ = store.reading.subscribe(reader, f"https://{host}/feed", NOW)
        found += add(store, feed, "a", url=f"https://{host}/{number}")
    sign(store, found[0], "AP")
    sign(store, found[1], "")
    relate(store, Relation.SAME_TEXT, (found[0], found[1]))
    relate(store, Relation.SAME_EVENT, (found[1], found[2]))
    return found


def test_each_with_its_text_domain_and_agency(store, reader, three):
    first, second, third = three
    told = (
        Witness(first, "one.co.uk", "AP"),
        Witness(first, "two.example"),
        Witness(third, "three.example"),
    )
    assert [store.duplicates.witnesses(reader, one) for one in three] == [told] * 3
    assert second not in {one.text for one in told}


def test_one_that_shares_no_cluster_stands_alone(store, reader, feed):
    (alone,) = add(store, feed, "a", url="https://one.example/a")
    assert store.duplicates.witnesses(reader, alone) == (Witness(alone, "one.example"),)


def test_only_what_the_reader_has(store, reader, three):
    other = store.users.user("another", NOW)
    assert store.duplicates.witnesses(other, three[0]) == ()
    store.reading.subscribe(other, "https://three.example/feed", NOW)
    assert [one.source for one in store.duplicates.witnesses(other, three[0])] == ["three.example"]
    assert store.duplicates.witnesses(reader, ArticleId(999)) == ()
