"""Stories in the store: memberships with their centroids, the audit, corrections, who follows."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from newsloom.stories.values.pages import (
    READER,
    CorrectionKind,
    Membership,
    OfferedStory,
    StoryAnswer,
    StoryAsk,
    StoryChanges,
    StoryChoice,
    StoryDecision,
    StoryId,
    StoryState,
)
from newsloom.work.values import StageKey

from .builders import HOUR, NOW, VECTORS, add, embed, read_texts

DAY = timedelta(days=1)
MAKER = "stories@test"
ONE, TWO, THREE = StoryId(1), StoryId(2), StoryId(3)


@pytest.fixture
def told(store, reader):
    """Five articles with vectors, three in a story and two in another."""
    feed, _ = store.reading.subscribe(reader, "https://one.test/feed", NOW)
    ids = add(store, feed, *"abcde")
    read_texts(store)
    embed(store)
    put(store, {ids[0]: ONE, ids[1]: ONE, ids[2]: ONE, ids[3]: TWO, ids[4]: TWO}, (ONE, TWO))
    return ids


def put(store, places, begun=(), **more):
    """Put articles into stories; nothing when others decided since `generation`."""
    generation = more.pop("generation", store.stories.story_generation())
    decisions, now = more.pop("decisions", None), more.pop("now", NOW)
    changes = StoryChanges(
        generation,
        tuple((one, NOW) for one in begun),
        tuple(Membership(article, story, 0.8) for article, story in places.items()),
        decisions=tuple(
            StoryDecision(NOW, StoryChoice.ASSIGN, story, article, reason="like it")
            for article, story in places.items()
        )
        if decisions is None
        else decisions,
        **more,
    )
    return store.stories.put_stories(MAKER, VECTORS, changes, now)


def centroid(store, story):
    """The size and the sum of a story's vectors, as they are kept."""
    from newsloom.kernel.db import producers
    from newsloom.stories.store.membership import centroids

    with store.database.read() as connection:
        found = centroids(connection, producers.known(connection, VECTORS), [story])
    return found.get(story)


def members(store, story):
    return set(store.stories.newest_members([story], 99).get(story, ()))


def summed(store, ids):
    vectors = store.articles.vectors(VECTORS, ids)
    return np.sum([vectors[one] for one in ids], axis=0)


def test_a_membership_and_the_centroid_are_one(store, told):
    for story, ids in ((ONE, told[:3]), (TWO, told[3:])):
        size, total = centroid(store, story)
        assert size == len(ids)
        assert np.allclose(total, summed(store, ids), atol=1e-5)
        assert store.stories.story(story).size == len(ids)


def test_what_leaves_is_taken_out_of_the_sum(store, told):
    put(store, {told[2]: TWO})
    assert centroid(store, ONE)[0] == 2
    assert np.allclose(centroid(store, ONE)[1], summed(store, told[:2]), atol=1e-5)
    assert np.allclose(centroid(store, TWO)[1], summed(store, told[2:]), atol=1e-5)
    put(store, {told[0]: TWO, told[1]: TWO})
    assert centroid(store, ONE) is None
    assert store.stories.story(ONE).size == 0


def test_nothing_is_kept_of_a_batch_that_others_overtook(store, told):
    before = store.stories.story_generation()
    put(store, {told[0]: TWO})
    put_after, generation = put(store, {told[1]: TWO}, generation=before)
    assert (put_after.stored, generation) == (0, 0)
    assert told[1] in members(store, ONE)


def test_who_holds_stories_learns_which_were_decided_on(store, told, reader):
    before = store.stories.story_generation()
    assert store.stories.stories_decided(before, 10) == ()
    store.stories.merge_stories(reader, TWO, ONE, NOW)
    assert store.stories.stories_decided(before, 10) == (ONE, TWO)
    assert store.stories.stories_decided(0, 3) is None, "more than were asked for"


def test_a_merge_takes_articles_and_followers_along(store, told, reader):
    store.stories.set_story_subscription(reader, TWO, 1)
    put(store, {}, merges=((TWO, ONE),), decisions=())
    assert members(store, ONE) == set(told)
    assert centroid(store, ONE)[0] == 5
    assert store.stories.story(TWO).id == ONE, "its number leads to the other"
    assert store.stories.story_subscriptions(reader)[ONE].stand == 1
    assert TWO not in store.stories.story_subscriptions(reader)


def moved(article, story, source):
    return StoryDecision(NOW, StoryChoice.MOVE, story, article, source)


def test_a_story_that_all_its_articles_left_goes_on_where_most_of_them_are(store, told, reader):
    store.stories.set_story_subscription(reader, ONE, 1)
    went = {told[0]: TWO, told[1]: THREE, told[2]: THREE}
    decisions = tuple(moved(article, story, ONE) for article, story in went.items())
    put(store, went, (THREE,), decisions=decisions)
    assert store.stories.story(ONE).id == THREE, "its number leads there"
    assert list(store.stories.story_subscriptions(reader)) == [THREE]
    assert ONE in {one.other for one in store.stories.story_decisions(story=THREE)}, (
        "the audit says so"
    )


def test_a_story_that_a_reader_corrected_is_not_closed(store, told, reader):
    new = store.stories.part_from_story(reader, ONE, [told[0]], CorrectionKind.NOT_IN, NOW)
    went = {told[1]: new, told[2]: new}
    decisions = tuple(moved(article, story, ONE) for article, story in went.items())
    put(store, went, decisions=decisions)
    assert store.stories.story(ONE).id == ONE


def test_an_article_whose_text_changed_is_pending_and_stays_where_it_is(store, told):
    from newsloom.stories.store.membership import judge_again

    key = StageKey("stories", MAKER, (VECTORS,))
    claimed = lambda: store.work.claim_work(key, limit=9, now=NOW, until=NOW + HOUR)  # noqa: E731
    assert claimed() is None
    with store.database.write() as connection:
        judge_again(connection, [told[1]])
    lease = claimed()
    assert lease.ids == (told[1],)
    _batch, (article,) = store.stories.leased_stories(lease)
    assert (article.id, article.story, article.pinned) == (told[1], ONE, False)


def test_what_a_reader_says_is_done_and_kept(store, told, reader):
    new = store.stories.part_from_story(reader, ONE, [told[0]], CorrectionKind.NOT_IN, NOW)
    assert new == THREE
    assert members(store, ONE) == set(told[1:3])
    apart = store.stories.apart()
    assert (told[0], ONE) in apart.articles
    assert told[0] in apart.pinned
    assert store.stories.put_into_story(reader, told[0], ONE, NOW)
    assert (told[0], ONE) not in store.stories.apart().articles, "the later word holds"
    kinds = [one.kind for one in store.stories.story_corrections(ONE)]
    assert kinds == [CorrectionKind.NOT_IN, CorrectionKind.BELONGS]


def test_split_stories_stay_two_until_the_reader_merges_them(store, told, reader):
    new = store.stories.part_from_story(reader, ONE, told[:2], CorrectionKind.SPLIT, NOW)
    assert store.stories.apart().parts(new, ONE)
    assert store.stories.merge_stories(reader, new, ONE, NOW)
    assert not store.stories.apart().parts(new, ONE)


def test_not_all_of_a_story_can_be_parted_from_it(store, told, reader):
    part = store.stories.part_from_story
    assert part(reader, ONE, told[:3], CorrectionKind.SPLIT, NOW) is None
    assert part(reader, ONE, [told[4]], CorrectionKind.SPLIT, NOW) is None
    assert store.stories.story_corrections(ONE) == ()
    assert not store.stories.merge_stories(reader, ONE, ONE, NOW)
    assert not store.stories.merge_stories(reader, StoryId(99), ONE, NOW)


def test_states_follow_the_last_article(store, told):
    def aged(days):
        now = NOW + timedelta(days=days)
        store.stories.age_stories(now, cooling=now - 3 * DAY, archived=now - 14 * DAY)
        return store.stories.story(ONE)

    assert aged(0).state is StoryState.ACTIVE
    assert aged(5).state is StoryState.COOLING
    archived = aged(20)
    assert (archived.state, archived.archived) == (StoryState.ARCHIVED, NOW + 20 * DAY)
    back = aged(1)
    assert (back.state, back.revived) == (StoryState.ACTIVE, NOW + DAY)


def test_the_audit_holds_what_there_was_to_choose(store, told):
    offered = (OfferedStory(TWO, "The other", 0.41, 0.5),)
    said = StoryDecision(
        NOW, StoryChoice.NEW, ONE, told[0], candidates=offered, reason="x" * 900, confidence=0.6
    )
    put(store, {}, decisions=(said,))
    (found,) = store.stories.story_decisions(article=told[0], limit=1)
    assert found.candidates == offered
    assert len(found.reason) == 500
    assert store.stories.story_decisions(story=ONE)[0] == found


def test_a_followed_story_is_scored_anew_and_a_muted_one_leaves_the_unread(store, told, reader):
    from .builders import rate, score

    rate(store)
    score(store, reader)
    assert score(store, reader) == 0, "all is scored"
    store.stories.set_story_subscription(reader, ONE, 1)
    assert store.stories.followed_articles(reader, told) == frozenset(told[:3])
    assert score(store, reader) == 3
    store.stories.set_story_subscription(reader, TWO, -1)
    assert all(one.read for one in store.stories.visible_members(reader, [TWO])[TWO])
    put(store, {told[0]: TWO})
    assert all(one.read for one in store.stories.visible_members(reader, [TWO])[TWO])


def test_members_are_named_as_their_feeds_are_and_what_is_passed_on_by_its_domain(store, reader):
    own, _ = store.reading.subscribe(reader, "https://one.test/feed", NOW, title="My paper")
    other, _ = store.reading.subscribe(reader, "https://two.test/feed", NOW)
    news = "https://news.google.com/rss/search?q=harbour"
    passing_on, _ = store.reading.subscribe(reader, news, NOW)
    mine = add(store, own, "a", url="https://one.test/a")
    theirs = add(store, other, "b", url="https://two.test/b")
    linked = add(store, other, "c", url="https://elsewhere.test/c")
    passed_on = add(store, passing_on, "d", url="https://paper.test/d")
    read_texts(store)
    embed(store)
    put(store, dict.fromkeys((*mine, *theirs, *linked, *passed_on), ONE), (ONE,))
    found = store.stories.visible_members(reader, [ONE])[ONE]
    assert {one.article: (one.source, one.publisher) for one in found} == {
        mine[0]: ("one.test", "My paper"),
        theirs[0]: ("two.test", f"Feed {other}"),
        linked[0]: ("two.test", f"Feed {other}"),
        passed_on[0]: ("paper.test", "paper.test"),
    }


def test_what_a_reader_follows_or_muted_and_what_is_new_of_it(store, told, reader):
    from datetime import datetime

    assert store.stories.stood_articles(reader, told) == {}
    store.stories.set_story_subscription(reader, ONE, 1)
    store.stories.set_story_subscription(reader, TWO, -1)
    assert store.stories.stood_articles(reader, told) == dict(
        zip(told, (1, 1, 1, -1, -1), strict=True)
    )
    since = store.stories.story_subscriptions(reader)[ONE].since
    assert isinstance(since, datetime)
    assert store.stories.followed_news(reader) == 0
    put(store, {told[3]: ONE}, now=since + HOUR)
    assert store.stories.followed_news(reader) == 1
    store.stories.set_story_subscription(reader, ONE, 1)
    assert store.stories.story_subscriptions(reader)[ONE].since == since, (
        "said again is not said anew"
    )
    store.stories.look_at_story(reader, ONE, since + 2 * HOUR)
    assert store.stories.followed_news(reader) == 0


def test_a_merge_hands_on_since_when(store, told, reader):
    store.stories.set_story_subscription(reader, TWO, 1)
    since = store.stories.story_subscriptions(reader)[TWO].since
    store.stories.look_at_story(reader, ONE, NOW)
    put(store, {}, merges=((TWO, ONE),), decisions=())
    kept = store.stories.story_subscriptions(reader)[ONE]
    assert (kept.stand, kept.since, kept.looked) == (1, since, NOW)


def ask(store, article, *offered, control=False):
    stories = tuple(OfferedStory(one, "title", 0.5, 0.5) for one in offered)
    put(store, {}, decisions=(), questions=(StoryAsk(article, stories, control=control),))


def answered(store, choice, story=None, *, taken=True, agreed=None):
    """Answer the first question there is."""
    from newsloom.stories.store.questions import put_answer, unanswered

    with store.database.write() as connection:
        question, *_ = unanswered(connection, "judge", since=NOW - DAY, limit=9)
        said = StoryAnswer(choice, story, "so it is", 0.9, "direct")
        return question, put_answer(
            connection, question, said, "judge", "story@2", NOW, taken=taken, agreed=agreed
        )


def test_an_answer_moves_its_article_and_is_in_the_audit(store, told):
    ask(store, told[2], ONE, TWO)
    question, kept = answered(store, StoryChoice.ASSIGN, TWO)
    assert kept
    assert question.story == ONE
    assert len(question.recent) == 2
    assert told[2] in members(store, TWO)
    last = store.stories.story_decisions(article=told[2], limit=1)[0]
    assert (last.judge, last.story, last.other, last.reason) == ("judge", TWO, ONE, "so it is")


def test_an_answer_that_is_not_taken_moves_nothing(store, told):
    ask(store, told[2], ONE, TWO, control=True)
    answered(store, StoryChoice.ASSIGN, TWO, taken=False, agreed=False)
    assert told[2] in members(store, ONE)


def test_a_story_that_was_left_meanwhile_is_not_offered(store, told):
    ask(store, told[2], ONE, TWO, THREE)
    put(store, {told[3]: ONE, told[4]: ONE})
    question, _kept = answered(store, StoryChoice.ASSIGN, ONE)
    assert [one.story for one in question.offered] == [ONE]


def test_no_answer_goes_before_a_reader(store, told, reader):
    ask(store, told[2], ONE, TWO)
    store.stories.put_into_story(reader, told[2], ONE, NOW)
    from newsloom.stories.store.questions import unanswered

    with store.database.read() as connection:
        assert unanswered(connection, "judge", since=NOW - DAY, limit=9) == []
    decided = store.stories.story_decisions(article=told[2], limit=1)[0]
    assert decided.judge == READER


def test_words_of_a_model_stand_until_the_story_is_worded_anew(store, told, reader):
    from newsloom.stories.store.questions import put_written, unwritten
    from newsloom.stories.values.pages import CheckedWords, StoryWording

    def asked():
        with store.database.read() as connection:
            return unwritten(connection, since=NOW - DAY, limit=9)

    def answered(question, *words):
        with store.database.write() as connection:
            return put_written(connection, question, CheckedWords(*words, "writer"))

    assert asked() == ()
    own = [StoryWording(one, "Title", "article", "Summary.", "article", 2) for one in (ONE, TWO)]
    store.stories.put_story_words(own)
    assert [one.story for one in asked()] == [ONE, TWO], "the larger first"
    store.stories.set_story_subscription(reader, TWO, 1)
    followed, other = asked()
    assert followed.story == TWO, "the followed first"
    assert {one.id for one in followed.articles} == set(told[3:])
    assert answered(followed, "Better", "")
    head = store.stories.story(TWO)
    assert (head.title, head.title_by, head.summary, head.summary_by) == (
        "Better", "writer", "Summary.", "article",
    )  # fmt: skip
    assert not answered(other, "", "")
    assert asked() == ()
    store.stories.put_story_words([StoryWording(ONE, "Newer", "article", "S.", "article", 3)])
    assert [one.story for one in asked()] == [ONE]
    assert not answered(other, "Late", "Late."), "it got other words since"
    assert store.stories.story(ONE).title == "Newer"


def test_centroids_are_counted_for_a_new_encoder(store, told):
    with store.database.write() as connection:
        from newsloom.stories.store.tables import story_centroids

        connection.execute(story_centroids.delete())
    assert store.stories.count_centroids(VECTORS, NOW - DAY, 9) == 2
    assert store.stories.count_centroids(VECTORS, NOW - DAY, 9) == 0
    assert centroid(store, ONE)[0] == 3


def test_who_looked_at_a_page_made_earlier_has_not_looked_less(store, told, reader):
    for at, looked in ((NOW, NOW), (NOW - HOUR, NOW), (NOW + HOUR, NOW + HOUR)):
        store.stories.look_at_story(reader, ONE, at)
        assert store.stories.story_subscriptions(reader)[ONE].looked == looked
    store.stories.set_story_subscription(reader, TWO, 1)
    store.stories.look_at_story(reader, TWO, NOW)
    assert store.stories.story_subscriptions(reader)[TWO].looked == NOW
