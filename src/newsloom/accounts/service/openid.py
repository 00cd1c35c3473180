"""Asks an OpenID Connect provider whom it signed in: its configuration, the code, the signature.

What is believed is decided in accounts/openid.py. Only the provider that the settings name is
asked, by the client for such services, which follows no redirect.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from newsloom.accounts import openid, tokens
from newsloom.accounts.openid import Attempt, Client, Identity, Provider
from newsloom.kernel.errors import OpenIdFailed
from newsloom.kernel.http.values import ApiRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsloom.kernel.http.ports import ApiCaller

log = logging.getLogger(__name__)

# How long its configuration and keys are believed. A key that is not among them is looked for at
# once, at most every minute: providers change their keys, and anybody can send an unknown number.
BELIEVED = timedelta(hours=1)
LOOKED_AGAIN = timedelta(minutes=1)

SECONDS = 15.0
MOST_BYTES = 500_000


@dataclass(slots=True)
class _Known:
    """What was last heard of the provider."""

    provider: Provider | None = None
    keys: Any = None  # a joserfc KeySet
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OpenId:
    """One provider, as the settings name it."""

    client: Client
    call: ApiCaller
    now: Callable[[], datetime]
    random: Callable[[int], bytes]
    called: str = ""  # what people know the provider as
    make_users: bool = False  # whether whom it signs in first gets an account
    _known: _Known = field(default_factory=_Known)

    async def begin(
        self, back: str, *, to: str = "", invited: str = "", connects: bool = False
    ) -> tuple[str, str]:
        """Where to send the browser, and the cookie that it brings back. Raises OpenIdFailed."""
        known = await self._provider()
        attempt = Attempt(
            state=self._token(),
            nonce=self._token(),
            verifier=self._token(),
            at=int(self.now().timestamp()),
            to=to,
            invited=invited,
            connects=connects,
        )
        return openid.authorization_url(self.client, known, attempt, back), openid.packed(attempt)

    def returned(self, cookie: str, state: str, issuer: str | None, error: str) -> Attempt:
        """The attempt that an answer belongs to. Raises OpenIdFailed."""
        attempt = openid.unpacked(cookie, state, self.now())
        known = self._known.provider
        strict = known is not None and known.names_itself
        if (issuer is not None and issuer != self.client.issuer) or (strict and issuer is None):
            raise OpenIdFailed("the response is from another provider")
        if error:
            raise OpenIdFailed(_refusals(error))
        return attempt

    async def identity(self, attempt: Attempt, code: str, back: str) -> Identity:
        """Whom the provider signed in. Raises OpenIdFailed."""
        known = await self._provider()
        headers, form = openid.code_request(self.client, known, attempt, code, back)
        given = await self._get_json(known.token, headers, form)
        token = given.get("id_token")
        if not isinstance(token, str):
            raise OpenIdFailed("it sent no token")
        claims = await self._claims(token)
        subject, name = openid.identity(claims, self.client, attempt.nonce, self.now())
        if not name and known.user_info:
            name = await self._name(known, given.get("access_token"), subject)
        return Identity(self.client.issuer, subject, name)

    async def _name(self, known: Provider, access: object, subject: str) -> str:
        """What the provider calls somebody where its token does not say (Core, 5.3)."""
        if not isinstance(access, str):
            return ""
        given = await self._get_json(known.user_info, {"Authorization": f"Bearer {access}"})
        same = openid.subject(given) == subject
        return openid.name_of(given, self.client) if same else ""

    async def _claims(self, token: str) -> dict[str, Any]:
        """What a token says, once its signature is right. Raises OpenIdFailed."""
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError, JoseError

        async def read() -> dict[str, Any]:
            keys = await self._keys()
            return dict(jwt.decode(token, keys, algorithms=list(openid.ALGORITHMS)).claims)

        try:
            try:
                return await read()
            except InvalidKeyIdError:
                known = self._known
                if known.at is not None and self.now() - known.at >= LOOKED_AGAIN:
                    known.provider, known.keys = None, None
                return await read()
        except (JoseError, ValueError, TypeError, KeyError):
            raise OpenIdFailed("the signature of its token is invalid") from None

    async def _keys(self) -> Any:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        known = await self._provider()
        if self._known.keys is None:
            given = await self._get_json(known.keys)
            try:
                self._known.keys = KeySet.import_key_set(given)  # type: ignore[arg-type]
            except (JoseError, ValueError, TypeError, KeyError):
                raise OpenIdFailed("its keys cannot be read") from None
        return self._known.keys

    async def _provider(self) -> Provider:
        """The provider's configuration, asked again now and then. Raises OpenIdFailed."""
        known, now = self._known, self.now()
        if known.provider is not None and known.at is not None and now - known.at < BELIEVED:
            return known.provider
        given = await self._get_json(self.client.issuer.rstrip("/") + openid.DISCOVERY)
        known.provider = openid.provider(given, self.client.issuer)
        known.keys, known.at = None, now
        return known.provider

    async def _get_json(
        self, url: str, headers: dict[str, str] | None = None, form: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """The JSON object at an address of the provider. Raises OpenIdFailed."""
        sent = {"Accept": "application/json"} | (headers or {})
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        reply = await self.call.call(
            ApiRequest(
                "GET" if form is None else "POST",
                url,
                tuple(sent.items()),
                b"" if form is None else urlencode(form).encode(),
                timeout_seconds=SECONDS,
                max_bytes=MOST_BYTES,
            )
        )
        if reply.failure is not None:
            log.warning("The OpenID Connect provider could not be asked: %s", reply.problem)
            raise OpenIdFailed("it does not respond")
        try:
            found = json.loads(reply.body)
        except (ValueError, RecursionError):
            found = None
        if reply.status != 200 or not isinstance(found, dict):
            said = found.get("error") if isinstance(found, dict) else None
            words = f", {_plain(said)}" if isinstance(said, str) else ""
            raise OpenIdFailed(f"it returned status {reply.status}{words}")
        return found

    def _token(self) -> str:
        return tokens.token(self.random(tokens.SESSION_BYTES))


def _refusals(error: str) -> str:
    """What a provider's error means (RFC 6749, 4.1.2.1)."""
    if error == "access_denied":
        return "access was denied"
    return f"it says {_plain(error)}"


def _plain(words: str) -> str:
    """A provider's word for an error, as far as the standard allows its signs."""
    return "".join(one for one in words[:80] if one.isascii() and one.isprintable())
