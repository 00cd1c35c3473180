"""The Google Reader API, sentence by sentence, to right, odd and hostile requests."""

from __future__ import annotations

import httpx

from newsloom.accounts.tokens import fever_key
from newsloom.feeds.values.pages import SiteIcon

from .scene import LABEL, READ, READING_LIST, Scene, document

API = "/reader/api/0/"
ROOTS = ("", "/api/greader.php")
LONG = "tag:google.com,2005:reader/item/"


def numbers(answer) -> list[int]:
    return [int(one["id"].rpartition("/")[2], 16) for one in answer.json()["items"]]


def refs(answer) -> list[int]:
    return [int(one["id"]) for one in answer.json()["itemRefs"]]


def test_both_roots_and_strange_addresses(scene: Scene):
    for root in ROOTS:
        with scene.client(scene.ann, root) as client:
            assert client.get(API + "token").status_code == 200
            for path in ("nothing", "stream", "stream/items", "friend/list", "tokens", "token/x"):
                found = client.get(API + path)
                assert (found.status_code, found.content[:1]) == (404, b"N")
            assert client.get(API + "edit-tag").status_code == 405
            assert client.request("DELETE", API + "token").status_code == 405
    for path, status in (("/accounts/Other", 404), ("/api/greader.phpx", 401), ("/reader/x", 404)):
        assert scene.client(scene.ann).get(path).status_code == status
    assert scene.client().get("/api/greader.php/accounts/Other").status_code == 404


def test_who_is_nobody(scene: Scene):
    ann, bob = scene.ann, scene.bob
    client = scene.client()
    wrong = (
        {},
        {"Email": ann.name},
        {"Email": ann.name, "Passwd": "wrong"},
        {"Email": bob.name, "Passwd": ann.secret},  # another's name
        {"Email": "nobody", "Passwd": ann.secret},
        {"Email": ann.name, "Passwd": ann.secret + "="},
    )
    for one in wrong:
        found = client.post("/accounts/ClientLogin", data=one)
        assert (found.status_code, found.text) == (401, "Error=BadAuthentication\n")
    headers = (
        "",
        "GoogleLogin",
        "GoogleLogin auth=",
        "Basic YTpi",
        f"GoogleLogin auth={ann.secret}",
    )
    for value in (
        *headers,
        f"GoogleLogin auth=bob/{ann.secret}",
        "GoogleLogin auth=" + "x" * 5_000,
    ):
        assert client.get(API + "token", headers={"authorization": value}).status_code == 401
    # The name in another case is the same name.
    assert client.post(
        "/accounts/ClientLogin", data={"Email": "ANN ", "Passwd": ann.secret}
    ).text.startswith("SID=")


def test_no_session_and_no_origin_matters(scene: Scene):
    """The pages' guard asks that changes come from a page of ours; here only the header counts."""
    one = scene.articles(scene.ann)[0]
    odd = {"origin": "https://evil.example", "sec-fetch-site": "cross-site", "cookie": "session=x"}
    with scene.client(scene.ann) as client:
        found = client.post(API + "edit-tag", data={"i": one, "a": READ}, headers=odd)
        assert found.text == "OK"
    for cookie in ("session=x", f"session={scene.ann.secret}"):
        found = scene.client().get(API + "token", headers={"cookie": cookie})
        assert found.status_code == 401
        assert "set-cookie" not in found.headers


def test_an_app_password_that_is_removed_ends_its_tokens(scene: Scene):
    accounts = scene.app.store.accounts
    with scene.client(scene.ann) as client:
        assert client.get(API + "token").status_code == 200
        (known,) = accounts.app_passwords(scene.ann.user)
        assert accounts.revoke_app_password(scene.ann.user, known.id)
        assert client.get(API + "token").status_code == 401
        assert client.post("/fever/?api", data={"api_key": scene.ann.fever_key}).json()["auth"] == 0


def test_guesses_are_slowed(scene: Scene):
    client = scene.client()
    answers = [
        client.post("/accounts/ClientLogin", data={"Email": "ann", "Passwd": f"guess {n}"})
        for n in range(12)
    ]
    assert answers[0].status_code == 401
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    # Who has the right one is not kept out.
    assert scene.client(scene.ann).get(API + "token").status_code == 200


def test_three_forms_of_ids(scene: Scene):
    one, other = scene.articles(scene.ann)[:2]
    with scene.client(scene.ann) as client:
        forms = (
            f"{LONG}{one:016x}",
            f"{LONG}{one:x}",
            f"{LONG}{one:016X}",
            f"{one:016x}",
            str(one),
            f" {one} ",
        )
        for form in forms:
            assert numbers(client.post(API + "stream/items/contents", data={"i": form})) == [one]
        # Each once, in the order asked for.
        several = {"i": [str(other), *forms, str(other)]}
        assert numbers(client.post(API + "stream/items/contents", data=several)) == [other, one]
        # What no article can have is passed over, and the others are had.
        beyond = [
            str(2**63),
            str(-one),
            "0",
            f"{LONG}ffffffffffffffff",
            f"{LONG}{'f' * 32}",
            "9" * 39,
            "0" * 16,
        ]
        found = client.post(
            API + "stream/items/contents", data={"i": [*beyond, str(other), "987654"]}
        )
        assert numbers(found) == [other]
        for wrong in (
            "abc",
            "1.5",
            LONG,
            f"{LONG}xyz",
            f"{LONG}{'f' * 33}",
            "1" * 41,
            "tag:other/1",
            "1 2",
            "٣",
        ):
            found = client.post(API + "stream/items/contents", data={"i": wrong})
            assert (found.status_code, "Not an article id" in found.text) == (400, True), wrong
            assert (
                client.post(API + "edit-tag", data={"i": [one, wrong], "a": READ}).status_code
                == 400
            )
        assert one in scene.unread(scene.ann)


def test_what_other_servers_take_is_taken(scene: Scene):
    ann, mine = scene.ann, scene.articles(scene.ann)
    with scene.client(ann) as client:
        # Numbers of nothing are passed over, also where there is no other.
        for numbers in (["-1"], ["99999999999999999999999"], ["-5", "99999"]):
            found = client.post(API + "stream/items/contents", data={"i": numbers})
            assert (found.status_code, found.json()["items"]) == (200, []), numbers
            assert client.post(API + "edit-tag", data={"i": numbers, "a": READ}).text == "OK"
        refs = client.get(API + "stream/items/ids?n=0").json()["itemRefs"]
        assert [int(one["id"]) for one in refs] == mine
        for one in client.get(API + "tag/list").json()["tags"]:
            assert len(one["sortid"]) == 8
        json = {"Email": ann.name, "Passwd": ann.secret}
        found = client.post("/accounts/ClientLogin", json=json)
        assert found.text.splitlines()[2] == f"Auth={ann.name}/{ann.secret}"
        assert client.post("/accounts/ClientLogin", json=[1]).status_code == 400
        content = {"content": b"[" * 50_000, "headers": {"content-type": "application/json"}}
        assert client.post("/accounts/ClientLogin", **content).status_code == 400


def test_icons_are_at_addresses_that_apps_load_without_a_password(scene: Scene):
    icon = SiteIcon(
        "harbour.example",
        "https://harbour.example/favicon.ico",
        scene.app.now(),
        type="image/png",
        tag="t1",
        body=b"\x89PNG",
    )
    scene.app.store.sites.put_icons([icon])
    for root in ROOTS:
        with scene.client(scene.ann, root) as client:
            feeds = client.get(API + "subscription/list").json()["subscriptions"]
        shown = {one["title"]: one["iconUrl"] for one in feeds}
        assert shown["tides"] == ""
        answer = httpx.get(shown["harbour"], timeout=60)
        assert (answer.content, answer.headers["content-type"]) == (b"\x89PNG", "image/png")
        given, _, _site = shown["harbour"].rpartition("/")
        for wrong in (f"{given}/tides.example", given, shown["harbour"].replace("/t1/", "/t2/")):
            assert httpx.get(wrong, timeout=60).status_code == 404, wrong


def test_addresses_below_those_of_programs_are_never_the_sign_in_page(scene: Scene):
    paths = (
        "/api",
        "/api/x",
        "/api/v1",
        "/api/v1/x",
        "/api/greader.php/x",
        "/accounts/x",
        "/mcp/x",
    )
    paths += ("/reader", "/reader/x", "/reader/api/1/x", "/fever/x")
    with scene.client() as client:
        answers = {path: client.get(path) for path in paths}
        shown = [
            (path, one.status_code, one.headers.get("content-type"))
            for path, one in answers.items()
            if one.status_code not in (401, 404)
            and not (path == "/fever/x" and one.json()["auth"] == 0)
        ]
        assert shown == []


WRONG = (
    "n=-1",
    "n=abc",
    "n=1e3",
    "c=abc",
    "c=0",
    "c=-5",
    "ot=x",
    "nt=-1",
    "ot=%00",
    "s=nonsense",
    "s=user/-/state/com.google/nonsense",
    "s=feed/99999999999999999999999",
    "xt=bad",
    "it=bad",
    "s=%00",
    "s=user/-/label/%00",
    "s=feed/1&s=feed/2",
)
TOO_LARGE = (f"n={10**30}", "n=" + "9" * 5_000, f"c={2**63}", f"ot={2**64}", "s=" + "x" * 5_000)


def test_what_cannot_be_asked_is_told_so(scene: Scene):
    with scene.client(scene.ann) as client:
        for query in (*WRONG, *TOO_LARGE):
            found = client.get(f"{API}stream/items/ids?{query}")
            assert (found.status_code, 5 < len(found.text) < 300) == (400, True), query


def test_huge_pages_are_cut_and_go_on(scene: Scene):
    with scene.client(scene.ann) as client:
        for n in (10_000, 200_000, 2**63 - 1):
            assert refs(client.get(f"{API}stream/items/ids?n={n}")) == scene.articles(scene.ann)


def test_marks_that_cannot_be_made(scene: Scene):
    one = scene.articles(scene.ann)[0]
    with scene.client(scene.ann) as client:
        for wrong in (
            {"a": READ},
            {"i": one, "a": f"{LABEL}Sea"},
            {"i": one, "a": f"{LABEL}For you"},
            {"i": one, "a": "user/-/state/com.google/other"},
            {"i": one, "a": "feed/1"},
            {"i": [one], "a": [READ, f"{LABEL}Digest"]},
        ):
            found = client.post(API + "edit-tag", data=wrong)
            assert found.status_code == 400, wrong
        assert one in scene.unread(scene.ann)  # all is understood before anything is done
        for path, wrong in (
            ("mark-all-as-read", {}),
            ("mark-all-as-read", {"s": "bad"}),
            ("mark-all-as-read", {"s": READING_LIST, "ts": "soon"}),
            ("subscription/edit", {"ac": "edit"}),
            ("subscription/edit", {"s": "feed/1", "ac": "other"}),
            ("subscription/edit", {"s": "user/-/label/Sea", "ac": "unsubscribe"}),
            (
                "subscription/edit",
                {"s": f"feed/{scene.ann.feeds[0]}", "ac": "edit", "a": f"{LABEL}Like"},
            ),
            ("rename-tag", {"s": f"{LABEL}Sea"}),
            ("rename-tag", {"s": f"{LABEL}Digest", "dest": f"{LABEL}Other"}),
            ("disable-tag", {"s": f"{LABEL}Like"}),
            ("subscription/quickadd", {}),
            ("subscription/import", {}),
        ):
            assert client.post(API + path, data=wrong).status_code == 400, (path, wrong)
        missing = {"s": "feed/999", "ac": "edit", "t": "x"}
        assert client.post(API + "subscription/edit", data=missing).status_code == 404
        assert (
            client.post(
                API + "subscription/quickadd", data={"quickadd": "http://127.0.0.1:1/x"}
            ).json()["numResults"]
            == 0
        )
        assert (
            client.post(
                API + "subscription/import", content=b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;"
            ).status_code
            == 400
        )
        assert (
            client.post(
                API + "edit-tag",
                content=b"\xff\xfe",
                headers={"content-type": "multipart/form-data"},
            ).status_code
            == 400
        )
        multipart = client.post(API + "edit-tag", files={"i": (None, str(one)), "a": (None, READ)})
        assert multipart.text == "OK"
        assert one not in scene.unread(scene.ann)


def test_atom_for_older_clients(scene: Scene):
    with scene.client(scene.ann) as client:
        found = client.get(f"/reader/atom/feed%2F{scene.ann.feeds[0]}?n=20")
        assert found.headers["content-type"].startswith("application/atom+xml")
        assert found.text.count("<entry>") == 6
        assert 'scheme="http://www.google.com/reader/" label="fresh"' in found.text
        assert "<script" not in found.text.replace("&lt;", "<")


def test_answers_are_small_and_private(scene: Scene):
    with scene.client(scene.ann) as client:
        found = client.get(f"{API}stream/contents?n=100")
        assert found.headers["content-encoding"] == "gzip"
        assert found.headers["cache-control"] == "private, no-cache"
        assert found.headers["x-content-type-options"] == "nosniff"
        plain = client.get(f"{API}stream/contents?n=100", headers={"accept-encoding": "identity"})
        assert plain.json()["items"] == found.json()["items"]


def test_an_episode_without_a_page_has_its_file_as_link(scene: Scene):
    feed = document("harbour", range(2)).replace("<link>https://harbour.example/1</link>", "")
    scene.publisher.puts("/harbour", feed.replace("harbour-", "episode-"))
    scene.poll(scene.ann.feeds[:1])
    client = scene.client(scene.ann)
    items = client.get(API + "stream/contents/" + READING_LIST + "?n=100").json()["items"]
    found = {one["canonical"][0]["href"] for one in items}
    assert "https://harbour.example/1.mp3" in found
    key = fever_key("ann", scene.ann.secret)
    page = scene.client().post("/fever/?api&items", data={"api_key": key}).json()
    assert "https://harbour.example/1.mp3" in {one["url"] for one in page["items"]}
    assert "" not in found
