"""Search: finds exactly what is asked for, in order and page by page; takes whatever is typed."""

from __future__ import annotations

import math
from contextlib import closing
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from newsloom.duplicates.values import Relation
from newsloom.kernel.db.phrases import Words
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.values.models import PlainText, Score
from newsloom.reading.search_language import parse
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from newsloom.reading.values.searching import (
    Compared,
    Dated,
    Flag,
    Flagged,
    InLanguage,
    Named,
    NameOf,
    OfStory,
    Scored,
    SearchOrder,
    SearchQuery,
    Term,
)
from quick import quick_folder

from .builders import HALF_LIVES, HOUR, NOW, TEXT, add, article, new, publish, relate, revised
from .searching import NEWEST, SCORE, ids, search
from .test_clusters import tell

DAY = 24 * HOUR


@pytest.fixture
def texts(store, reader, feed):
    """Articles by name, with these texts."""
    written = {
        "cars": ("Electric cars", "Batteries for every car"),
        "trains": ("Night trains", "Electric trains cross Österreich by night"),
        "cats": ("Cats", "They sleep. " + "They sleep more. " * 400 + "xylophone"),
    }
    made = dict(zip(written, add(store, feed, *written), strict=True))
    store.articles.put_texts(TEXT, [PlainText(made[name], *text) for name, text in written.items()])
    return made


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("electric", ["cars", "trains"]),
        ("electric cars", ["cars"]),
        ("cars electric", ["cars"]),
        ("ELECTRIC", ["cars", "trains"]),
        ("elec", ["cars", "trains"]),
        ("elec ", []),
        ("el", []),
        ("osterreich", ["trains"]),
        ("xylophone", ["cats"]),
        ("dogs", []),
        ("electric dogs", []),
        ("", []),
        ("   ", []),
        ("-", []),
        ("electric -", ["cars", "trains"]),
        ('"', []),
        ("cars OR cats ", ["cars", "cats"]),
        ("dogs OR cats ", ["cats"]),
        ("NOT cats ", ["trains", "cars"]),
        ("-cats", ["trains", "cars"]),
        ("electric -cars", ["trains"]),
        ("electric -dogs", ["cars", "trains"]),
        ('"electric trains"', ["trains"]),
        ('"trains electric"', []),
        ('-"electric trains"', ["cats", "cars"]),
        ("title:electric", ["cars"]),
        ("title:cats", ["cats"]),
        ("-title:electric electric", ["trains"]),
        ("title:batteries", []),
        ('title:"night trains"', ["trains"]),
        ("title:night by", ["trains"]),
        ("title:night* by ", ["trains"]),
        ("electric*", ["cars", "trains"]),
        ("night-trains", ["trains"]),
        ("electric AND cars", ["cars"]),
        ("NEAR(electric cars)", []),
        ("{title} : cats", []),
        ("a\0b", []),
        ("is:unread", ["cats", "trains", "cars"]),
        ("is:read", []),
        ("is:read OR cats ", ["cats"]),
        ("is:read is:unread", []),
        ("electric is:unread", ["cars", "trains"]),
        ("electric -is:unread", []),
        ("electric OR is:unread", ["cats", "trains", "cars"]),
    ],
    ids=ascii,
)
def test_what_is_asked_for_is_found(store, reader, texts, typed, found):
    assert ids(search(store, reader, typed)) == [texts[name] for name in found]


def test_title_comes_before_text(store, reader, texts):
    assert search(store, reader, "electric", limit=1).rows[0].id == texts["cars"]


def test_search_is_bounded_to_the_readers_articles(store, texts):
    other = store.users.user("other", NOW)
    for typed in ("electric", "is:unread", "-cats", "since:1d"):
        assert search(store, other, typed).rows == ()


def test_a_revised_text_is_found_by_its_new_words_only(store, reader, feed, texts):
    publish(store, feed, revised(article(feed, "cars", title="Bicycles"), texts["cars"]))
    assert search(store, reader, "batteries").rows  # until the text is read again
    store.articles.put_texts(TEXT, [PlainText(texts["cars"], "Bicycles", "Two wheels")])
    assert search(store, reader, "batteries").rows == ()
    assert ids(search(store, reader, "wheels")) == [texts["cars"]]


PIECES = """
    " - ( ) : * OR AND NOT NEAR {title} ^ + ' ; title: is:starred is:read since: 7d 0001-01-01
    9999-12-31 score: score:>60 score:<0 score:100 lang:de feed: 1 % _ author: [ ] category: source:
    story: story:1 electric trains 日本 $1 :x
"""
pieces = st.sampled_from([*PIECES.split(), " ", "e\u0301", "\ud800", "\0"])


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    typed=st.text(max_size=40)
    | st.text(alphabet="\"*()-+^:{}ANDORNOTNEAR \t'", max_size=30)
    | st.lists(pieces, max_size=12).map("".join)
    | st.lists(pieces, max_size=12).map(" ".join),
    order=st.sampled_from(SearchOrder),
)
def test_any_input_is_safe(store, reader, texts, typed, order):
    try:
        query = parse(typed)
    except UserError:
        return
    found = store.lists.search(reader, query, order, 5, NOW, HALF_LIVES)
    assert {*ids(found)} <= {*texts.values()}
    assert found.count >= len(found.rows)


# --- against a search by hand ---

WORDS = ("alder", "birch", "cedar", "alderman")
AUTHORS = ("", "Jo Müller", "Ann Lee")
FEEDS = {"north": "News", "south": "News", "tech wire": "Science"}
AGES = (timedelta(0), HOUR, 3 * DAY, 40 * DAY)


@pytest.fixture(scope="module")
def shelf(backend):
    """Sixty articles of every sort, and what is known of each; some share rows."""
    with quick_folder() as folder, closing(backend.open(folder / "search.db")) as store:
        reader = store.users.user("reader", NOW)
        known = {}
        for place, (name, category) in enumerate(FEEDS.items()):
            url = f"https://{name.replace(' ', '-')}.test/feed"
            feed, _new = store.reading.subscribe(
                reader, url, NOW, title=name.title(), category=category
            )
            for number in range(20):
                seed = number * 3 + place
                made = {
                    "title": " ".join(WORDS[seed % 4 :: 2]) or "nothing",
                    "text": " ".join(WORDS[seed % 3 : seed % 5]) or "nothing",
                    "author": AUTHORS[seed % 3],
                    "source": f"site-{seed % 2}.test",
                    "language": ("", "de", "en")[seed % 3],
                    "dated": NOW - AGES[seed % 4],
                    "feed": feed,
                    "name": name,
                    "category": category,
                    "relevance": float(seed * 37 % 101),
                    "length": seed * 7 % 13,
                }
                parsed = article(
                    feed,
                    f"{name} {number}",
                    content="x" * made["length"] or "y",
                    url=f"https://{made['source']}/{seed}",
                    dated=made["dated"],
                    author=made["author"],
                    language=made["language"],
                )
                publish(store, feed, new(parsed))
                (one,) = known_ids(store, known)
                known[one] = made
        store.articles.put_texts(
            TEXT, [PlainText(one, m["title"], m["text"]) for one, m in known.items()]
        )
        scores = [Score(one, made["relevance"], 3) for one, made in known.items()]
        store.articles.put_scores(reader, "made", scores, HALF_LIVES)
        for kind, step in (
            (EventKind.READ, 3),
            (EventKind.STAR, 7),
            (EventKind.LIKE, 11),
            (EventKind.DISLIKE, 13),
        ):
            store.reading.mark(reader, [one for one in known if one % step == 0], kind, NOW, "test")
        relate(store, Relation.SAME_EVENT, (1, 20), (20, 41), (5, 6), (30, 31))
        for row in store.lists.page(reader, ListQuery(**ALL), NOW, HALF_LIVES):
            known[row.id] |= {"state": row.state, "score": row.score, "length": row.excerpt}
        with store.database.read() as connection:
            rows = connection.exec_driver_sql("SELECT id, length, source FROM articles").all()
            lengths = {row.id: (row.length, row.source) for row in rows}
            grouped = connection.exec_driver_sql("SELECT * FROM clusters").mappings().all()
        names = {row["article_id"]: row["cluster_id"] for row in grouped}
        told = {one: one % 9 + 1 for one in known if one % 2}
        tell(store, told)
        for one, made in known.items():
            made["length"], made["source"] = lengths[one]
            made["row"] = names.get(one, one)
            made["story"] = told.get(one)
        yield store, reader, known


ALL = {"unread_only": False, "limit": 1_000, "rows": Rows.ARTICLE, "order": Order.NEWEST}


def known_ids(store, known):
    with store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT id FROM articles").all()
    return [ArticleId(row.id) for row in rows if row.id not in known]


conditions = st.one_of(
    st.builds(
        Words,
        st.sampled_from([*WORDS, "alder birch", "birch alderman", "ald", "zebra"]),
        in_title=st.booleans(),
        prefix=st.booleans(),
    ),
    st.builds(
        Named,
        st.sampled_from(NameOf),
        st.sampled_from(["müller", "MULLER", "lee", "north", "tech", "2", "site-1", "news", "?"]),
    ),
    st.builds(Flagged, st.sampled_from(Flag)),
    st.builds(Dated, st.booleans(), st.sampled_from([NOW - age for age in AGES])),
    st.builds(Scored, st.sampled_from(Compared), st.floats(1, 99)),
    st.builds(InLanguage, st.sampled_from(["", "de", "en", "fr"])),
    st.builds(OfStory, st.sampled_from([1, 2, 3, 99])),
)
terms = st.builds(Term, conditions, st.booleans())
queries = st.lists(st.lists(terms, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(
    lambda clauses: SearchQuery(tuple(clauses))
)


def says(condition, made):
    """Whether a condition holds for an article, by its meaning."""
    match condition:
        case Words(text, in_title, prefix):
            wanted = text.split()
            places = [made["title"]] if in_title else [made["title"], made["text"]]
            return any(has(place.split(), wanted, prefix) for place in places)
        case Named(of, name):
            plain = name.casefold().replace("ü", "u")
            known = {
                NameOf.AUTHOR: [made["author"]],
                NameOf.SOURCE: [made["source"]],
                NameOf.CATEGORY: [made["category"]],
                NameOf.FEED: [made["name"], f"https://{made['name'].replace(' ', '-')}.test/feed"],
            }[of]
            if of is NameOf.FEED and name == "2":
                return made["feed"] == 2
            return any(plain in one.casefold().replace("ü", "u") for one in known if one)
        case Flagged(flag):
            state = made["state"]
            return {
                Flag.STARRED: state.starred,
                Flag.READ: state.read,
                Flag.UNREAD: not state.read,
                Flag.LIKED: state.rating > 0,
                Flag.DISLIKED: state.rating < 0,
                Flag.LATER: state.later,
            }[flag]
        case Dated(since, when):
            return made["dated"] >= when if since else made["dated"] < when
        case Scored(compared, score):
            if math.isclose(made["score"], score, rel_tol=1e-8):
                return compared in {Compared.AT_LEAST, Compared.AT_MOST}
            far = made["score"] > score
            return far if compared in {Compared.ABOVE, Compared.AT_LEAST} else not far
        case InLanguage(code):
            return made["language"] == code
        case OfStory(number):
            return made["story"] == number


def has(words, wanted, prefix):
    for at in range(len(words) - len(wanted) + 1):
        there = words[at : at + len(wanted)]
        last = there[-1].startswith(wanted[-1]) if prefix else there[-1] == wanted[-1]
        if there[:-1] == wanted[:-1] and last:
            return True
    return False


@pytest.mark.parametrize("compared", Compared)
def test_a_score_at_the_bound_is_equal_to_it(shelf, compared):
    store, reader, known = shelf
    whole = sorted({made["score"] for made in known.values() if made["score"].is_integer()})
    assert len(whole) > 5
    for score in whole:
        query = SearchQuery(((Term(Scored(compared, score)),),), ())
        found = store.lists.search(reader, query, NEWEST, 1_000, NOW, HALF_LIVES, rows=Rows.ARTICLE)
        expected = {one for one, made in known.items() if says(Scored(compared, score), made)}
        assert {*ids(found)} == expected


@settings(max_examples=60)
@given(query=queries, order=st.sampled_from(SearchOrder), size=st.integers(5, 25))
def test_what_is_found_is_what_a_look_at_every_article_finds(shelf, query, order, size):
    store, reader, known = shelf
    expected = {
        one
        for one, made in known.items()
        if all(
            any(says(term.condition, made) is not term.negated for term in clause)
            for clause in query.clauses
        )
    }

    def page(rows, **options):
        return store.lists.search(
            reader, query, order, options.pop("limit", 1_000), NOW, HALF_LIVES, rows=rows, **options
        )

    alone = page(Rows.ARTICLE)
    assert {*ids(alone)} == expected
    assert (alone.count, alone.more, alone.after) == (len(expected), False, None)
    together = page(Rows.CLUSTER)
    of_rows = {}
    for one in sorted(expected, key=lambda one: (-known[one]["length"], known[one]["dated"], one)):
        of_rows.setdefault(known[one]["row"], one)
    assert sorted(ids(together)) == sorted(of_rows.values())
    assert together.count == len(of_rows)
    if together.order is NEWEST:
        shown = [
            max(known[o]["dated"] for o in expected if known[o]["row"] == known[one]["row"])
            for one in ids(together)
        ]
        assert shown == sorted(shown, reverse=True)
    if order is SCORE:
        scores = [one.score for one in together.rows]
        assert all(one >= other * (1 - 1e-9) for one, other in pairwise(scores))

    by_story = page(Rows.STORY)
    whole = [(known[one]["story"], one) for one in ids(alone)]
    leading = {story: one for story, one in reversed(whole) if story is not None}
    assert set(leading.values()) <= {*ids(by_story)}, "the first of each story that is found leads"
    others = [one for one in ids(by_story) if known[one]["story"] is None]
    assert len(others) == len({known[one]["row"] for story, one in whole if story is None})
    assert by_story.count == len(by_story.rows) == len(leading) + len(others)

    for rows, whole in (
        (Rows.ARTICLE, alone),
        (Rows.CLUSTER, together),
        (Rows.STORY, by_story),
    ):
        found, after = [], None
        for _page in range(100):
            one = page(rows, limit=size, after=after)
            found += ids(one)
            assert one.count == whole.count
            if (after := one.after) is None:
                break
        assert found == ids(whole)


# --- from page to page ---


def test_pages_go_on_when_new_articles_come_and_shown_ones_are_read(store, reader, feed):
    made = add(store, feed, *(f"{number}" for number in range(30)))
    plain_texts = [PlainText(one, "oak " * (one % 4 + 1), "leaf") for one in made]
    store.articles.put_texts(TEXT, plain_texts)
    for order in SearchOrder:
        whole = ids(search(store, reader, "oak is:unread", order, 100))
        first = search(store, reader, "oak is:unread", order, 12)
        store.reading.mark(reader, ids(first)[:5], EventKind.READ, NOW, "test")
        (late,) = add(store, feed, f"late {order}", dated=NOW)
        store.articles.put_texts(TEXT, [PlainText(late, "oak", "new")])
        second = search(store, reader, "oak is:unread", order, 100, after=first.after)
        assert [one for one in ids(second) if one != late] == whole[12:]
        store.reading.undo(reader, NOW, "test")
        store.reading.mark(reader, [late], EventKind.READ, NOW, "test")


@pytest.mark.parametrize(
    ("typed", "index"),
    [
        ("oak", "texts_search VIRTUAL TABLE"),
        ("author:lee", "SCAN articles USING COVERING INDEX ix_articles_author"),
        ("source:test", "SCAN articles USING COVERING INDEX ix_articles_source"),
        ("oak author:lee", "COVERING INDEX ix_articles_author (author=?)"),
        ("oak source:test", "COVERING INDEX ix_articles_source (source=?)"),
        ("feed:north", "COVERING INDEX ix_articles_feed_id_dated_at_original_id (feed_id=?)"),
        ("story:1", "COVERING INDEX ix_story_members_story_id_dated_at_article_id (story_id=?)"),
        ("since:1d", "COVERING INDEX ix_states_newest (user_id=? AND read=? AND dated_at>?)"),
        ("score:>60", "COVERING INDEX ix_states_unread"),
    ],
)
def test_no_search_goes_through_the_articles_themselves(sqlite, store, reader, feed, typed, index):
    """Their texts fill most of the file."""
    add(store, feed, "one", author="Ann Lee")
    asked = []

    def remember(_connection, _cursor, statement, values, *_more):
        asked.append((statement, values))

    engine = store.database._engine
    event.listen(engine, "before_cursor_execute", remember)
    store.lists.search(reader, parse(typed), NEWEST, 0, NOW, HALF_LIVES)
    event.remove(engine, "before_cursor_execute", remember)
    with store.database.read() as connection:
        raw = connection.connection.driver_connection
        steps = [
            step[3]
            for statement, values in asked
            if "SELECT" in statement
            for step in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert [step for step in steps if index in step], steps
    assert not [step for step in steps if step in {"SCAN articles", "SCAN a"}]
