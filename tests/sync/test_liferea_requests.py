"""Requests of Liferea as its source makes them, against a served Newsloom; what the reader did is
looked up in the store after each. Docstrings name the file that makes the requests.
"""

from __future__ import annotations

from urllib.parse import quote

from .scene import LABEL, READ, READING_LIST, STARRED, Scene
from .test_greader_clients import API, DATABASES, raw

__all__ = ["DATABASES"]  # the fixtures look for it here


def test_liferea(scene: Scene):
    """lwindolf/liferea, src/node_sources/google_source.c, google_reader_api_edit.c, _feed.c"""
    ann, client = scene.ann, scene.client()
    found = raw(
        client,
        "/accounts/ClientLogin",
        f"service=reader&Email={ann.name}&Passwd={ann.secret}&source=liferea&continue={scene.url}",
    )
    auth = {"authorization": "GoogleLogin auth=" + found.text.partition("Auth=")[2].strip()}
    counts = client.get(
        API + "unread-count?output=json&all=true&client=liferea", headers=auth
    ).json()
    by_stream = {one["id"]: one for one in counts["unreadcounts"]}
    assert by_stream[READING_LIST]["count"] == len(scene.articles(ann)) == counts["max"]
    assert by_stream[LABEL + "Sea"]["count"] == 12
    assert by_stream[f"feed/{ann.feeds[0]}"]["count"] == 6
    assert int(by_stream[f"feed/{ann.feeds[0]}"]["newestItemTimestampUsec"]) > 10**15
    text = (
        f"{API}stream/items/ids?s=feed%2F{ann.feeds[0]}&client=liferea&n=50&output=json&merge=true"
    )
    ids = [one["id"] for one in client.get(text, headers=auth).json()["itemRefs"]]
    # Its token there is that of the login.
    body = f"output=json&mediaRss=true&T={auth['authorization'][17:]}" + "".join(
        f"&i={one}" for one in ids
    )
    items = raw(client, API + "stream/items/contents", body, **auth).json()["items"]
    assert [int(one["id"].rpartition("/")[2], 16) for one in items] == [int(one) for one in ids]
    token = client.get(API + "token", headers=auth).text
    guid, address = quote(items[0]["id"], safe=""), quote("https://x.example/feed", safe="")
    number = int(ids[0])
    read = f"i={guid}&s=feed%2F{address}&a={quote(READ, safe='')}&ac=edit-tags&T={token}&async=true"
    assert raw(client, API + "edit-tag?client=liferea", read, **auth).content == b"OK"
    assert number not in scene.unread(ann)
    unread = (
        f"i={guid}&s=feed%2F{address}&a={quote('user/-/state/com.google/kept-unread', safe='')}"
        f"&r={quote(READ, safe='')}&ac=edit-tags&T={token}&async=true"
    )
    assert raw(client, API + "edit-tag?client=liferea", unread, **auth).content == b"OK"
    assert number in scene.unread(ann)
    new = scene.publish("clouds")
    add = f"s=feed%2F{quote(new, safe='')}&i=null&ac=subscribe&T={token}"
    assert raw(client, API + "subscription/edit?client=liferea", add, **auth).content == b"OK"
    made = next(one for one in scene.app.reader().subscriptions() if one.url == new)
    gone = f"s={quote(f'feed/{made.feed_id}', safe='')}&i=null&ac=unsubscribe&T={token}"
    assert raw(client, API + "subscription/edit?client=liferea", gone, **auth).content == b"OK"
    assert new not in {one.url for one in scene.app.reader().subscriptions()}


def test_liferea_of_debian_12_posts_the_token_of_its_login_without_a_header(scene: Scene):
    """lwindolf/liferea at v1.14.4, src/fl_sources/google_source_feed.c; seen of the program"""
    one, *_rest = scene.articles(scene.ann)
    token = f"{scene.ann.name}/{scene.ann.secret}"
    path = API + "stream/items/contents"
    with scene.client() as client:
        found = raw(client, path, f"output=json&mediaRss=true&T={token}&i={one}")
        assert [int(each["id"].rpartition("/")[2], 16) for each in found.json()["items"]] == [one]
        for wrong in ("x", "", token + "x", f"bob/{scene.ann.secret}", "a/b"):
            assert raw(client, path, f"T={wrong}&i={one}").status_code == 401
        # An address is written down in many places: there it counts for nothing.
        assert client.get(f"{path}?T={token}&i={one}").status_code == 401


def test_liferea_is_told_the_state_as_it_reads_it(scene: Scene):
    """lwindolf/liferea, google_source_feed.c (google_source_feed_item_cb) and subscription.c
    (subscription_process_update_result) at v1.14.4; seen of the program"""
    ann = scene.ann
    read, starred, *_rest = scene.articles(ann)
    liferea = {"user-agent": "Liferea/1.14.4 (Android 12; Mobile; https://lzone.de/liferea/)"}
    path = API + "stream/items/contents"
    with scene.client(ann) as client:
        raw(client, API + "edit-tag", f"i={read}&a={READ}")
        raw(client, API + "edit-tag", f"i={starred}&a={STARRED}")
        told, other = raw(client, path, f"i={read}&i={starred}", **liferea).json()["items"]
        # The first category decides, and as its source compares it: JSON's `\\/` not decoded.
        assert "state\\/com.google\\/read" in told["categories"][0]
        assert other["categories"][0] == READING_LIST
        assert (told["marked"], other["marked"]) == (False, True)
        for one in raw(client, path, f"i={read}&i={starred}").json()["items"]:
            assert one["categories"][0] == READING_LIST
            assert "marked" not in one
        # A list that has not changed is sent again: only after one does it ask for articles.
        first = client.get(API + "subscription/list", headers=liferea)
        known = {"if-none-match": first.headers["etag"]}
        again = client.get(API + "subscription/list", headers=liferea | known)
        assert (again.status_code, again.content) == (200, first.content)
        assert client.get(API + "subscription/list", headers=known).status_code == 304
