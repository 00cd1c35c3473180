"""Accounts in the store: names, sessions, invitations, the throttle, and leaving."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from newsloom.accounts import lifetimes, throttle
from newsloom.accounts.store.persons import KEPT_BACK, of_person
from newsloom.accounts.store.tables import users
from newsloom.accounts.values import Role, SignInOutcome, SignInWay
from newsloom.kernel.ids import UserId
from newsloom.reading.values.reading import EventKind
from newsloom.store.tables import metadata

from .builders import NOW, add
from .calls.made import BRIEF_SCHEDULE, REMOTE, SCHEDULE

DAY = timedelta(days=1)


@pytest.fixture
def anna(store, reader):
    user = store.accounts.add_first_account("anna", "hash", NOW, reader)
    return store.accounts.account_of(user)


def test_the_first_account_is_of_who_read_before(store, reader) -> None:
    assert not store.accounts.any_account()
    assert store.accounts.add_first_account("anna", "hash", NOW, reader) == reader
    assert store.accounts.account_named("anna").role is Role.ADMIN
    assert store.accounts.add_first_account("eve", "hash", NOW, reader) is None
    assert store.accounts.any_account()


def test_a_name_is_of_one_account_and_of_one_user(store, anna) -> None:
    bob = store.accounts.add_account("bob", Role.READER, "hash", NOW)
    assert bob not in {None, anna.user}
    assert store.accounts.add_account("bob", Role.READER, "hash", NOW) is None
    assert store.accounts.add_account("anna", Role.READER, "hash", NOW) is None
    assert store.accounts.add_account("other", Role.READER, "hash", NOW, anna.user) is None
    assert [one.name for one in store.accounts.accounts()] == ["anna", "bob"]
    assert "hash" not in repr(anna)


def test_the_last_administrator_stays(store, anna) -> None:
    assert not store.accounts.set_role(anna.user, Role.READER)
    assert not store.accounts.remove_person(anna.user)
    bob = store.accounts.add_account("bob", Role.ADMIN, "hash", NOW)
    assert store.accounts.set_role(anna.user, Role.READER)
    assert not store.accounts.remove_person(bob)
    assert store.accounts.remove_person(anna.user)


def test_a_session_counts_until_it_is_over(store, anna) -> None:
    accounts = store.accounts
    accounts.open_session(anna.user, "one", NOW, "::1", "x" * 999)
    found = accounts.session("one", NOW)
    assert (found.user, found.name, len(found.agent)) == (anna.user, "anna", 200)
    assert accounts.session("two", NOW) is None
    later = NOW + lifetimes.SESSION_IDLE + DAY
    assert accounts.session("one", later) is None
    assert accounts.sessions_of(anna.user, later) == ()
    accounts.session_seen(found.id, NOW + 20 * DAY)
    assert accounts.session("one", later) is not None
    assert accounts.session("one", NOW + lifetimes.SESSION_LONGEST) is None


def test_a_session_takes_the_place_of_the_one_before(store, anna) -> None:
    store.accounts.open_session(anna.user, "one", NOW, "", "")
    store.accounts.open_session(anna.user, "two", NOW, "", "", "one")
    assert store.accounts.session("one", NOW) is None
    assert store.accounts.session("two", NOW) is not None


def test_sessions_end_one_by_one_all_others_and_with_the_password(store, anna) -> None:
    accounts = store.accounts
    bob = accounts.add_account("bob", Role.READER, "", NOW)
    for digest in ("one", "two", "three"):
        accounts.open_session(anna.user, digest, NOW, "", "")
    accounts.open_session(bob, "bobs", NOW, "", "")
    one, two = accounts.session("one", NOW), accounts.session("two", NOW)
    assert not accounts.end_session(bob, one.id)
    assert accounts.end_session(anna.user, one.id)
    assert accounts.end_sessions(anna.user, two.id) == 1
    accounts.set_password(anna.user, "new")
    assert accounts.session("two", NOW) is None
    assert accounts.session("bobs", NOW) is not None


def test_an_app_password_is_found_by_either_digest(store, anna) -> None:
    accounts = store.accounts
    made = accounts.add_app_password(anna, "phone", "token", "fever", NOW)
    assert accounts.app_password_user("token") == (anna.user, made)
    assert accounts.app_password_user("fever") == (anna.user, made)
    assert accounts.app_password_user("") is None
    assert accounts.add_app_password(anna, "phone", "other", "others", NOW) is None
    bob = accounts.add_account("bob", Role.READER, "", NOW)
    assert not accounts.revoke_app_password(bob, made)
    assert accounts.revoke_app_password(anna.user, made)
    assert accounts.app_password_user("token") is None


def test_the_use_of_an_app_password_is_kept_roughly(store, anna) -> None:
    accounts = store.accounts
    made = accounts.add_app_password(anna, "phone", "token", "fever", NOW)
    for minutes in (0, 5, 14):
        accounts.app_password_used(made, NOW + timedelta(minutes=minutes))
        assert accounts.app_passwords(anna.user)[0].used_at == NOW
    accounts.app_password_used(made, NOW + lifetimes.COARSE)
    assert accounts.app_passwords(anna.user)[0].used_at == NOW + lifetimes.COARSE


def test_an_invitation_makes_one_account(store, anna) -> None:
    accounts = store.accounts
    accounts.invite("digest", Role.READER, anna.user, NOW, NOW + DAY)
    assert accounts.accept_invitation("digest", "anna", "", NOW) is None
    assert accounts.invited("digest", NOW)
    assert accounts.accept_invitation("digest", "bob", "", NOW + DAY) is None
    assert accounts.accept_invitation("digest", "bob", "", NOW) is not None
    assert not accounts.invited("digest", NOW)
    assert accounts.accept_invitation("digest", "eve", "", NOW) is None


@pytest.mark.each_sqlite
def test_attempts_at_once_do_not_slip_through(backend, lasting_path, store) -> None:
    """Two processes' worth of connections, twenty attempts each: as many as are free go on."""
    other = backend.open(lasting_path)
    counts = throttle.counts("anna", "203.0.113.9", known_there=False)
    came: list[timedelta] = []

    def guess(which) -> None:
        came.extend(which.accounts.take_attempt(counts, NOW) for _guess in range(20))

    guessing = [threading.Thread(target=guess, args=(one,)) for one in (store, other)]
    for one in guessing:
        one.start()
    for one in guessing:
        one.join()
    other.close()
    assert len(came) == 40
    assert came.count(timedelta()) == throttle.NAME.free


def test_a_success_forgives_the_name_and_of_the_network_one(store) -> None:
    accounts, pace = store.accounts, throttle.NETWORK
    for number in range(pace.free - 1):
        counts = throttle.counts(f"name{number}", "203.0.113.9", known_there=False)
        assert not accounts.take_attempt(counts, NOW)
    counts = throttle.counts("anna", "203.0.113.9", known_there=False)
    for _time in range(3):
        assert not accounts.take_attempt(counts, NOW)
        accounts.attempt_succeeded(counts)
    assert not accounts.take_attempt(counts, NOW)
    assert accounts.take_attempt(counts, NOW)


def test_the_audit_forgets(store, anna) -> None:
    accounts = store.accounts
    how = (SignInWay.PASSWORD, SignInOutcome.OK)
    accounts.record_sign_in(anna.user, "203.0.113.9", *how, NOW)
    accounts.record_sign_in(None, "::1", SignInWay.PASSWORD, SignInOutcome.WRONG, NOW + DAY)
    assert [one.name for one in accounts.sign_ins(9)] == ["", "anna"]
    assert len(accounts.sign_ins(9, anna.user)) == 1
    assert accounts.signed_in_from(anna.user, "203.0.113.200")
    assert not accounts.signed_in_from(anna.user, "203.0.114.9")
    accounts.record_sign_in(anna.user, "", *how, NOW + lifetimes.AUDIT + timedelta(hours=1))
    assert len(accounts.sign_ins(9)) == 2


def test_every_table_that_names_a_user_is_covered() -> None:
    covered = {table.name for table, _mine in of_person()}
    for table in metadata.tables.values():
        named = any(key.column.table is users for key in table.foreign_keys)
        if named or "user" in " ".join(table.columns.keys()):
            assert table.name in covered, table.name
        hangs = any(key.column.table.name in covered - {"users"} for key in table.foreign_keys)
        assert not hangs or table.name in covered, table.name


def test_no_export_has_a_column_that_opens_something() -> None:
    secret = ("token", "digest", "hash", "password", "secret", "payload")
    for table, _mine in of_person():
        for column in table.columns:
            if any(one in column.name for one in secret) and column.name != "digest_id":
                assert column.name in KEPT_BACK, column


def test_a_person_leaves_and_nobody_else_notices(store, reader) -> None:
    accounts = store.accounts
    accounts.add_first_account("anna", "hash", NOW, reader)
    bob = accounts.add_account("bob", Role.READER, "hash", NOW)
    for user in (reader, bob):
        feed, _new = store.reading.subscribe(user, "https://first.test/feed", NOW)
    first, second = add(store, feed, "a", "b")
    for user in (reader, bob):
        store.reading.mark(user, [first, second], EventKind.LIKE, NOW, "test")
        store.models.add_interest(user, "trains", NOW)
        store.digests.set_feed_token(user, "digests", f"token{user}", NOW)
        accounts.open_session(user, f"session{user}", NOW, "", "")
        account = accounts.account_of(user)
        accounts.add_app_password(account, "phone", f"app{user}", f"fever{user}", NOW)
        accounts.record_sign_in(user, "", SignInWay.PASSWORD, SignInOutcome.OK, NOW)
        accounts.invite(f"invitation{user}", Role.READER, user, NOW, NOW + DAY)
    kept = accounts.everything_of(reader)
    assert len(kept["events"]) == 2
    assert len(kept["subscriptions"]) == 1
    assert accounts.remove_person(bob)
    assert accounts.everything_of(reader) == kept
    assert not any(accounts.everything_of(bob).values())
    with store.database.read() as connection:
        for table, mine in of_person():
            assert connection.execute(select(table).where(mine), {"user": bob}).all() == []
    assert accounts.remove_person(UserId(10**6))


def test_an_account_goes_and_what_was_read_stays(store, reader) -> None:
    store.accounts.add_first_account("anna", "hash", NOW, reader)
    store.reading.subscribe(reader, "https://first.test/feed", NOW)
    store.accounts.close_account(reader)
    assert not store.accounts.any_account()
    assert len(store.lists.subscriptions(reader)) == 1


def test_who_is_present_comes_has_no_account_or_is_sent_ranked_articles(store, reader) -> None:
    ways = {
        "session": lambda user: store.accounts.open_session(user, "d", NOW, "::1", "b", ""),
        "app password": lambda user: store.accounts.app_password_used(
            store.accounts.add_app_password(
                store.accounts.account_of(user), "phone", "d2", "f", NOW - 9 * DAY
            ),
            NOW,
        ),
        "sign-in": lambda user: store.accounts.record_sign_in(
            user, "::1", SignInWay.PASSWORD, SignInOutcome.OK, NOW
        ),
        "digest": lambda user: store.digests.add_schedule(replace(SCHEDULE, user=user), []),
        "brief": lambda user: store.briefs.add_schedule(replace(BRIEF_SCHEDULE, user=user), []),
        "list": lambda user: store.users.set_list_token(
            user, store.users.save_list(user, "mine", "q=tide", NOW), "token"
        ),
        "nothing": lambda _user: None,
    }
    people = {}
    for way, come in ways.items():
        people[way] = store.accounts.add_account(way, Role.READER, "hash", NOW - 9 * DAY)
        come(people[way])
    bridged = store.bridges.bridge_account("test", REMOTE, NOW).user
    absent = people["nothing"]
    assert set(store.users.present(NOW)) == {reader, bridged, *people.values()} - {absent}
    assert absent in store.users.present(NOW - 10 * DAY), "an account that is new"
    assert set(store.users.present(NOW + DAY)) == {
        reader, bridged, people["digest"], people["brief"], people["list"],
    }  # fmt: skip
