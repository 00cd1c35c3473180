"""`newsloom serve` as a process of its own, with what `newsloom user app-password` made."""

from __future__ import annotations

from pathlib import Path

import httpx

import commands
from cli.serving import served
from newsloom.accounts import tokens
from publisher import Publisher

from .scene import furnish, opened

API = "/api/greader.php/reader/api/0/"


def test_serve_answers_every_protocol(tmp_path: Path, publisher: Publisher, monkeypatch):
    app = opened(tmp_path / "news.db", publisher)
    scene = furnish(app, publisher)
    app.close()
    settings = {
        "NEWSLOOM_USER": "ann",
        "NEWSLOOM_PAGES_ICONS": "false",
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": publisher.host,
        "NEWSLOOM_FETCH_HOST_SECONDS": "0",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "news.db"))
    made = commands.run("user", "app-password", "add", "ann", "tablet", folder=tmp_path)
    secret = made.stdout.split()[0]
    with (
        served(tmp_path / "news.db", **settings) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        login = {"Email": "ann", "Passwd": secret, "output": "json"}
        auth = client.post("/api/greader.php/accounts/ClientLogin", data=login).json()["Auth"]
        signed = {"authorization": f"GoogleLogin auth={auth}"}
        refs = client.get(API + "stream/items/ids?n=100", headers=signed).json()["itemRefs"]
        assert len(refs) == 18
        one = {"i": refs[0]["id"], "a": "user/-/state/com.google/read"}
        assert client.post(API + "edit-tag", data=one, headers=signed).content == b"OK"
        key = tokens.fever_key("ann", secret)
        found = client.post("/fever/?api&unread_item_ids", data={"api_key": key}).json()
        assert found["auth"] == 1
        assert len(found["unread_item_ids"].split(",")) == 17
        # An app password opens no page.
        assert client.get("/", headers=signed).status_code == 303
        # The JSON API takes the same app password, and has the server's network too.
        shown = {"authorization": f"Bearer {secret}"}
        assert client.get("/api/v1/me", headers=shown).json()["name"] == "ann"
        assert client.get("/api/v1/me").status_code == 401
        # The MCP server is off: the guard of the pages answers.
        assert client.post("/mcp", json={}, headers=shown).status_code == 403
        unread = client.get("/api/v1/articles?rows=article&limit=200", headers=shown).json()
        assert len(unread["items"]) == 17
        new = {"url": scene.publish("late"), "category": "Late"}
        added = client.post("/api/v1/feeds", json=new, headers=shown)
        assert (added.status_code, added.json()["articles"]) == (201, 6)
        late = client.get("/api/v1/articles?category=Late", headers=shown).json()["items"]
        assert len(late) == 6
        none = client.post("/api/v1/feeds", json={"url": f"{publisher.url}/none"}, headers=shown)
        assert none.headers["content-type"] == "application/problem+json"
        # A feed is polled with the server's own network, as when it is added on a page.
        nothing = {"quickadd": f"{publisher.url}/none"}
        told = client.post(API + "subscription/quickadd", data=nothing, headers=signed).json()
        assert told["numResults"] == 0
        assert told["error"]
    assert scene.ann.secret not in made.stdout
