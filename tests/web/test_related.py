"""Related articles: a part of an article's page, a page by itself, JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import pytest

from newsloom.duplicates.values import Relation
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import MINILM_SCALE
from newsloom.reading.service.related import MOST
from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.world import NoEncoder, World


def leaning(cosine: float) -> np.ndarray:
    """A vector so near to the first axis."""
    return np.array([cosine, np.sqrt(1 - cosine**2), 0, 0], np.float32)


@dataclass(frozen=True)
class Near:
    """Four articles, ever farther from the first; all others are far away."""

    own: ArticleId
    close: ArticleId
    closer_copy: ArticleId  # of the close one's cluster, a little less near
    far: ArticleId


@pytest.fixture
def near(world: World) -> Near:
    """Articles of one day, whatever their dates were."""
    listed = sorted(world.listed(limit=500), key=lambda one: one.dated, reverse=True)
    ids = [one.id for one in listed]
    made = Near(*ids[:4])
    cosines = dict.fromkeys(ids, 0.0) | {
        made.own: 1.0,
        made.close: 0.9,
        made.closer_copy: 0.85,
        made.far: MINILM_SCALE.related - 0.01,
    }
    vectors = np.stack([leaning(one) for one in cosines.values()])
    world.store.articles.put_vectors(NoEncoder.model_id, list(cosines), vectors)
    return made


def related(visitor: Visitor, number: int, query: str = "") -> list[dict[str, object]]:
    answer = visitor.get(f"/api/v1/articles/{number}/related{query}")
    assert answer.status_code == 200
    return [one["article"] | one for one in answer.json()["items"]]


def test_the_nearest_above_the_floor_are_named(visitor: Visitor, near: Near) -> None:
    found = related(visitor, near.own, "?days=90")
    assert [one["id"] for one in found] == [near.close, near.closer_copy]
    assert [one["cosine"] for one in found] == pytest.approx([0.9, 0.85], abs=1e-3)


def test_a_cluster_is_one_row_and_ones_own_is_none(
    visitor: Visitor, world: World, near: Near
) -> None:
    world.relate(Relation.SAME_EVENT, near.close, near.closer_copy, "names")
    found = related(visitor, near.own, "?days=90")
    # With two copies in other feeds.
    assert [(one["id"], one["copies"]) for one in found] == [(near.close, 3)]
    assert related(visitor, near.close, "?days=90")[0]["id"] == near.own
    world.relate(Relation.SAME_EVENT, near.own, near.close, "names")
    assert related(visitor, near.own, "?days=90") == []


def test_what_was_read_says_so(visitor: Visitor, world: World, near: Near) -> None:
    world.reader().mark([near.close], EventKind.READ, "test")
    found = related(visitor, near.own, "?days=90")
    assert [one["read"] for one in found] == [True, False]
    assert "is-read" in visitor.get(f"/articles/{near.own}/related?days=90").text


def test_only_articles_near_in_time_until_more_is_asked_for(
    visitor: Visitor, world: World, near: Near
) -> None:
    own = world.reader().article(near.own).listed
    with world.store.database.write() as connection:
        for days, one in ((8, near.close), (91, near.closer_copy)):
            moved = int((own.dated - timedelta(days=days)).timestamp() * 1e6)
            for table, key in (("articles", "id"), ("states", "article_id")):
                connection.exec_driver_sql(
                    f"UPDATE {table} SET dated_at = {moved} WHERE {key} = {one}"
                )
    assert related(visitor, near.own) == []
    assert [one["id"] for one in related(visitor, near.own, "?days=90")] == [near.close]


def test_the_page_of_an_article_links_to_it_and_loads_it_later(
    visitor: Visitor, near: Near
) -> None:
    address = f"/articles/{near.own}/related"
    page = visitor.get(f"/articles/{near.own}").text
    assert f'<a href="{address}">Related articles</a>' in page
    assert f'hx-get="{address}" hx-trigger="load"' in page
    alone = visitor.get(f"{address}?days=90")
    assert f'href="/articles/{near.close}"' in alone.text
    assert "Show older" not in alone.text
    part = visitor.get(address, **{"hx-request": "true"}).text
    assert "<html" not in part
    assert "Show older" in part


def test_without_a_vector_nothing_is_related(visitor: Visitor, world: World) -> None:
    number = world.ids()[0]
    assert related(visitor, number) == []
    assert "No related articles within 7 days" in visitor.get(f"/articles/{number}/related").text


def test_it_lists_no_more_than_ten(visitor: Visitor, world: World) -> None:
    ids = world.ids(limit=100)
    world.store.articles.put_vectors(
        NoEncoder.model_id, ids, np.repeat(leaning(1.0)[np.newaxis], len(ids), axis=0)
    )
    assert len(related(visitor, ids[0], "?days=90")) == MOST


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/articles/999999/related", 404),
        ("/articles/999999/related", 404),
        ("/api/v1/articles/1/related?days=91", 400),
        ("/api/v1/articles/1/related?days=0", 400),
        ("/api/v1/articles/0/related", 404),
    ],
)
def test_what_cannot_be_had_is_said(visitor: Visitor, path: str, status: int) -> None:
    answer = visitor.get(path)
    assert answer.status_code == status
    if path.startswith("/api/"):
        assert answer.json()["detail"]


def test_a_strange_name_of_the_server_is_refused(visitor: Visitor) -> None:
    answer = visitor.ask("GET", "/api/v1/articles/1/related", headers={"host": "evil.example"})
    assert answer.status_code == 421
