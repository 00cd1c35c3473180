"""What programs send and what they are told, as pure functions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.db.columns import micros
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import ArticleState, Listed, Subscription
from newsloom.reading.values.syncing import StreamKind
from newsloom.sync.fever.questions import groups, items_query, marked
from newsloom.sync.fields import LARGEST, BadRequest, Fields, moment
from newsloom.sync.greader import tokens
from newsloom.sync.greader.items import item_id, long_id
from newsloom.sync.greader.stream_ids import Labels, stream_part
from newsloom.sync.request import shown_date
from newsloom.sync.texts import group_id

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@given(st.integers(1, 10**15 - 1))
def test_every_form_of_an_id_is_the_same_article(number: int):
    long = long_id(number)
    forms = (
        long,
        long.upper()
        .replace("TAG:GOOGLE.COM", "tag:google.com")
        .replace("READER/ITEM", "reader/item"),
        f"{number:016x}",
        str(number),
    )
    assert {item_id(one) for one in forms} == {number}


@given(st.text(max_size=60))
def test_any_text_is_an_id_or_is_refused(text: str):
    try:
        found = item_id(text)
    except BadRequest:
        return
    assert found is None or 0 < found <= LARGEST


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=40)), max_size=8))
def test_any_values_can_be_kept_or_are_refused(pairs: list[tuple[str, str]]):
    try:
        fields = Fields.of(pairs)
    except BadRequest:
        assert any("\0" in text for pair in pairs for text in pair)
        return
    for name, _value in pairs:
        for one in fields.all(name):
            one.encode()


@given(st.text(max_size=50))
def test_any_stream_is_one_or_is_refused(name: str):
    labels = Labels("Like", "Dislike", frozenset({"Sea"}))
    for stream in (name, f"feed/{name}", f"user/-/label/{name}", f"user/x/state/com.google/{name}"):
        try:
            stream_part(stream, labels, {"https://x.example/feed": FeedId(3)})
        except UserError:
            continue


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("feed/3", StreamKind.FEED),
        ("feed/https://x.example/feed", StreamKind.FEED),
        ("feed/4", StreamKind.NOTHING),  # somebody else's
        ("feed/https://y.example/", StreamKind.NOTHING),
        ("user/-/label/Sea", StreamKind.CATEGORY),
        ("user/1005/label/Sea", StreamKind.CATEGORY),
        ("user/-/label/sea", StreamKind.NOTHING),
        ("user/-/label/Like", StreamKind.LIKED),
        ("user/-/label/Dislike", StreamKind.DISLIKED),
        ("user/ann/state/com.google/like", StreamKind.LIKED),
    ],
)
def test_streams(stream: str, kind: StreamKind):
    labels = Labels("Like", "Dislike", frozenset({"Sea"}))
    assert stream_part(stream, labels, {"https://x.example/feed": FeedId(3)}).kind is kind


def test_times_by_their_size():
    at = NOW - timedelta(hours=1)
    for unit in (1, 10**3, 10**6, 10**9):
        assert moment(micros(at) * unit // 10**6, NOW) == at
    for largest in (2**31 - 1, 2**63 - 1, 10**18 * 9, micros(NOW) + 1):
        assert moment(largest, NOW) <= NOW
    assert moment(2**63 - 1, NOW) == NOW


@given(st.integers(0, LARGEST))
def test_no_time_is_to_come(value: int):
    assert moment(value, NOW) <= NOW


@given(st.text(min_size=1, max_size=64), st.text("abcdefghij234567", min_size=1, max_size=40))
def test_the_token_of_a_login_has_nothing_that_clients_cut_at(name: str, secret: str):
    who = tokens.Credentials(name.encode("utf-8", "replace").decode(), secret)
    assert not set("= \n\t;,") & set(who.auth)
    assert tokens.of_header(f"GoogleLogin auth={who.auth}") == who
    assert tokens.changes_allowed(f" {tokens.for_changes(who)}\n", who)
    assert tokens.changes_allowed("", who)
    assert tokens.changes_allowed("x", who)
    assert not tokens.changes_allowed("y", who)


def test_groups_are_positive_whole_numbers_and_never_the_same():
    names = [f"Category {number}" for number in range(2_000)]
    found = groups([_subscription(one) for one in names])
    assert sorted(found.values()) == sorted(names)
    assert all(0 < number < 2**31 for number in found)
    assert group_id("Sea") == group_id("Sea")


def _subscription(category: str) -> Subscription:
    return Subscription(FeedId(1), "https://x.example/", "X", category)


@given(
    st.dictionaries(
        st.sampled_from(["since_id", "max_id", "with_ids", "feed_ids", "group_ids"]),
        st.text(max_size=30),
    )
)
def test_any_question_of_fever_is_one_or_is_refused(values: dict[str, str]):
    try:
        query = items_query(Fields.of(values.items()), {5: "Sea"})
    except BadRequest:
        return
    assert query.limit == 50


@given(
    st.fixed_dictionaries(
        {}, optional={name: st.text(max_size=30) for name in ("mark", "as", "id", "before")}
    )
)
def test_any_mark_of_fever_is_one_or_is_refused(values: dict[str, str]):
    try:
        found = marked(Fields.of(values.items()), NOW)
    except BadRequest:
        return
    assert found is None or found.before <= NOW


@given(st.floats(0, 100), st.floats(0, 100))
def test_the_order_of_dates_is_that_of_scores(one: float, other: float):
    dates = [shown_date(_listed(score), NOW, ranked=True) for score in sorted((one, other))]
    assert dates[0] <= dates[1] <= NOW
    assert shown_date(_listed(one), NOW, ranked=False) == NOW - timedelta(days=3)


def test_a_score_that_halves_in_a_day_keeps_its_date():
    today = shown_date(_listed(80.0), NOW, ranked=True)
    assert shown_date(_listed(40.0), NOW + timedelta(days=1), ranked=True) == today


def _listed(score: float) -> Listed:
    return Listed(
        1,
        "T",
        "https://x.example/",
        "x.example",
        1,
        "X",
        NOW - timedelta(days=3),
        50.0,
        3,
        score,
        ArticleState(),
    )
