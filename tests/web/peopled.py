"""A world with accounts in it, and browsers that keep cookies."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal

from newsloom.accounts.service import people
from newsloom.accounts.service.account_service import AccountService, Hasher
from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.accounts.service.openid import OpenId
from newsloom.accounts.values import Role
from newsloom.kernel.ids import UserId
from newsloom.web.app import create_app
from newsloom.web.auth import AuthServices
from newsloom.web.proxies import Proxies
from web.world import World

HOME = "http://localhost:8765"
SAME = {"sec-fetch-site": "same-origin"}
ANNA, BOB = ("anna", "anna's long password"), ("bob", "bob's long password")


class Counting:
    """Random bytes that differ, and are the same in each run."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self, size: int) -> bytes:
        self.given += 1
        return self.given.to_bytes(size, "big")


def desk_of(world: World, **more: Any) -> AccountService:
    """Hashing is as usual, but cheap."""
    return AccountService(
        world.store, world.user, lambda: world.now, Counting(), Hasher(memory_kib=64), **more
    )


@dataclass
class Peopled:
    """The pages of a world, for several people."""

    world: World
    always: bool = False
    proxies: Proxies = field(default_factory=Proxies)
    url: str = ""
    first_here: bool = True
    openid: OpenId | None = None

    def __post_init__(self) -> None:
        self.desk = desk_of(self.world, always=self.always)
        self.app = create_app(
            self.world.reader(),
            hosts=("reader.example",),
            auth=AuthServices(
                self.desk,
                self.reader_of,
                self.url,
                self.first_here,
                openid=self.openid,
                passwords=AppPasswords(self.world.store, lambda: self.world.now),
            ),
            proxies=self.proxies,
        )

    def reader_of(self, user: UserId) -> Any:
        return replace(self.world, user=user).reader()

    def add(self, who: tuple[str, str], role: Role = Role.READER) -> UserId:
        return people.add(self.desk, *who, role).user

    def program(self, user: UserId, name: str = "program") -> Program:
        """A program with a new app password of somebody."""
        account = self.world.store.accounts.account_of(user)
        assert account is not None
        return Program(self.app, people.add_app_password(self.desk, account, name))

    def browser(self, who: tuple[str, str] | None = None, **more: Any) -> Browser:
        found = Browser(self.app, **more)
        if who is not None:
            answer = found.sign_in(*who)
            assert answer.status_code == 303, answer.text
        return found


@cache
def loop() -> BlockingPortal:
    """The event loop of this process's requests; one for each would start threads each time."""
    kept = ExitStack()
    atexit.register(kept.close)
    return kept.enter_context(start_blocking_portal())


class Browser:
    """Keeps cookies; follows nothing; runs no scripts."""

    def __init__(self, app: Any, address: str = "198.51.100.7", home: str = HOME) -> None:
        self.app, self.address, self.home = app, address, home
        self.cookies = httpx.Cookies()

    def sign_in(self, name: str, password: str, **more: str) -> httpx.Response:
        return self.post("/sign-in", {"name": name, "password": password, **more})

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, data: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        return self.ask("POST", path, data=data or {}, headers=SAME | headers)

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(
                self.app, raise_app_exceptions=False, client=(self.address, 50_000)
            )
            async with httpx.AsyncClient(
                transport=transport, base_url=self.home, cookies=self.cookies
            ) as client:
                answer = await client.request(method, path, **request)
                self.cookies = client.cookies
                return answer

        return loop().call(asking)


@dataclass
class Program:
    """Shows an app password with each request, and keeps nothing."""

    app: Any
    secret: str

    def ask(self, method: str, path: str, json: Any = None, **request: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret}", **request.pop("headers", {})}
        browser = Browser(self.app, address="198.51.100.9")
        return browser.ask(method, path, json=json, headers=headers, **request)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, json: Any = None) -> httpx.Response:
        return self.ask("POST", path, {} if json is None else json)
