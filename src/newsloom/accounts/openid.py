"""OpenID Connect's authorization code flow, decided purely: what is sent, and what is believed.

OpenID Connect Core 1.0, Discovery 1.0, RFC 7636 (PKCE), RFC 9207 (the issuer in answers).
Signatures are checked in accounts/service/openid.py; everything here comes from a provider or a
browser, and is hostile until checked.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, TypeGuard
from urllib.parse import quote, urlencode, urlsplit

from newsloom.accounts import names
from newsloom.kernel.errors import OpenIdFailed

# Never "none", and never one whose key is the client's secret.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")

# How long a browser may take at the provider, and how far its clock may be from ours.
ATTEMPT = timedelta(minutes=10)
SKEW = timedelta(minutes=1)

# Core, 2: a subject is at most 255 ASCII characters.
LONGEST_SUBJECT = 255

DISCOVERY = "/.well-known/openid-configuration"

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
_NOT_OF_NAMES = re.compile(r"[^\w.@+-]+")


@dataclass(frozen=True, slots=True)
class Client:
    """What the settings say of the provider, and what it knows us by."""

    issuer: str
    id: str
    secret: str  # empty: a public client, which PKCE alone protects
    scopes: tuple[str, ...] = ("openid", "profile")
    name_claim: str = "preferred_username"

    def __repr__(self) -> str:
        """Without the secret, which has no place in a log."""
        return f"Client({self.issuer!r}, {self.id!r})"


@dataclass(frozen=True, slots=True)
class Provider:
    """What its discovery document says."""

    issuer: str
    authorization: str
    token: str
    keys: str
    user_info: str  # empty: it has none
    secret_in_body: bool  # it does not take the secret as HTTP's Basic scheme
    names_itself: bool  # its answers carry `iss` (RFC 9207)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a browser that is sent to the provider brings back, in a cookie of its own."""

    state: str
    nonce: str
    verifier: str
    at: int  # seconds since 1970
    to: str = ""  # where it wanted to go
    invited: str = ""  # the token of an invitation that it accepts
    connects: bool = False  # an account that is signed in gets this identity


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a provider signed in."""

    issuer: str
    subject: str
    name: str  # what it calls them; perhaps empty


def provider(document: object, issuer: str) -> Provider:
    """What a discovery document says. Raises OpenIdFailed."""
    if not isinstance(document, Mapping):
        raise OpenIdFailed("its configuration is not a JSON object")
    if document.get("issuer") != issuer:
        # Discovery, 4.3: it must be the very same, or somebody else answers for it.
        raise OpenIdFailed("its issuer differs from the setting openid.issuer")
    methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    info = "userinfo_endpoint"
    return Provider(
        issuer=issuer,
        authorization=_endpoint(document, "authorization_endpoint"),
        token=_endpoint(document, "token_endpoint"),
        keys=_endpoint(document, "jwks_uri"),
        user_info=_endpoint(document, info) if info in document else "",
        secret_in_body="client_secret_basic" not in methods,
        names_itself=document.get("authorization_response_iss_parameter_supported") is True,
    )


def _endpoint(document: Mapping[str, Any], name: str) -> str:
    url = document.get(name)
    if not isinstance(url, str) or not safe_address(url):
        raise OpenIdFailed(f"its {name} is not an https address")
    return url


def safe_address(url: str) -> bool:
    """Whether a secret may be sent there: by https, or to this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    return bool(parts.hostname) and (parts.scheme == "https" or local)


def authorization_url(client: Client, provider: Provider, attempt: Attempt, back: str) -> str:
    """Where the browser is sent."""
    query = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": back,
        "scope": " ".join(client.scopes),
        "state": attempt.state,
        "nonce": attempt.nonce,
        "code_challenge": challenge(attempt.verifier),
        "code_challenge_method": "S256",
    }
    joint = "&" if "?" in provider.authorization else "?"
    return provider.authorization + joint + urlencode(query)


def challenge(verifier: str) -> str:
    """What the code is tied to (RFC 7636, 4.2)."""
    return _base64(hashlib.sha256(verifier.encode("ascii")).digest())


def code_request(
    client: Client, provider: Provider, attempt: Attempt, code: str, back: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The headers and the form that trade a code for tokens."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": attempt.verifier,
    }
    if not client.secret or provider.secret_in_body:
        form["client_id"] = client.id
        if client.secret:
            form["client_secret"] = client.secret
        return {}, form
    # RFC 6749, 2.3.1: both are form-encoded before they are joined.
    pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
    return {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}, form


def packed(attempt: Attempt) -> str:
    """An attempt as a cookie keeps it."""
    return _base64(json.dumps(asdict(attempt), separators=(",", ":")).encode())


def unpacked(cookie: str, state: str, now: datetime) -> Attempt:
    """The attempt of a cookie, for the answer that carries its state. Raises OpenIdFailed."""
    try:
        padded = cookie + "=" * (-len(cookie) % 4)
        given: dict[str, Any] = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
        attempt = Attempt(
            state=given["state"],
            nonce=given["nonce"],
            verifier=given["verifier"],
            at=given["at"],
            to=given["to"],
            invited=given["invited"],
            connects=given["connects"] is True,
        )
        at = datetime.fromtimestamp(attempt.at, now.tzinfo)
    except (*_UNREADABLE, OSError, RecursionError):
        raise OpenIdFailed(LOST) from None
    texts: list[object] = [given[one] for one in ("state", "nonce", "verifier", "to", "invited")]
    if not all(isinstance(one, str) and one.isascii() for one in texts) or not attempt.state:
        raise OpenIdFailed(LOST)
    if attempt.state != state or not -SKEW <= now - at <= ATTEMPT:
        raise OpenIdFailed(LOST)
    return attempt


LOST = "this browser did not start it, or it took longer than ten minutes"


def identity(
    claims: Mapping[str, Any], client: Client, nonce: str, now: datetime
) -> tuple[str, str]:
    """Subject and name of an ID token whose signature is right (Core, 3.1.3.7).

    Raises OpenIdFailed.
    """
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    party = claims.get("azp")
    wrong = (
        claims.get("iss") != client.issuer
        or client.id not in audiences
        or (len(audiences) > 1 and party != client.id)
        or (party is not None and party != client.id)
    )
    if wrong:
        raise OpenIdFailed("its token is for another audience")
    if claims.get("nonce") != nonce:
        raise OpenIdFailed("its token belongs to another attempt")
    over, made = claims.get("exp"), claims.get("iat")
    if not _number(over) or not _number(made):
        raise OpenIdFailed("its token has no expiry time")
    if now.timestamp() >= over + SKEW.total_seconds():
        raise OpenIdFailed("its token has expired; check the clock of this machine")
    if made > now.timestamp() + SKEW.total_seconds():
        raise OpenIdFailed("its token is not valid yet; check the clock of this machine")
    return subject(claims), name_of(claims, client)


def subject(claims: Mapping[str, Any]) -> str:
    """By what the provider knows somebody. Raises OpenIdFailed."""
    found: object = claims.get("sub")
    if not isinstance(found, str) or not found.isascii() or not 0 < len(found) <= LONGEST_SUBJECT:
        raise OpenIdFailed("it does not name the user")
    return found


def name_of(claims: Mapping[str, Any], client: Client) -> str:
    """What a provider calls somebody; empty where it does not say."""
    found = claims.get(client.name_claim)
    return found[:200] if isinstance(found, str) else ""


def account_name(called: str) -> str:
    """The name of an account for whom a provider calls so. Raises UserError.

    What names cannot have becomes a hyphen: Mary Ann becomes mary-ann.
    """
    plain = _NOT_OF_NAMES.sub("-", names.folded(called)).strip("-._+@")
    return names.checked(plain)


def _number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
