"""Reports of one event, as `newsloom run` finds them: from feeds to rows of the list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from newsloom.app import open_app
from newsloom.duplicates.values import Relation
from newsloom.engines.pipeline.stages import STAGES, run_stages
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings, StoreSettings
from newsloom.reading.values.reading import ListQuery
from store.builders import HOUR, NOW, article, new, publish

HEADLINE = "Ferry runs onto a rock off Holm, 212 rescued"
FERRY = (
    "The ferry Marianne with 212 people on board struck a rock off the island of Holm early on "
    "Tuesday and began to take on water. The coast guard of Lorent sent two helicopters and took "
    "everybody off the ship within three hours; eleven passengers were hurt."
)
OTHER_HEADLINE = "Passengers saved as ferry Marianne strikes rock near Holm"
FERRY_AGAIN = (
    "All 212 passengers and crew were rescued after the ferry Marianne ran onto a rock near Holm "
    "on Tuesday morning. Eleven were hurt, the coast guard in Lorent said. Helicopters lifted "
    "people from the deck while the ferry was taking on water."
)
BUDGET = (
    "Parliament passed the budget for next year with a majority of nine votes. The finance "
    "minister said that taxes on wages would fall and those on fuel would rise from January."
)


def settings(path, **duplicates):
    chosen = Settings(store=StoreSettings(path=path))
    return replace(chosen, duplicates=replace(chosen.duplicates, **duplicates))


def stages(app):
    """All stages until nothing is left, as a pass does: by name, how many articles they did."""
    reports = run_stages(app.runner().context, clock=lambda: 0.0, stages=STAGES)
    assert not [one.problem for one in reports if one.problem]
    return {one.stage: one for one in reports}


@pytest.fixture
def app(tmp_path):
    opened = open_app(settings(tmp_path / "n.db"), now=lambda: NOW + 24 * HOUR)
    yield opened
    opened.close()


def follow(app, *names):
    feeds = []
    for name in names:
        url = f"https://{name}.test/feed"
        feeds.append(app.store.reading.subscribe(app.user, url, NOW)[0])
    return feeds


def tell(app, feed, name, title, content, hours=0):
    one = article(
        feed,
        name,
        title=title,
        content=content,
        dated=NOW + hours * HOUR,
        url=f"https://source{feed}.test/{name}",
    )
    publish(app.store, feed, new(one))


def by_title(app):
    with app.store.database.read() as connection:
        return {
            row.title: ArticleId(row.id)
            for row in connection.execute(text("SELECT * FROM articles"))
        }


def test_two_reports_of_one_event_share_a_row(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    tell(app, there, "c", "Parliament passes budget by nine votes", BUDGET, 4)
    done = stages(app)
    assert done["same event"].done == 3
    assert done["same event"].joined == 1
    ids = by_title(app)
    first, second, other = (ids[title] for title in sorted(ids, key=lambda one: ids[one]))
    assert set(app.store.duplicates.cluster(first)) == {first, second}
    assert app.store.duplicates.cluster(other) == (other,)
    (link,) = app.store.duplicates.links([first])
    assert link.relation is Relation.SAME_EVENT
    assert link.evidence[0].layer == "event"
    assert "likely" in link.evidence[0].detail
    assert "3 h apart" in link.evidence[0].detail
    rows = app.reader().page(ListQuery())
    assert sorted(len(row.cluster.others) if row.cluster else 0 for row in rows) == [0, 1]


def test_a_second_run_does_nothing(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    stages(app)
    assert stages(app)["same event"].done == 0


def test_what_comes_later_meets_what_was_there(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    stages(app)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    assert stages(app)["same event"].joined == 1


def test_after_days_it_is_another_chapter(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    late = -24 * 5
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, late)
    assert stages(app)["same event"].joined == 0


def test_what_a_reader_parted_stays_apart(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    stages(app)
    ids = by_title(app)
    one = min(ids.values())
    assert app.store.duplicates.separate(app.user, one, NOW) == 1
    with app.store.database.write() as connection:
        connection.execute(text("DELETE FROM same_event_marks"))
    assert stages(app)["same event"].done == 2
    assert app.store.duplicates.cluster(one) == (one,)


def test_a_changed_text_is_asked_again(app):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    stages(app)
    second = max(by_title(app).values())
    with app.store.database.write() as connection:
        connection.execute(
            text("UPDATE articles SET title = 'Budget passes', content = :new WHERE id = :id"),
            {"new": BUDGET, "id": second},
        )
        connection.execute(
            text("UPDATE texts SET maker_id = 0 WHERE article_id = :id"), {"id": second}
        )
    done = stages(app)
    assert done["same event"].done == 1
    assert app.store.duplicates.cluster(second) == (second,)


def test_other_thresholds_judge_all_again_and_leave_nothing_of_before(app, tmp_path):
    here, there = follow(app, "here", "there")
    tell(app, here, "a", HEADLINE, FERRY)
    tell(app, there, "b", OTHER_HEADLINE, FERRY_AGAIN, 3)
    stages(app)
    app.close()
    strict = settings(tmp_path / "n.db", event_probability=1.0, event_with_names=1.0)
    stricter = open_app(strict, now=lambda: NOW + 24 * HOUR)
    try:
        assert stages(stricter)["same event"].done == 2
        one = min(by_title(stricter).values())
        assert stricter.store.duplicates.cluster(one) == (one,)
        assert stricter.store.duplicates.links([one]) == ()
    finally:
        stricter.close()
