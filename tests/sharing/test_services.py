"""What each service is asked, as its interface is published; and what its answers mean."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest

from newsloom.kernel.delivery.values import Sent
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure
from newsloom.kernel.ids import ArticleId
from newsloom.sharing.services import SERVICES, checked, outcome, service, token_of
from newsloom.sharing.values import SharedArticle

ARTICLE = SharedArticle(
    ArticleId(17), "https://news.example/1?a=b&c=ü", "Ferry “sinks” & more", "News", "Ann", None
)
# What a reader types in, for every field there is.
TYPED = {
    "url": "https://read.example/sub/",
    "token": "t0ken",
    "labels": "news, from feeds,",
    "client": "1_x",
    "client_secret": "c s",
    "user": "ann@example.org",
    "password": "pass: word",
    "secret": "hook",
    "note": "Inbox/Read later.md",
}


def asked(kind: str, token: str = "") -> tuple[ApiRequest, Any]:
    found = service(kind)
    request = found.save(checked(found, TYPED), ARTICLE, token)
    body = request.body.decode()
    if dict(request.headers)["Content-Type"] == "text/markdown":
        return request, {"line": body}
    return request, json.loads(body) if body.startswith("{") else parse_qs(body)


# Address, what authorizes, and what is in the body.
SAVES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "wallabag": (
        "https://read.example/sub/api/entries.json", "Bearer access", {"tags": "news,from feeds"}),
    "readeck": (
        "https://read.example/sub/api/bookmarks", "Bearer t0ken",
        {"labels": ["news", "from feeds"]}),
    "linkding": (
        "https://read.example/sub/api/bookmarks/", "Token t0ken",
        {"tag_names": ["news", "from feeds"], "unread": True}),
    "karakeep": ("https://read.example/sub/api/v1/bookmarks", "Bearer t0ken", {"type": "link"}),
    "linkwarden": (
        "https://read.example/sub/api/v1/links", "Bearer t0ken",
        {"name": ARTICLE.title, "tags": [{"name": "news"}, {"name": "from feeds"}]}),
    "raindrop": (
        "https://api.raindrop.io/rest/v1/raindrop", "Bearer t0ken", {"link": ARTICLE.url}),
    "readwise": ("https://readwise.io/api/v3/save/", "Token t0ken", {"url": ARTICLE.url}),
    "instapaper": (
        "https://www.instapaper.com/api/add",
        "Basic " + base64.b64encode(b"ann@example.org:pass: word").decode(),
        {"url": [ARTICLE.url], "title": [ARTICLE.title]}),
    "obsidian": (
        "https://read.example/sub/vault/Inbox/Read%20later.md", "Bearer t0ken",
        {"line": "- [ ] [Ferry “sinks” & more](<https://news.example/1?a=b&c=ü>) (News)"
         " #news #from-feeds\n"}),
    "webhook": ("https://read.example/sub", "", {"event": "save"}),
}  # fmt: skip


def test_each_service_has_a_row() -> None:
    assert set(SAVES) == {one.kind for one in SERVICES}
    assert len({one.kind for one in SERVICES}) == len(SERVICES)


@pytest.mark.parametrize("kind", SAVES)
def test_what_a_service_is_asked(kind: str) -> None:
    url, authorization, part = SAVES[kind]
    request, body = asked(kind, "access")
    assert (request.method, request.url) == ("POST", url)
    assert dict(request.headers).get("Authorization", "") == authorization
    assert {name: body[name] for name in part} == part
    assert ARTICLE.url in json.dumps(body, ensure_ascii=False)


def test_a_publisher_writes_no_markup_into_a_note() -> None:
    hostile = replace(ARTICLE, title="a [b](c) <img src=d> #e", source="![f](g) `h`")
    request = service("obsidian").save(checked(service("obsidian"), TYPED), hostile, "")
    assert request.body.decode().startswith(
        r"- [ ] [a \[b\](c) \<img src=d\> \#e](<https://news.example/1?a=b&c=ü>) (!\[f\](g) \`h\`)"
    )


def test_a_webhook_is_signed_as_its_receivers_check() -> None:
    request, body = asked("webhook")
    signature = hmac.new(b"hook", request.body, hashlib.sha256).hexdigest()
    assert dict(request.headers)["X-Newsloom-Signature-256"] == f"sha256={signature}"
    assert body["article"] == {
        "id": 17, "url": ARTICLE.url, "title": ARTICLE.title, "source": "News", "author": "Ann",
        "published": None,
    }  # fmt: skip
    hook = service("webhook")
    plain = hook.save(checked(hook, TYPED | {"secret": ""}), ARTICLE, "")
    assert "X-Newsloom-Signature-256" not in dict(plain.headers)


def test_wallabag_logs_in_first() -> None:
    wallabag = service("wallabag")
    assert wallabag.log_in is not None
    request = wallabag.log_in(checked(wallabag, TYPED))
    assert request.url == "https://read.example/sub/oauth/v2/token"
    assert parse_qs(request.body.decode()) == {
        "grant_type": ["password"], "client_id": ["1_x"], "client_secret": ["c s"],
        "username": ["ann@example.org"], "password": ["pass: word"],
    }  # fmt: skip


@pytest.mark.parametrize("kind", SAVES)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"url": "ftp://read.example"}, "Enter the URL"),
        ({"url": "https://ann:secret@read.example"}, "Enter the URL"),
        ({"url": "https://[::1"}, "Enter the URL"),
        ({"url": "javascript:alert(1)"}, "Enter the URL"),
        ({"url": ""}, "needs"),
        ({"token": "a\nX-Other: b"}, "too long, or contains invalid characters"),
        ({"token": "x" * 2_001}, "too long"),
        ({"token": ""}, "needs"),
        ({"password": "\0"}, "too long, or contains invalid characters"),
    ],
)
def test_what_is_typed_wrongly_is_said(kind: str, changes: dict[str, str], words: str) -> None:
    found = service(kind)
    if not set(changes) & {one.name for one in found.fields}:
        assert checked(found, TYPED | changes)
        return
    with pytest.raises(UserError, match=words):
        checked(found, TYPED | changes)


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (ApiReply(200), Sent()),
        (ApiReply(202), Sent()),
        (ApiReply(401), Sent("it returned status 401: wrong credentials", final=True)),
        (ApiReply(422), Sent("it returned status 422", final=True)),
        (ApiReply(301), Sent("it returned status 301")),
        (ApiReply(429), Sent("it returned status 429")),
        (ApiReply(500), Sent("it returned status 500")),
        (ApiReply(failure=Failure.TIMEOUT, problem="no answer"), Sent("no answer")),
    ],
)
def test_what_an_answer_means(reply: ApiReply, result: Sent) -> None:
    assert outcome(reply) == result


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"access_token": 7}', b'{"access_token": ""}',
             b'{"access_token": "a\\nb"}', b'{"access_token": "\xc3\xa4"}', b"[" * 90_000],
)  # fmt: skip
def test_a_token_that_is_none(body: bytes) -> None:
    assert token_of(ApiReply(200, body=body)) == Sent("it sent no access token")


def test_a_token() -> None:
    assert token_of(ApiReply(200, body=b'{"access_token": "abc"}')) == "abc"
    assert token_of(ApiReply(401)) == Sent("it returned status 401: wrong credentials", final=True)
