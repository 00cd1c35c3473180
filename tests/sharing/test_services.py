"""Articles saved to each service, as its documentation says that it answers; and what is typed.

One server is all of them: it takes what a service takes, refuses what it does not know, and
remembers what it has. Written from the services' public documentation (Linkwarden's and Linkding's
limits from their schemas) and never recorded from a hosted service.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import loopback
from newsloom.kernel.delivery.values import Sent, Webhook
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.http.values import ApiReply, ApiRequest, Failure
from newsloom.kernel.ids import ArticleId, UserId
from newsloom.sharing.service.sending import send
from newsloom.sharing.services import SERVICES, checked, outcome, service, token_of
from newsloom.sharing.values import Share, SharedArticle, ShareId, ShareService, ShareServiceId
from webhook import Posts

AT = datetime(2026, 3, 2, 7, tzinfo=UTC)
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
JSON, FORM = "application/json; charset=utf-8", "application/x-www-form-urlencoded"
PAIR = base64.b64encode(b"ann@example.org:pass: word").decode()
TAGS = ["news", "from feeds"]

BAD_LOGIN = Sent("it returned status 401: wrong credentials", final=True)
FORBIDDEN = Sent("it returned status 403: wrong credentials", final=True)
REFUSED = Sent("it returned status 400: it refused the article", final=True)
BUSY = Sent("it returned status 429: too many requests")
DOWN = Sent("it returned status 503")

Answer = tuple[int, Any]  # a status and a body


@dataclass(frozen=True)
class Documented:
    """What a service takes, and its answers with what we make of them."""

    url: str
    authorization: str
    takes: Mapping[str, Any]  # every field of the article above
    saved: Answer
    again: Answer  # for an address that it has
    unauthorized: Answer
    told: Sent  # of the answer before
    refused: Answer | None = None  # for an address that is none; None: it takes any
    refusal: Sent = REFUSED
    busy: Answer = (429, {})
    wait: Sent = BUSY
    kind: str = JSON


WALLABAG = "https://read.example/sub/oauth/v2/token"
LOGIN = {
    "grant_type": "password", "client_id": "1_x", "client_secret": "c s",
    "username": "ann@example.org", "password": "pass: word",
}  # fmt: skip
TITLED = {"url": ARTICLE.url, "title": ARTICLE.title}
ENTRY = (200, {"id": 5, "url": ARTICLE.url, "is_archived": 0})

DOCUMENTED: dict[str, Documented] = {
    "wallabag": Documented(
        "https://read.example/sub/api/entries.json", "Bearer access",
        {**TITLED, "tags": "news,from feeds"}, ENTRY, ENTRY,
        (401, {"error": "invalid_grant", "error_description": "The access token is invalid."}),
        Sent("it returned status 400: wrong credentials", final=True),  # of the login
        (400, {"error": {"code": 400, "message": "Bad Request"}})),
    "readeck": Documented(
        "https://read.example/sub/api/bookmarks", "Bearer t0ken", {**TITLED, "labels": TAGS},
        (202, {"status": 202, "message": "Link submited"}),
        (202, {"status": 202, "message": "Link submited"}),
        (403, {"status": 403, "message": "Forbidden"}), FORBIDDEN,
        (422, {"is_valid": False, "fields": {"url": {"errors": ["invalid URL"]}}}),
        Sent("it returned status 422: it refused the article", final=True)),
    "linkding": Documented(
        "https://read.example/sub/api/bookmarks/", "Token t0ken",
        {**TITLED, "tag_names": TAGS, "unread": True},
        (201, {"id": 1, "url": ARTICLE.url}), (201, {"id": 1, "url": ARTICLE.url}),
        (401, {"detail": "Invalid token."}), BAD_LOGIN, (400, {"url": ["Enter a valid URL."]})),
    "karakeep": Documented(
        "https://read.example/sub/api/v1/bookmarks", "Bearer t0ken", {"type": "link", **TITLED},
        (201, {"id": "a1"}), (200, {"id": "a1", "alreadyExists": True}),
        (401, {"code": "UNAUTHORIZED", "message": "Unauthorized"}), BAD_LOGIN,
        (400, {"code": "BAD_REQUEST", "message": "Invalid URL"})),
    "linkwarden": Documented(
        "https://read.example/sub/api/v1/links", "Bearer t0ken",
        {"url": ARTICLE.url, "name": ARTICLE.title, "type": "url",
         "tags": [{"name": one} for one in TAGS]},
        (200, {"response": {"id": 1}}), (409, {"response": "Link already exists"}),
        (401, {"response": "You must be logged in."}), BAD_LOGIN,
        (400, {"response": "Error: Invalid url [url]"})),
    "raindrop": Documented(
        "https://api.raindrop.io/rest/v1/raindrop", "Bearer t0ken",
        {"link": ARTICLE.url, "title": ARTICLE.title, "tags": TAGS, "pleaseParse": {}},
        (200, {"result": True, "item": {"_id": 1}}), (200, {"result": True, "item": {"_id": 2}}),
        (401, {"result": False, "errorMessage": "Unauthorized"}), BAD_LOGIN,
        (400, {"result": False, "errorMessage": "link required"})),
    "readwise": Documented(
        "https://readwise.io/api/v3/save/", "Token t0ken", {**TITLED, "tags": TAGS},
        (201, {"id": "01", "url": "https://read.readwise.io/new/read/01"}),
        (200, {"id": "01", "url": "https://read.readwise.io/new/read/01"}),
        (401, {"detail": "Invalid token."}), BAD_LOGIN, (400, {"url": ["Enter a valid URL."]})),
    # Its bodies are the status; a 400 is too many requests, too.
    "instapaper": Documented(
        "https://www.instapaper.com/api/add", f"Basic {PAIR}", TITLED,
        (201, 201), (201, 201), (403, 403), FORBIDDEN, (400, 400),
        Sent("it returned status 400: too many requests, or an unusable URL"), (400, 400),
        Sent("it returned status 400: too many requests, or an unusable URL"), FORM),
    "obsidian": Documented(
        "https://read.example/sub/vault/Inbox/Read%20later.md", "Bearer t0ken",
        {"line": "- [ ] [Ferry “sinks” & more](<https://news.example/1?a=b&c=ü>) (News)"
         " #news #from-feeds\n"},
        (204, None), (204, None), (401, {"errorCode": 40101, "message": "Authorization required."}),
        BAD_LOGIN, kind="text/markdown"),
    "webhook": Documented(
        "https://read.example/sub", "",
        {"event": "save", "article": {
            "id": 17, "url": ARTICLE.url, "title": ARTICLE.title, "source": "News",
            "author": "Ann", "published": None}},
        (200, None), (200, None), (401, None), BAD_LOGIN),
}  # fmt: skip


@dataclass
class Served:
    """All services on one port, and how to have an article sent to one."""

    port: int = 0
    now: Documented | None = None
    out: Answer | None = None  # what is answered to everything
    known: set[str] = field(default_factory=set)
    posts: Posts = field(default_factory=Posts)

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        wanted = self.now
        assert wanted is not None
        kind = headers["content-type"]
        if path == urlsplit(WALLABAG).path and kind == FORM:
            if {key: one for key, (one,) in parse_qs(body.decode()).items()} != LOGIN:
                return 400, {"error": "invalid_grant", "error_description": "Invalid username"}
            token = {"access_token": "access", "expires_in": 3600, "token_type": "bearer"}
            return 200, token | {"refresh_token": "r", "scope": None}
        if self.out is not None:
            return self.out
        if path != urlsplit(wanted.url).path or kind != wanted.kind:
            return 404, {}
        if wanted.authorization != headers.get("authorization", ""):
            return wanted.unauthorized
        sent = body.decode()
        fields: Any = {"line": sent}
        if kind == JSON:
            fields = json.loads(sent)
        elif kind == FORM:
            fields = {key: one for key, (one,) in parse_qs(sent).items()}
        if wanted.refused is not None and "no address" in fields.values():
            return wanted.refused
        if fields != wanted.takes:
            return 418, f"{fields} is not {wanted.takes}"
        again = sent in self.known
        self.known.add(sent)
        return wanted.again if again else wanted.saved

    def send(self, kind: str, article: SharedArticle = ARTICLE, **typed: str) -> Sent:
        given = checked(service(kind), TYPED | typed)
        named = ShareService(ShareServiceId(1), UserId(1), kind, "", given, stars=False)
        return asyncio.run(self._send(Share(ShareId(3), named, article, attempts=0)))

    async def _send(self, share: Share) -> Sent:
        host = f"127.0.0.1:{self.port}"
        async with HttpApi(version="1", private_hosts=(host,)) as caller:
            return await send(share, Here(caller, host), AT)


@dataclass
class Here:
    """A caller for which every host is one."""

    caller: HttpApi
    host: str

    async def call(self, request: ApiRequest) -> ApiReply:
        here = urlsplit(request.url)._replace(scheme="http", netloc=self.host)
        return await self.caller.call(replace(request, url=here.geturl()))


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    made = Served()

    class Handler(loopback.Handler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.posts.append(body)
            made.posts.headers.append(headers)
            status, told = made.answer(self.path, headers, body)
            written = b"" if told is None else json.dumps(told).encode()
            self.send_response(status)
            if status != 204:
                self.send_header("content-length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

    with loopback.answering(Handler) as made.port:
        yield made


def test_each_service_has_a_row() -> None:
    assert list(DOCUMENTED) == [one.kind for one in SERVICES]


@pytest.mark.parametrize("kind", DOCUMENTED)
def test_an_article_is_saved_as_the_service_documents(served: Served, kind: str) -> None:
    wanted = served.now = DOCUMENTED[kind]
    assert served.send(kind) == Sent()
    assert served.send(kind) == Sent(), "it has it already"
    wrong = {"token": "wrong", "password": "wrong"}
    if wanted.authorization:
        assert served.send(kind, **wrong) == wanted.told
    if wanted.refused is not None:
        assert served.send(kind, replace(ARTICLE, url="no address")) == wanted.refusal
    for served.out, meant in ((wanted.busy, wanted.wait), ((503, None), DOWN)):
        assert served.send(kind) == meant
    served.out = None


def test_a_token_that_wallabag_takes_back_is_said(served: Served) -> None:
    served.now = DOCUMENTED["wallabag"]
    served.out = served.now.unauthorized
    assert served.send("wallabag") == BAD_LOGIN
    served.out = None


def test_linkding_gets_no_title_that_it_refuses() -> None:
    linkding = service("linkding")
    asked = linkding.save(checked(linkding, TYPED), replace(ARTICLE, title="x" * 4_000), "")
    assert len(json.loads(asked.body)["title"]) == 512


def test_a_publisher_writes_no_markup_into_a_note() -> None:
    hostile = replace(ARTICLE, title="a [b](c) <img src=d> #e", source="![f](g) `h`")
    request = service("obsidian").save(checked(service("obsidian"), TYPED), hostile, "")
    assert request.body.decode().startswith(
        r"- [ ] [a \[b\](c) \<img src=d\> \#e](<https://news.example/1?a=b&c=ü>) (!\[f\](g) \`h\`)"
    )


@pytest.mark.parametrize("secret", ["hook", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
def test_a_webhook_is_signed_as_digests_are(served: Served, secret: str) -> None:
    """By a text, or by a secret of Standard Webhooks that its receiver gave."""
    served.now = DOCUMENTED["webhook"]
    served.posts = Posts()
    assert served.send("webhook", secret=secret) == Sent()
    served.posts.assert_signed(Webhook("", secret).secret)
    (headers,) = served.posts.headers
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == ("share-3", "1772434800")
    assert secret != "hook" or Webhook("", secret).secret == "whsec_aG9vaw=="
    assert served.send("webhook", secret="") == Sent()
    assert "webhook-signature" not in served.posts.headers[-1]


@pytest.mark.parametrize("kind", DOCUMENTED)
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
        ({"secret": "whsec_!"}, "Base64"),
        ({"secret": "whsec_"}, "Base64"),
    ],
)
def test_what_is_typed_wrongly_is_said(kind: str, changes: dict[str, str], words: str) -> None:
    found = service(kind)
    if not set(changes) & {one.name for one in found.fields}:
        assert checked(found, TYPED | changes)
        return
    with pytest.raises(UserError, match=words):
        checked(found, TYPED | changes)


def test_what_an_answer_means_that_no_service_documents() -> None:
    assert outcome(ApiReply(301)) == Sent("it returned status 301")
    failed = ApiReply(failure=Failure.TIMEOUT, problem="no answer")
    assert outcome(failed) == token_of(failed) == Sent("no answer")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"access_token": 7}', b'{"access_token": ""}',
             b'{"access_token": "a\\nb"}', b'{"access_token": "\xc3\xa4"}', b"[" * 90_000],
)  # fmt: skip
def test_a_token_that_is_none(body: bytes) -> None:
    assert token_of(ApiReply(200, body=body)) == Sent("it sent no access token")
