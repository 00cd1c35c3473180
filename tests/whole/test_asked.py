"""An honest language model by the whole path: polled, asked, stored, ranked, explained; and one
that hangs, beside which everything goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from conftest import Clock

from llm.server import Asked, Script, serving
from migrated import migrated
from newsloom.app import App, open_app
from newsloom.engines.pipeline import ProgressListener
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import Settings
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.learning import shipped
from newsloom.ranking.values.models import ArticleText, Rating
from newsloom.reading.values.reading import Listed, ListQuery
from newsloom.web.app import create_app
from publisher import Publisher, rss

NEWS = (
    "Live: dam breached, lower town being evacuated",
    "A short history of the river dams",
    "Opinion: why we should read more slowly",
    "Council wins vote on the new tram line",
    "How to prune an apple tree: a guide",
)
# What the honest model says otherwise than the built-in judge: one step slower.
OTHERWISE = NEWS[3]
NEW = "Another thing happens"
NASTY = "<script>alert(1)</script> ![x](http://127.0.0.1:9/?q=a) a tram line is for years"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path, publisher: Publisher, clock: Clock) -> Callable[[str], App]:
    def make(url: str) -> App:
        settings = Settings()
        return open_app(
            replace(
                settings,
                store=replace(settings.store, path=migrated(tmp_path / "news.db")),
                fetch=replace(
                    settings.fetch, private_hosts=(publisher.host,), per_host=8, host_seconds=0
                ),
                language_model=replace(settings.language_model, url=url, model="judge"),
            ),
            clock,
        )

    return make


def follow(app: App, publisher: Publisher, path: str, *titles: str) -> FeedId:
    items = [(title, f"https://news.test/{title.replace(' ', '-')}", title) for title in titles]
    url = publisher.puts(path, rss("The News", *items))
    return app.store.reading.subscribe(app.user, url, app.now())[0]


def honest(app: App, other: dict[str, Rating]) -> Script:
    """A server that answers by the shipped head, except where told otherwise."""
    head = shipped.sensitivity_head()

    async def script(request: Asked) -> None:
        title = request.title
        text = ArticleText(0, title, "", "news.test", "", app.now(), FeedId(0))  # type: ignore[arg-type]
        (judged,) = head.rate([text], app.services.embedder.embed([embedding_text(title, "")]))
        judged = other.get(title, judged)
        await request.rate(judged.rating, "medium", judged.explanation)

    return script


def listed(app: App) -> dict[str, Listed]:
    return {one.title: one for one in app.reader().page(ListQuery(limit=100))}


def test_what_it_says_is_stored_ranked_and_explained(
    opened: Callable[[str], App], publisher: Publisher, clock: Clock
) -> None:
    async def main() -> None:
        async with serving(lambda request: request.rate()) as server:
            app = opened(server.url)
            feed = follow(app, publisher, "/feed.xml", *NEWS)
            runner = app.runner()
            await runner.once([feed])
            clock.ahead = timedelta(days=9)
            before = listed(app)
            own = before[OTHERWISE].sensitivity
            told = own - 1 if own > 1 else own + 1
            server.script = honest(app, {OTHERWISE: Rating(told, 0.6, NASTY)})
            report = await runner.ask_for(timedelta(seconds=30))
            assert (report.asked, report.stored, report.problem) == (len(NEWS), len(NEWS), "")
            after = listed(app)
            assert after[OTHERWISE].sensitivity == told
            moved = {
                title for title in NEWS if after[title].sensitivity != before[title].sensitivity
            }
            assert OTHERWISE in moved
            assert (after[OTHERWISE].score > before[OTHERWISE].score) is (told < own)
            assert after[OTHERWISE].relevance == before[OTHERWISE].relevance
            why = app.reader().why(after[OTHERWISE].id)
            assert why.rating == Rating(told, 0.6, "a tram line is for years")
            assert why.rated_by == "the language model judge"
            assert f"the built-in model, which rates {own}" in why.beside
            await page_is_inert(app, after[OTHERWISE])
            assert (await runner.ask_for(timedelta(seconds=30))).asked == 0
            app.close()

    asyncio.run(main())


async def page_is_inert(app: App, one: Listed) -> None:
    """The words stand on the page, and nothing of them does anything."""
    pages = create_app(app.reader())
    transport = httpx.ASGITransport(app=pages)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        found = await client.get(f"/articles/{one.id}/why")
    assert found.status_code == 200
    assert "a tram line is for years" in found.text
    assert "alert(1)" not in found.text
    assert "127.0.0.1:9" not in found.text


def test_a_model_that_hangs_delays_no_poll(
    opened: Callable[[str], App], publisher: Publisher
) -> None:
    """With a question under way that nobody answers, a new feed is polled, read and ranked."""

    async def main() -> None:
        hanging, ranked = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def heard(stage: str, _done: int) -> None:
            if stage == "relevance":
                loop.call_soon_threadsafe(ranked.set)

        async def hang(request: Asked) -> None:
            hanging.set()
            await asyncio.sleep(60)

        async with serving(hang) as server:
            app = opened(server.url)
            follow(app, publisher, "/first.xml", *NEWS)
            runner = app.runner()
            runner.grace = timedelta(milliseconds=100)
            await runner.once()
            passes = asyncio.create_task(runner.forever(ProgressListener(on_step=heard)))
            await asyncio.wait_for(hanging.wait(), 30)
            follow(app, publisher, "/second.xml", NEW)
            runner.nudge()
            await ranked.wait()
            assert listed(app)[NEW].scored
            assert not app.store.models.totals(
                app.language_model, app.now() - timedelta(days=1)
            ).calls
            runner.stop()
            await passes
            app.close()

    asyncio.run(main())
