"""A reader behind a reverse proxy, under a path, in a real browser: nothing leads out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

import loopback
from newsloom.web.proxies import Proxies, networks
from web.chromium import WIDE, serving
from web.keyboard import pick, visit
from web.world import World

pytestmark = pytest.mark.browser

ROOT = "/news"
HOPS = frozenset({"connection", "keep-alive", "transfer-encoding", "content-encoding", "date"})


@contextmanager
def reverse_proxy(to: str, *, strips: bool) -> Iterator[tuple[str, list[str]]]:
    """A small one: its address, and what was asked of it outside the path."""
    strays: list[str] = []

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            if self.path != ROOT and not self.path.startswith(f"{ROOT}/"):
                strays.append(self.path)
                self.send_error(404)
                return
            length = int(self.headers.get("content-length", 0))
            path = self.path.removeprefix(ROOT) or "/" if strips else self.path
            headers = {name: value for name, value in self.headers.items() if name != "Host"}
            answer = httpx.request(
                self.command,
                to + path,
                content=self.rfile.read(length),
                headers={
                    **headers,
                    "X-Forwarded-For": self.client_address[0],
                    "X-Forwarded-Proto": "http",
                    "X-Forwarded-Host": self.headers["Host"],
                },
                follow_redirects=False,
                timeout=60,
            )
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                if name.lower() not in HOPS | {"content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = forward

    with loopback.answering(Handler) as port:
        yield f"http://localhost:{port}", strays


@pytest.mark.parametrize("strips", [False, True], ids=["passes the path on", "takes it away"])
def test_a_reader_never_leaves_the_path(world: World, chromium: Any, strips: bool) -> None:
    proxies = Proxies(ROOT, networks(("127.0.0.1",)))
    with (
        serving(world, proxies=proxies) as behind,
        reverse_proxy(behind, strips=strips) as (front, strays),
    ):
        context = chromium.new_context(viewport=WIDE)
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        visit(page, f"{front}{ROOT}/")
        row = page.locator("#rows .row").first
        row.hover()
        row.locator("button.star").click()
        page.locator("#toast .said").wait_for()
        assert page.locator("#rows .row").first.get_attribute("data-starred") == "1"
        page.keyboard.press("u")  # undo, by htmx
        page.locator("#rows .row:first-child[data-starred='0']").wait_for()
        pick(page, row, "Why it ranks here")
        row.locator(".why-words .bars, .why-words p").first.wait_for()
        row.locator("a.open").click()
        page.locator("#text").wait_for()
        assert page.locator("#text").inner_text()
        page.keyboard.press("Escape")
        page.locator("#rows").wait_for()
        page.locator(".house a").click()
        page.locator(".themes button[value=dark]").click()
        page.wait_for_load_state()
        assert page.locator("html").get_attribute("data-theme") == "dark"
        for name in ("Feeds", "Stories", "Newsloom knows", "Digest", "Sources", "Notif"):
            page.locator("#side .house a").click()
            page.locator("#side .ways a, .settings a", has_text=name).first.click()
            page.wait_for_load_state()
            assert page.url.startswith(f"{front}{ROOT}/"), page.url
        page.locator("#q").fill("tide")
        page.locator("#q").press("Enter")
        page.wait_for_url(f"{front}{ROOT}/search?*")
        page.locator("a.brand").click()
        page.locator("#rows").wait_for()
        cookies = {one["name"]: one["path"] for one in context.cookies()}
        assert set(cookies.values()) == {f"{ROOT}/"}, cookies
        context.close()
    assert strays == []
    assert complaints == []
