"""Articles that change what they are: guids, edits, feeds that empty, move into one another."""

from __future__ import annotations

from datetime import timedelta

from newsloom_lab.politeness.case import Case, Stage, not_applicable, require
from newsloom_lab.politeness.feeds import HTML, Item, page
from newsloom_lab.politeness.publisher import Answer

STEP = timedelta(hours=2)
MOST_REVISIONS = 24


def f12(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", 0)
    first = feed.items[0]
    feed.items.append(Item(first.guid, first.title, first.link, first.text, first.date))
    other = stage.feed("/other.xml", 1)
    other.items = [
        Item(
            first.guid,
            "A different report about rivers",
            f"{other.url}/rivers",
            "Rivers rise in the valley after a week of rain.",
            first.date,
        )
    ]
    stage.follow(feed, other)
    titles = stage.titles()
    require(titles.count(first.title) == 1, "an article given twice is shown twice", feed.requests)
    require(
        "A different report about rivers" in titles,
        "an article is hidden by another feed's guid",
        other.requests,
    )
    feed.items = [
        Item(one.guid.upper(), one.title, one.link, one.text, one.date) for one in feed.items
    ]
    feed.touch("case")
    stage.next_request(feed)
    now = stage.titles()
    require(sorted(now) == sorted(titles), "guids in other letters doubled articles", feed.requests)
    return (
        "given twice shown once; the same guid elsewhere is another article; letters do not matter"
    )


def f13(stage: Stage) -> str:
    polls = 100 if stage.reader.quick else 8
    feed = stage.feed("/feed.xml", articles=200)
    stage.follow(feed)
    count = len(stage.titles())
    for number in range(polls):
        feed.items = [
            Item(f"changed-{number}-{place}", one.title, one.link, one.text, one.date)
            for place, one in enumerate(feed.items)
        ]
        feed.touch(f"round-{number}")
        stage.next_request(feed, hours=50)
    now = len(stage.titles())
    require(now <= count, f"{polls} polls with new guids: {now} articles of {count}", feed.requests)
    if "told" in stage.reader.capabilities:
        feed_shown = next(one for one in stage.reader.feeds() if one.url == feed.url)
        require(feed_shown.problem, "the feed whose guids always change is not reported")
        return f"{polls} polls with new guids: {now} articles; told: {feed_shown.problem}"
    return f"{polls} polls with new guids: {now} articles"


def f14(stage: Stage) -> str:
    polls = 60 if stage.reader.quick else 8
    feed = stage.feed("/feed.xml", articles=20)
    stage.follow(feed)
    count = len(stage.titles())
    for number in range(polls):
        feed.items = [
            Item(
                one.guid,
                one.title,
                one.link,
                f"{one.text.split('#')[0]}# Edit {number} of it, "
                f"with {number * 7919} words more to say.",
                one.date,
            )
            for one in feed.items
        ]
        feed.touch(f"round-{number}")
        stage.next_request(feed, hours=50)
    now = len(stage.titles())
    require(now == count, f"{polls} edits of {count} articles: {now} are shown", feed.requests)
    if "revisions" in stage.reader.capabilities:
        most = stage.reader.revisions()
        require(most <= MOST_REVISIONS, f"{most} earlier versions of one article are kept")
        return f"{polls} edits of {count} articles: still {now}, {most} earlier versions at most"
    return f"{polls} edits of {count} articles: still {now}"


def f15(stage: Stage) -> str:
    feed = stage.feed("/feed.xml")
    stage.follow(feed)
    if "marks" in stage.reader.capabilities:
        stage.reader.mark_all_read()
    before = sorted((one.title, one.unread) for one in stage.reader.articles())
    kept, feed.items = feed.items, []
    feed.touch("emptied")
    stage.next_request(feed)
    now = sorted((one.title, one.unread) for one in stage.reader.articles())
    require(now == before, "articles went when the feed emptied", feed.requests)
    feed.items = kept
    feed.touch("refilled")
    stage.next_request(feed, hours=50)
    now = sorted((one.title, one.unread) for one in stage.reader.articles())
    require(now == before, "articles that came back are new again", feed.requests)
    return "emptied and refilled: nothing went, nothing was told of twice"


def f26(stage: Stage) -> str:
    form = "<form action='/login'><input name='user'><input type='password'></form>"
    pages = {
        "a login page": (page("Sign in", form), (HTML,)),
        "a captive portal": (
            page("Welcome to Hotel WiFi", "<a href='/accept'>Accept</a>"),
            (HTML,),
        ),
        "a check of the browser": (
            page("Just a moment...", "<script>window._cf_chl_opt={}</script>"),
            (HTML,),
        ),
        "a page that says it is RSS": (
            page("Sign in", form),
            (("Content-Type", "application/rss+xml"),),
        ),
        "nothing": (b"", (HTML,)),
    }
    feeds = []
    for host, (name, (body, headers)) in enumerate(pages.items()):
        feed = stage.feed(f"/f{host}.xml", host)
        feeds.append((name, feed, Answer(body, 200, (*headers, ("ETag", '"of-the-page"')))))
    stage.follow(*(feed for _, feed, _ in feeds))
    before = sorted(stage.titles())
    for _, feed, answer in feeds:
        feed.answer = lambda _asked, answer=answer: answer  # type: ignore[misc]
    stage.advance(hours=30, step=STEP)
    require(sorted(stage.titles()) == before, "a page changed what is shown")
    for name, feed, _ in feeds:
        require(len(feed.requests) > 1, f"{name}: it did not ask again", feed.requests)
        feed.answer = lambda _asked: None
        feed.news(f"Behind {name}")
        seen = stage.next_request(feed, hours=60)
        text = seen.header("If-None-Match")
        require(text != '"of-the-page"', f"{name}: its validator was kept", feed.requests)
    shown = stage.titles()
    for name, feed, _ in feeds:
        require(f"Behind {name}" in shown, f"{name}: the feed never came back", feed.requests)
    return f"{len(pages)} pages in place of feeds changed nothing"


def f27(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", articles=12)
    feed.site = "http://gardening.example"
    feed.items = [
        Item(
            one.guid,
            f"Garden note {place}: tomatoes in the greenhouse",
            f"http://gardening.example/{place}",
            f"Water the tomatoes, note {place}.",
            one.date,
        )
        for place, one in enumerate(feed.items)
    ]
    stage.follow(feed)
    for number in range(6):
        feed.news(f"Garden news {number}: pruning roses", text="Prune the roses in autumn.")
        stage.next_request(feed, hours=50)
    before = stage.titles()
    feed.title, feed.site, feed.language = "Bestes Casino", "http://casino.example", "de"
    feed.items = [
        Item(
            f"casino-{number}",
            f"Jackpot Bonus {number} jetzt im Casino gewinnen",
            f"http://casino.example/bonus/{number}",
            "Jetzt spielen und gewinnen.",
        )
        for number in range(12)
    ]
    feed.touch("taken-over")
    seen = stage.next_request(feed, hours=50)
    shown = [one for one in stage.titles() if "Casino" in one]
    require(not shown, f"{len(shown)} articles of the new owner are shown as the feed's", [seen])
    require(sorted(stage.titles()) == sorted(before), "articles of before went", [seen])
    if "quarantine" not in stage.reader.capabilities:
        return "nothing of the new owner is shown"
    feed_shown = next(one for one in stage.reader.feeds() if one.url == feed.url)
    require(feed_shown.problem, "the reader is not asked about it", [seen])
    stage.reader.release(feed.url)
    shown = [one for one in stage.titles() if "Casino" in one]
    require(len(shown) == 12, f"let in, {len(shown)} of 12 articles are there", [seen])
    return f"held back until the reader says so: {feed_shown.problem}"


def f28(stage: Stage) -> str:
    one, other = stage.feed("/one.xml", 0), stage.feed("/other.xml", 1)
    one.items = list(other.items)
    stage.follow(one, other)
    count = len({*stage.titles()})  # each feed has them while it is followed
    one.answer = lambda _asked: Answer(b"", 301, (("Location", other.url),))
    stage.advance(days=7, step=timedelta(hours=1))
    mark = stage.publisher.mark
    stage.advance(days=2, step=timedelta(hours=1))
    again = one.requests_since(mark)
    require(not again, "after a week the address that moved is still asked", again)
    other.news("News for both")
    stage.next_request(other, hours=50)
    titles = stage.titles()
    require(titles.count("News for both") == 1, "news came twice, or not", other.requests)
    require(len(titles) == count + 1, f"{len(titles)} articles of {count + 1}", other.requests)
    if "told" in stage.reader.capabilities:
        following = [feed.url for feed in stage.reader.feeds()]
        require(following == [other.url], f"it follows {', '.join(following)}")
    else:
        not_applicable("what it follows cannot be read here")
    return "two feeds became one, with every article once"


CASES = (
    Case("F12", "Guids given twice, by two feeds, in other letters", "Newsloom", f12, hosts=2),
    Case("F13", "Guids that change with every poll", "Newsloom", f13, slow=True),
    Case(
        "F14",
        "All articles edited with every poll",
        "lemon24/reader's HASH_CHANGED_LIMIT",
        f14,
        slow=True,
    ),
    Case("F15", "A feed empties and refills", "Newsloom", f15),
    Case("F26", "Login pages, captive portals, browser checks as 200", "Newsloom", f26, hosts=5),
    Case("F27", "A domain changes hands", "Newsloom", f27),
    Case("F28", "A feed redirects to another that is followed too", "Newsloom", f28, hosts=2),
)
