"""The services to which articles are saved, each with its fields and its one or two requests.

Written from their published interfaces, and from how Miniflux' integrations speak them; a service
without an address field lives at the one that is named here.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from newsloom.kernel.delivery.values import Sent, Webhook
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.values import ApiReply, ApiRequest
from newsloom.sharing.values import SharedArticle

SECONDS = 20.0
MOST_BYTES = 200_000
LONGEST_FIELD = 2_000

Given = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """What a reader types in for a service."""

    name: str
    label: str
    secret: bool = False
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Service:
    """A kind of service."""

    kind: str
    called: str
    fields: tuple[Field, ...]
    # The request that saves; the token is what `log_in` was answered, or empty.
    save: Callable[[Given, SharedArticle, str], ApiRequest]
    # The request that is answered with an access token; None: the fields are enough.
    log_in: Callable[[Given], ApiRequest] | None = None
    # What statuses mean here, where that is not what they mean elsewhere.
    statuses: tuple[tuple[int, Sent], ...] = ()


ADDRESS = Field("url", "URL, for example https://read.example")
TOKEN = Field("token", "API token", secret=True)
LABELS = Field("labels", "Labels, separated by commas", needed=False)

# Linkding refuses longer ones.
_LINKDING_TITLE = 512


def _wallabag_log_in(given: Given) -> ApiRequest:
    form = {
        "grant_type": "password",
        "client_id": given["client"],
        "client_secret": given["client_secret"],
        "username": given["user"],
        "password": given["password"],
    }
    return _form(_at(given, "/oauth/v2/token"), form)


def _wallabag(given: Given, article: SharedArticle, token: str) -> ApiRequest:
    body = {"url": article.url, "title": article.title, "tags": ",".join(_labels(given))}
    return _json(_at(given, "/api/entries.json"), body, f"Bearer {token}")


def _readeck(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {"url": article.url, "title": article.title, "labels": _labels(given)}
    return _json(_at(given, "/api/bookmarks"), body, f"Bearer {given['token']}")


def _linkding(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {
        "url": article.url,
        "title": article.title[:_LINKDING_TITLE],
        "tag_names": _labels(given),
        "unread": True,
    }
    return _json(_at(given, "/api/bookmarks/"), body, f"Token {given['token']}")


def _karakeep(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {"type": "link", "url": article.url, "title": article.title}
    return _json(_at(given, "/api/v1/bookmarks"), body, f"Bearer {given['token']}")


def _linkwarden(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {
        "url": article.url,
        "name": article.title,
        "type": "url",
        "tags": [{"name": one} for one in _labels(given)],
    }
    return _json(_at(given, "/api/v1/links"), body, f"Bearer {given['token']}")


def _raindrop(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {
        "link": article.url,
        "title": article.title,
        "tags": _labels(given),
        "pleaseParse": {},
    }
    return _json("https://api.raindrop.io/rest/v1/raindrop", body, f"Bearer {given['token']}")


def _readwise(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {"url": article.url, "title": article.title, "tags": _labels(given)}
    return _json("https://readwise.io/api/v3/save/", body, f"Token {given['token']}")


def _instapaper(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    form = {"url": article.url, "title": article.title}
    pair = base64.b64encode(f"{given['user']}:{given['password']}".encode()).decode()
    return _form("https://www.instapaper.com/api/add", form, f"Basic {pair}")


def _obsidian(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    """A line at the end of a note, by Obsidian's plugin Local REST API."""
    title, source = (
        re.sub(r"([\\\[\]<>#`])", r"\\\1", " ".join(one.split()))
        for one in (article.title or article.url, article.source)
    )
    tags = "".join(" #" + re.sub(r"[^\w/-]+", "-", one) for one in _labels(given))
    url = article.url.replace("<", "%3C").replace(">", "%3E")
    line = f"- [ ] [{title}](<{url}>) ({source}){tags}\n"
    note = quote(given["note"].strip("/"))
    return _post(
        _at(given, f"/vault/{note}"), line.encode(), "text/markdown", f"Bearer {given['token']}"
    )


def _webhook(given: Given, article: SharedArticle, _token: str) -> ApiRequest:
    body = {
        "event": "save",
        "article": {
            "id": article.id,
            "url": article.url,
            "title": article.title,
            "source": article.source,
            "author": article.author,
            "published": article.published.isoformat() if article.published else None,
        },
    }
    return _json(given["url"], body)


SERVICES: tuple[Service, ...] = (
    Service(
        "wallabag",
        "Wallabag",
        (
            ADDRESS,
            Field("client", "Client id (from Wallabag's page API clients management)"),
            Field("client_secret", "Client secret", secret=True),
            Field("user", "User name"),
            Field("password", "Password", secret=True),
            LABELS,
        ),
        _wallabag,
        _wallabag_log_in,
    ),
    Service("readeck", "Readeck", (ADDRESS, TOKEN, LABELS), _readeck),
    Service("linkding", "Linkding", (ADDRESS, TOKEN, LABELS), _linkding),
    Service("karakeep", "Karakeep (Hoarder)", (ADDRESS, TOKEN), _karakeep),
    # It has the address already, and the reader wants no address twice there.
    Service(
        "linkwarden",
        "Linkwarden",
        (ADDRESS, TOKEN, LABELS),
        _linkwarden,
        statuses=((409, Sent()),),
    ),
    Service("raindrop", "Raindrop.io", (TOKEN, LABELS), _raindrop),
    Service("readwise", "Readwise Reader", (TOKEN, LABELS), _readwise),
    Service(
        "instapaper",
        "Instapaper",
        (Field("user", "Email address"), Field("password", "Password", secret=True)),
        _instapaper,
        statuses=((400, Sent("it returned status 400: too many requests, or an unusable URL")),),
    ),
    Service(
        "obsidian",
        "Obsidian (Local REST API)",
        (ADDRESS, TOKEN, Field("note", "Note, for example Inbox/Read later.md"), LABELS),
        _obsidian,
    ),
    Service(
        "webhook",
        "Webhook (JSON by POST)",
        (
            Field("url", "URL"),
            Field("secret", "Signing secret", secret=True, needed=False),
        ),
        _webhook,
    ),
)

# After these it is of no use to try again: the request or the login is wrong.
_FINAL = frozenset({400, 401, 403, 404, 405, 410, 422})
_STATUS_WORDS: Mapping[int, str] = {
    400: "it refused the article",
    401: "wrong credentials",
    403: "wrong credentials",
    404: "wrong URL",
    405: "wrong URL",
    422: "it refused the article",
    429: "too many requests",
}


def service(kind: str) -> Service:
    """Raises UserError for a kind that there is none of."""
    found = next((one for one in SERVICES if one.kind == kind), None)
    if found is None:
        raise UserError(f"Unknown service: {kind!r:.40}.")
    return found


def checked(kind: Service, typed: Given) -> dict[str, str]:
    """The fields of a service as they are kept. Raises UserError saying which is wrong."""
    given = {}
    for field in kind.fields:
        value = typed.get(field.name, "").strip()
        if field.needed and not value:
            raise UserError(f"{kind.called} needs: {field.label}.")
        if len(value) > LONGEST_FIELD or not value.isprintable():
            raise UserError(f"{field.label}: too long, or contains invalid characters.")
        given[field.name] = value
    if "url" in given:
        given["url"] = _address(given["url"])
    if not _signs(given.get("secret", "")):
        raise UserError("After whsec_ a signing secret is in Base64.")
    return given


def token_of(reply: ApiReply) -> str | Sent:
    """The access token of an answer, or what is wrong with it."""
    # RFC 6749, 5.2: wrong credentials are a 400.
    came = outcome(reply, [(400, Sent("it returned status 400: wrong credentials", final=True))])
    if came.problem:
        return came
    try:
        token = json.loads(reply.body)["access_token"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return Sent("it sent no access token")
    # It goes into a header.
    plain = isinstance(token, str) and token.isascii() and token.isprintable() and token
    return token if plain else Sent("it sent no access token")


def outcome(reply: ApiReply, statuses: Iterable[tuple[int, Sent]] = ()) -> Sent:
    """What an answer means, to a service with these meanings of its own."""
    if reply.failure is not None:
        return Sent(reply.problem or str(reply.failure))
    if 200 <= reply.status < 300:
        return Sent()
    words = _STATUS_WORDS.get(reply.status, "")
    general = Sent(
        f"it returned status {reply.status}{words and ': '}{words}", reply.status in _FINAL
    )
    return dict(statuses).get(reply.status, general)


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and not parts.fragment
        # What stands before an @ would be shown on the page.
        good = good and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise UserError("Enter the URL of the service, for example https://read.example.")
    return url.rstrip("/") if not parts.query else url


def _signs(secret: str) -> bool:
    try:
        return not secret or bool(Webhook("", secret).key)
    except ValueError:
        return False


def _at(given: Given, path: str) -> str:
    return given["url"] + path


def _labels(given: Given) -> list[str]:
    return [one.strip() for one in given.get("labels", "").split(",") if one.strip()]


def _json(url: str, body: Any, authorization: str = "") -> ApiRequest:
    written = json.dumps(body, ensure_ascii=False).encode()
    return _post(url, written, "application/json; charset=utf-8", authorization)


def _form(url: str, form: Mapping[str, str], authorization: str = "") -> ApiRequest:
    return _post(url, urlencode(form).encode(), "application/x-www-form-urlencoded", authorization)


def _post(url: str, body: bytes, kind: str, authorization: str) -> ApiRequest:
    headers = [("Content-Type", kind), ("Accept", "application/json")]
    if authorization:
        headers.append(("Authorization", authorization))
    return ApiRequest("POST", url, tuple(headers), body, SECONDS, MOST_BYTES)
