"""Requests of Google Reader's clients as their sources make them, one after the other, against a
served Newsloom; what the reader did is looked up in the store after each.

Each test is named by its client, and its docstring by the file that makes the requests.
"""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from urllib.parse import quote

from newsloom.reading.values.reading import EventKind

from .scene import LABEL, READ, READING_LIST, STARRED, Scene

DATABASES = ("sqlite", "postgres")

API = "/reader/api/0/"
FORM = {"content-type": "application/x-www-form-urlencoded"}
LONG = "tag:google.com,2005:reader/item/"


def raw(client, path: str, body: str, **headers: str):
    """A form exactly as a client writes it."""
    return client.post(path, content=body.encode(), headers=FORM | headers)


def login(scene: Scene, client, path: str = "/accounts/ClientLogin", extra: str = "") -> str:
    ann = scene.ann
    found = raw(client, path, f"Email={ann.name}&Passwd={ann.secret}{extra}")
    assert found.status_code == 200
    return dict(line.split("=") for line in found.text.split("\n") if line)["Auth"]


def test_netnewswire(scene: Scene):
    """Ranchero-Software/NetNewsWire, Modules/Account/.../ReaderAPI/ReaderAPICaller.swift"""
    ann, client = scene.ann, scene.client(root="/api/greader.php")
    auth = {"authorization": f"GoogleLogin auth={login(scene, client)}"}
    token = client.get(API + "token", headers=auth).text
    assert token == token.strip()

    # retrieveTags, retrieveSubscriptions: asked again with what the answers named.
    for path, name in (("tag/list", "tags"), ("subscription/list", "subscriptions")):
        first = client.get(f"{API}{path}?output=json", headers=auth)
        assert first.json()[name]
        again = client.get(
            f"{API}{path}?output=json", headers=auth | {"if-none-match": first.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
    tags = {
        one["id"]: one.get("type")
        for one in client.get(API + "tag/list", headers=auth).json()["tags"]
    }
    assert tags[LABEL + "Sea"] == "folder"
    subscriptions = client.get(API + "subscription/list", headers=auth).json()["subscriptions"]
    for one in subscriptions:
        assert all({"id", "label"} == set(each) for each in one["categories"])

    # retrieveItemIDs: unread, starred, and all since the last time, by the Date header.
    ids = client.get(
        f"{API}stream/items/ids?n=1000&output=json&s={READING_LIST}&xt={READ}", headers=auth
    )
    assert [int(one["id"]) for one in ids.json()["itemRefs"]] == scene.articles(ann)
    assert "continuation" not in ids.json()
    since = int(parsedate_to_datetime(ids.headers["date"]).timestamp())
    assert client.get(
        f"{API}stream/items/ids?n=1000&output=json&s={STARRED}", headers=auth
    ).json() == {"itemRefs": []}
    before = client.get(
        f"{API}stream/items/ids?n=1000&output=json&ot={since - 7776000}&s={READING_LIST}",
        headers=auth,
    )
    assert len(before.json()["itemRefs"]) == len(scene.articles(ann))
    later = client.get(
        f"{API}stream/items/ids?n=1000&output=json&ot={since + 60}&s={READING_LIST}", headers=auth
    )
    assert len(later.json()["itemRefs"]) in (0, len(scene.articles(ann)))  # a time to come is now

    # retrieveEntries
    wanted = scene.articles(ann)[:4]
    listed = "&".join(f"i={LONG}{one:016x}" for one in wanted)
    page = raw(
        client, API + "stream/items/contents", f"T={token}&output=json&{listed}", **auth
    ).json()
    assert isinstance(page["id"], str)
    assert isinstance(page["updated"], int)
    assert [int(one["id"].rpartition("/")[2], 16) for one in page["items"]] == wanted
    for one in page["items"]:
        assert isinstance(one["published"], int)
        assert isinstance(one["crawlTimeMsec"], str)
        assert isinstance(one["timestampUsec"], str)
        assert one["summary"]["content"]
        assert one["origin"]["streamId"] in {each["id"] for each in subscriptions}

    # updateStateToEntries: read together, starred, unread.
    i = "&".join(f"i={LONG}{one:016x}" for one in wanted[:2])
    assert raw(client, API + "edit-tag", f"T={token}&{i}&a={READ}", **auth).content == b"OK"
    assert scene.unread(ann) == set(scene.articles(ann)) - set(wanted[:2])
    assert raw(client, API + "edit-tag", f"T={token}&{i}&a={STARRED}", **auth).content == b"OK"
    assert scene.starred(ann) == set(wanted[:2])
    assert raw(client, API + "edit-tag", f"T={token}&{i}&r={READ}", **auth).content == b"OK"
    assert scene.unread(ann) == set(scene.articles(ann))

    # createSubscription, changeSubscription, renameTag, deleteTag, deleteSubscription
    address = scene.publish("clouds")
    made = raw(
        client,
        API + "subscription/quickadd",
        f"T={token}&quickadd={quote(address, safe=':/')}",
        **auth,
    ).json()
    assert made["numResults"] == 1
    known = {
        one["id"]: one
        for one in client.get(API + "subscription/list", headers=auth).json()["subscriptions"]
    }
    assert known[made["streamId"]]["url"] == address
    edit = f"T={token}&s={made['streamId']}&ac=edit"
    assert (
        raw(
            client, API + "subscription/edit", f"{edit}&a=user/-/label/Sky%20and%20air", **auth
        ).text
        == "OK"
    )
    assert raw(client, API + "subscription/edit", f"{edit}&t=Cloud%20news", **auth).text == "OK"
    assert (
        raw(
            client,
            API + "rename-tag",
            f"T={token}&s=user/-/label/Sky%20and%20air&dest=user/-/label/Sky",
            **auth,
        ).text
        == "OK"
    )
    known = {
        one["id"]: one
        for one in client.get(API + "subscription/list", headers=auth).json()["subscriptions"]
    }
    assert known[made["streamId"]]["title"] == "Cloud news"
    assert known[made["streamId"]]["categories"] == [{"id": LABEL + "Sky", "label": "Sky"}]
    assert raw(client, API + "disable-tag", f"T={token}&s=user/-/label/Sky", **auth).text == "OK"
    leave = f"T={token}&s={made['streamId']}&ac=unsubscribe"
    assert raw(client, API + "subscription/edit", leave, **auth).text == "OK"
    assert made["streamId"] not in {
        f"feed/{one.feed_id}" for one in scene.app.reader().subscriptions()
    }

    # importOPML: the file itself, as text/xml.
    opml = (
        f'<opml version="2.0"><body><outline type="rss" text="W" xmlUrl="{address}"/></body></opml>'
    )
    sent = client.post(
        API + "subscription/import", content=opml, headers=auth | {"content-type": "text/xml"}
    )
    assert (sent.status_code, sent.text) == (200, "OK")
    assert address in {one.url for one in scene.app.reader().subscriptions()}


def test_netnewswire_asks_for_a_new_token_when_its_own_is_over(scene: Scene):
    """ReaderAPICaller.swift, withWriteToken; capyreader's withPostToken wants the header"""
    with scene.client(scene.ann) as client:
        found = raw(client, API + "edit-tag", f"T=old&i={scene.articles(scene.ann)[0]}&a={READ}")
        assert found.status_code == 401
        assert found.headers["x-reader-google-bad-token"] == "true"
        assert scene.unread(scene.ann) == set(scene.articles(scene.ann))


def test_newsboat_freshrss(scene: Scene):
    """newsboat/newsboat, src/freshrssapi.cpp (since 2.24; the real one of Debian is in the ring)"""
    ann, client = scene.ann, scene.client(root="/api/greader.php")
    auth = {
        "authorization": f"GoogleLogin auth={login(scene, client, extra='&source=newsboat%2F2.36')}"
    }
    token = client.get(API + "token", headers=auth).text
    feeds = client.get(API + "subscription/list?output=json", headers=auth).json()["subscriptions"]
    assert all(isinstance(one["title"], str) for one in feeds)
    url = f"{API}stream/contents/{quote(feeds[0]['id'], safe='')}?n=20"
    assert "%2F" in url
    items = client.get(url, headers=auth).json()["items"]
    assert items
    for one in items:
        assert one["canonical"][0]["href"].startswith("https://")
        assert next(iter(sorted(one["summary"].items())))[0] == "content"
        assert READ not in one["categories"]
    guid = items[0]["id"]
    number = int(guid.rpartition("/")[2], 16)
    # The line's end comes back with the token, had it one.
    body = f"i={guid}&a={READ}&r=user/-/state/com.google/kept-unread&ac=edit&T={token}\n"
    assert raw(client, API + "edit-tag", body, **auth).content == b"OK"
    assert number not in scene.unread(ann)
    again = client.get(url, headers=auth).json()["items"]
    assert (
        "user/-/state/com.google/read"
        in next(one for one in again if one["id"] == guid)["categories"]
    )
    kept = "a=user/-/state/com.google/kept-unread&a=user/-/state/com.google/tracking-kept-unread"
    body = f"i={guid}&r={READ}&{kept}&ac=edit&T={token}"
    assert raw(client, API + "edit-tag", body, **auth).content == b"OK"
    assert number in scene.unread(ann)
    assert (
        raw(client, API + "edit-tag", f"i={guid}&a={STARRED}&ac=edit&T={token}", **auth).content
        == b"OK"
    )
    assert number in scene.starred(ann)
    assert (
        raw(
            client,
            API + "edit-tag",
            f"i={guid}&a=user/-/state/com.google/broadcast&ac=edit&T={token}",
            **auth,
        ).content
        == b"OK"
    )
    # mark_all_read: without a time.
    assert (
        raw(client, API + "mark-all-as-read", f"s={feeds[0]['id']}&T={token}", **auth).content
        == b"OK"
    )
    assert not {int(one["id"].rpartition("/")[2], 16) for one in items} & scene.unread(ann)
    assert scene.unread(ann)


def test_capy(scene: Scene):
    """jocmp/capyreader, readerclient/GoogleReader.kt and .../reader/ReaderAccountDelegate.kt"""
    ann, client = scene.ann, scene.client(root="/api/greader.php")
    auth = {"authorization": f"GoogleLogin auth={login(scene, client)}"}
    token = client.get(API + "token", headers=auth).text
    for one in client.get(API + "subscription/list?output=json", headers=auth).json()[
        "subscriptions"
    ]:
        assert {"id", "title", "categories", "url", "htmlUrl", "iconUrl"} <= set(one)
    tags = [
        one
        for one in client.get(API + "tag/list?output=json", headers=auth).json()["tags"]
        if one.get("type") == "tag"
    ]
    assert {
        LABEL + "For you",
        LABEL + "Top stories",
        LABEL + "Digest",
        LABEL + "Read later",
        LABEL + "Like",
        LABEL + "Dislike",
    } == {one["id"] for one in tags}

    # fetchAllItemIDs, 10,000 at a time; a label as saved search.
    ids = client.get(
        f"{API}stream/items/ids?s={quote(READING_LIST)}&n=10000&xt={quote(READ)}&output=json",
        headers=auth,
    ).json()
    assert ids.get("continuation") is None
    found = client.get(
        f"{API}stream/items/ids?s={quote(LABEL + 'For you')}&n=10000&output=json", headers=auth
    ).json()
    assert {one["id"] for one in found["itemRefs"]} <= {one["id"] for one in ids["itemRefs"]}
    assert found["itemRefs"]
    # fetchItemContents: 250 at a time, long and padded.
    body = "&".join(
        f"i={quote(LONG + format(int(one['id']), '016x'), safe='')}" for one in found["itemRefs"]
    )
    items = raw(
        client, API + "stream/items/contents?output=json", f"{body}&T={token}", **auth
    ).json()["items"]
    for one in items:
        assert {"id", "published", "title", "canonical", "summary", "origin"} <= set(one)
        assert {"streamId", "htmlUrl", "title"} <= set(one["origin"])
        assert LABEL + "For you" in one["categories"]  # else Capy takes it out of the saved search
    # addSavedSearch: the label that is a like, and taking it back.
    first = int(items[0]["id"].rpartition("/")[2], 16)
    for change, rating in (("a", 1), ("r", 0)):
        label = quote(LABEL + "Like", safe="")
        body = f"i={quote(items[0]['id'], safe='')}&T={token}&{change}={label}"
        assert raw(client, API + "edit-tag?output=json", body, **auth).text == "OK"
        assert scene.state(ann, first).rating == rating
    # Already subscribed: the address after those words finds the feed.
    url = scene.app.reader().subscriptions()[0].url
    told = raw(
        client,
        API + "subscription/quickadd?output=json",
        f"quickadd={quote(url, safe='')}&T={token}",
        **auth,
    ).json()
    assert (told["numResults"], told["error"], "streamId" in told) == (
        0,
        f"Already subscribed! {url}",
        False,
    )


def test_read_you(scene: Scene):
    """ReadYouApp/ReadYou, .../rss/provider/greader/GoogleReaderAPI.kt"""
    ann, client = scene.ann, scene.client(root="/api/greader.php/")
    body = (
        f"output=json&Email={ann.name}&Passwd={ann.secret}&client=ReadYou"
        "&accountType=HOSTED_OR_GOOGLE&service=reader"
    )
    found = raw(client, "accounts/ClientLogin", body).json()
    auth = {"authorization": f"GoogleLogin auth={found['Auth']}"}
    token = client.get("reader/api/0/token", headers=auth).text
    info = client.get("reader/api/0/user-info?output=json", headers=auth).json()
    assert info["userName"] == "ann"
    assert info["userId"]
    # Read, starred and unread since a time; read as `it` too.
    mine = scene.articles(ann)
    raw(client, "reader/api/0/edit-tag?output=json", f"i={mine[0]}&a={READ}&T={token}", **auth)
    since = int(scene.app.now().timestamp()) - 3600
    for text in (f"s={READING_LIST}&it={READ}&ot={since}&n=1000", f"s={READ}&ot={since}&n=1000"):
        page = client.get(f"reader/api/0/stream/items/ids?output=json&{text}", headers=auth).json()
        assert [one["id"] for one in page["itemRefs"]] == [str(mine[0])]
    page = client.get(
        f"reader/api/0/stream/items/ids?output=json&s={LABEL}Sea&xt={READ}&n=1000", headers=auth
    ).json()
    sea = [int(one["id"]) for one in page["itemRefs"]]
    assert set(sea) < set(mine)
    form = "&".join(f"i={one}" for one in sea)
    items = raw(
        client, "reader/api/0/stream/items/contents?output=json", f"{form}&T={token}", **auth
    ).json()
    assert [int(one["id"].rpartition("/")[2], 16) for one in items["items"]] == sea
    # mark-all-as-read of a feed and a category; of what came until a time.
    long_ago = f"s={LABEL}Sea&ts={since * 1_000_000}&T={token}"
    assert (
        raw(client, "reader/api/0/mark-all-as-read?output=json", long_ago, **auth).content == b"OK"
    )
    assert scene.unread(ann) >= set(sea)
    assert (
        raw(
            client, "reader/api/0/mark-all-as-read?output=json", f"s={LABEL}Sea&T={token}", **auth
        ).content
        == b"OK"
    )
    assert not scene.unread(ann) & set(sea)
    assert scene.unread(ann)
    # quickadd has its address in both places.
    address = scene.publish("clouds")
    twice = f"quickadd={quote(address, safe='')}"
    added = raw(
        client,
        f"reader/api/0/subscription/quickadd?output=json&{twice}",
        f"{twice}&T={token}",
        **auth,
    ).json()
    assert (added["numResults"], added["query"]) == (1, address)


def test_fluent(scene: Scene):
    """yang991178/fluent-reader, src/scripts/models/services/greader.ts"""
    ann, client = scene.ann, scene.client()
    auth = {"authorization": "GoogleLogin auth=" + login(scene, client)}
    assert client.get(API + "user-info", headers=auth).status_code == 200
    # fetchItems: contents of everything, without a stream, by time.
    page = client.get(f"{API}stream/contents?output=json&n=7", headers=auth).json()
    rest = client.get(
        f"{API}stream/contents?output=json&n=1000&c={page['continuation']}", headers=auth
    ).json()
    items = page["items"] + rest["items"]
    assert [int(one["id"].rpartition("/")[2], 16) for one in items] == scene.articles(ann)
    assert "continuation" not in rest
    for one in items:
        assert one["canonical"][0]["href"]
        assert "script" not in one["summary"]["content"]
        assert one["crawlTimeMsec"].isdigit()
    last = round(int(items[0]["crawlTimeMsec"]) / 1000)
    assert (
        client.get(f"{API}stream/contents?output=json&n=1000&ot={last}", headers=auth).status_code
        == 200
    )
    # editTag: decimal ids, one or many, no token at all.
    some = scene.articles(ann)[:3]
    assert (
        raw(client, API + "edit-tag", f"i={'&i='.join(map(str, some))}&a={READ}", **auth).text
        == "OK"
    )
    assert not scene.unread(ann) & set(some)
    feed = scene.app.reader().subscriptions()[0].feed_id
    assert raw(client, API + "mark-all-as-read", f"s=feed%2F{feed}", **auth).text == "OK"
    unread = client.get(
        f"{API}stream/items/ids?output=json&s={READING_LIST}&xt={READ}&n=1000", headers=auth
    ).json()
    assert {int(one["id"]) for one in unread["itemRefs"]} == scene.unread(ann)


def test_rss_guard(scene: Scene):
    """martinrotter/rssguard, src/librssguard-greader/src/greadernetwork.cpp, FreshRSS's way"""
    ann, client = scene.ann, scene.client(root="/api/greader.php/")
    auth = {"authorization": "GoogleLogin auth=" + login(scene, client, "accounts/ClientLogin")}
    assert client.get("reader/api/0/user-info?output=json", headers=auth).json()
    tags = client.get("reader/api/0/tag/list?output=json", headers=auth).json()["tags"]
    assert {one.get("type") for one in tags} == {None, "folder", "tag"}
    # itemIds: 200,000 at once, of read ones too, the continuation a string.
    text = f"reader/api/0/stream/items/ids?output=json&n=200000&s={READING_LIST}"
    assert len(client.get(text, headers=auth).json()["itemRefs"]) == len(scene.articles(ann))
    text = f"reader/api/0/stream/items/ids?output=json&n=200000&s={READ}"
    assert client.get(text, headers=auth).json()["itemRefs"] == []
    body = "&".join(f"i={LONG}{one:016x}" for one in scene.articles(ann))
    items = raw(
        client, "reader/api/0/stream/items/contents?output=json&n=200000", body, **auth
    ).json()["items"]
    assert {one["alternate"][0]["type"] for one in items} == {"text/html"}
    assert items[0]["enclosure"][0]["type"] == "audio/mpeg"
    feed = items[0]["origin"]["streamId"]
    page = client.get(f"reader/api/0/stream/contents/{feed}?output=json&n=2", headers=auth).json()
    assert isinstance(page["continuation"], str)
    # editLabels: the change first, then ids, no token.
    one = scene.articles(ann)[0]
    assert (
        raw(client, "reader/api/0/edit-tag", f"a={STARRED}&i={LONG}{one:016x}", **auth).text == "OK"
    )
    assert scene.starred(ann) == {one}
    assert (
        raw(client, "reader/api/0/edit-tag", f"a={LABEL}Dislike&i={LONG}{one:016x}", **auth).text
        == "OK"
    )
    assert scene.state(ann, one).rating == -1
    # subscriptionEdit: all in the address, nothing in the body.
    text = f"reader/api/0/subscription/edit?ac=edit&s={feed}&t=Other&a={LABEL}New&r={LABEL}Sea"
    assert client.post(text, headers=auth).text == "OK"
    found = next(
        each for each in scene.app.reader().subscriptions() if f"feed/{each.feed_id}" == feed
    )
    assert (found.title, found.category) == ("Other", "New")
    opml = client.get("reader/api/0/subscription/export", headers=auth)
    assert b"<opml" in opml.content
    assert (
        client.post("reader/api/0/subscription/import", content=opml.content, headers=auth).text
        == "OK"
    )
    text = f"reader/api/0/subscription/edit?ac=unsubscribe&s={feed}"
    assert client.post(text, headers=auth).text == "OK"
    assert feed not in {f"feed/{each.feed_id}" for each in scene.app.reader().subscriptions()}


def test_reeder(scene: Scene):
    """FreshRSS/FreshRSS, p/api/greader.php, line 253: Reeder's token is `x`"""
    ann = scene.ann
    with scene.client(ann, "/api/greader.php") as client:
        one = scene.articles(ann)[0]
        assert raw(client, API + "edit-tag", f"T=x&i={one}&a={STARRED}").text == "OK"
        assert scene.starred(ann) == {one}


def test_feed_me(scene: Scene):
    """FreshRSS/FreshRSS, p/api/greader.php, lines 252, 1090, 1102; brendanlong/lion-reader: the
    login in the address, no token, ids under stream/contents"""
    ann = scene.ann
    client = scene.client(root="/api/greader.php")
    found = client.post(f"/accounts/ClientLogin?Email={ann.name}&Passwd={ann.secret}")
    auth = {"authorization": "GoogleLogin auth=" + found.text.partition("Auth=")[2].strip()}
    got = client.get(f"/accounts/ClientLogin?Email={ann.name}&Passwd={ann.secret}&output=json")
    assert got.json()["Auth"] in found.text
    one = scene.articles(ann)[0]
    assert raw(client, API + "edit-tag", f"T=&i={one}&a={READ}", **auth).text == "OK"
    assert one not in scene.unread(ann)
    page = client.get(
        f"{API}stream/contents/{LABEL}Sea?output=json&n=50&r=o&xt={READ}", headers=auth
    )
    numbers = [int(each["id"].rpartition("/")[2], 16) for each in page.json()["items"]]
    assert numbers == sorted(numbers)
    some = raw(client, API + "stream/items/contents", f"i={numbers[0]}&i={numbers[1]}", **auth)
    assert len(some.json()["items"]) == 2


def test_news_plus(scene: Scene):
    """noinnion/newsplus as FreshRSS/FreshRSS issue 3107 traced it: the stamp `ck` says nothing"""
    with scene.client(scene.ann, "/api/greader.php") as client:
        tags = client.get(API + "tag/list?client=newsplus&output=json&ck=1538982165918")
        assert tags.json()["tags"]
        assert client.get(API + "preference/list?output=json").json() == {"prefs": []}
        assert client.get(API + "preference/stream/list?output=json").json() == {"streamprefs": {}}


def test_what_is_read_and_starred_teaches_and_is_undone_as_on_the_pages(scene: Scene):
    ann = scene.ann
    one, other, third, *_rest = scene.articles(ann)
    with scene.client(ann) as client:
        raw(client, API + "edit-tag", f"i={one}&a={LABEL}Like")
        raw(client, API + "edit-tag", f"i={one}&a={LABEL}Like")  # again: it is so already
        assert len(scene.labels(ann)) == 1
        raw(client, API + "edit-tag", f"i={one}&i={other}&i={third}&a={READ}")
        raw(client, API + "mark-all-as-read", f"s={READING_LIST}")
    assert len(scene.labels(ann)) == 1
    assert scene.unread(ann) == set()
    assert set(scene.undo(ann)) == {EventKind.BULK_READ}
    assert scene.unread(ann) == set(scene.articles(ann)) - {one, other, third}
    # `one` was read with its like.
    assert scene.undo(ann) == (EventKind.BULK_READ, EventKind.BULK_READ)
    assert EventKind.LIKE in scene.undo(ann)
    assert scene.labels(ann) == []
