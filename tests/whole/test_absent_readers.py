"""Readers who stay away cost no scores, and find on their return what they would have had."""

from __future__ import annotations

from datetime import timedelta

from conftest import Whole
from sqlalchemy import text

from newsloom.accounts.lifetimes import AWAY
from newsloom.accounts.values import Role
from newsloom.kernel.ids import UserId
from publisher import Publisher, rss

_SCORES = text(
    "SELECT article_id, relevance, rank_key FROM states WHERE user_id = :user ORDER BY 1"
)


def test_who_comes_again_finds_all_scored(whole: Whole, publisher: Publisher) -> None:
    store, clock = whole.app.store, whole.clock
    clock.stop()
    anna, bert = (
        store.accounts.add_account(name, Role.READER, "hash", clock()) for name in ("anna", "bert")
    )

    def publish(*numbers: int) -> None:
        items = [(f"{n}", f"https://site.test/{n}", f"Report {n} on the bridge") for n in numbers]
        publisher.puts("/feed.xml", rss("Feed", *items))
        whole.run([feed])

    def unscored() -> list[int]:
        return [store.lists.unscored(user) for user in (whole.app.user, anna, bert)]

    def scores(user: UserId) -> list[object]:
        with store.database.read() as connection:
            return list(connection.execute(_SCORES, {"user": user}))

    (feed,) = whole.follow(publisher.url + "/feed.xml")
    for user in (anna, bert):
        store.reading.subscribe(user, publisher.url + "/feed.xml", clock())
    publish(1, 2)
    assert unscored() == [0, 0, 0], "new accounts are waited for"
    clock.ahead += AWAY + timedelta(hours=1)
    store.accounts.open_session(bert, "bert's", clock(), "::1", "browser", "")
    publish(1, 2, 3, 4, 5)
    assert unscored() == [0, 3, 0]
    store.accounts.open_session(anna, "anna's", clock(), "::1", "browser", "")
    whole.run([])
    assert unscored() == [0, 0, 0]
    assert scores(anna) == scores(bert)
    assert len(scores(anna)) == 5
