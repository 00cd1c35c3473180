"""Real articles with labels in a store whose stories wait for a language model, and models that
answer by the labels."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from conftest import Whole

from llm.server import Asked, Script, serving
from newsloom.app import App
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.llm.untrusted import cut, shown
from newsloom.stories.purposes.story import TITLE_BYTES
from newsloom.stories.values.pages import OfferedStory, StoryAsk, StoryChanges, StoryId
from newsloom_lab.evaluate.stories import StoryMeasures, measures
from publisher import Publisher

MODEL = "judge"
FEEDS = 6
# Articles from the begin of the file: they bring enough controls of both kinds, and show a good
# judge's difference in each run (150 showed it in most).
ARTICLES = 240
# A server that failed five times in a row is left alone for five minutes, and one that asks for it
# as long as it says.
REST = timedelta(hours=1)

News = list[dict[str, Any]]


def news(file: Path, now: datetime) -> News:
    """The first of them by date, the last of these an hour ago."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    first = sorted(rows, key=dated)[:ARTICLES]
    later = now - timedelta(hours=1) - dated(first[-1])
    return [one | {"published": (dated(one) + later).isoformat()} for one in first]


def dated(one: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(one["published"])


def publish(publisher: Publisher, rows: News) -> list[str]:
    """As JSON feeds; their addresses."""
    urls = []
    for feed in range(FEEDS):
        items = [
            {
                "id": one["id"],
                "url": one["url"],
                "title": one["title"],
                "content_text": one["summary"],
                "date_published": one["published"],
            }
            for one in rows[feed::FEEDS]
        ]
        whole = {"version": "https://jsonfeed.org/version/1.1", "title": f"Feed {feed}"}
        urls.append(publisher.puts(f"/feed{feed}.json", json.dumps(whole | {"items": items})))
    return urls


def with_model(settings: Settings, url: str, **changes: Any) -> Settings:
    model = replace(
        settings.language_model, url=url, model=MODEL, timeout_seconds=2.0, daily_tokens=0
    )
    return replace(settings, language_model=replace(model, **changes))


def clear_cases(app: App, known: News) -> tuple[StoryAsk, ...]:
    """Controls as a program that ran for days has asked them: articles of stories that the labels
    call one, and the same beside stories that they are not of."""
    labels = {one["title"]: one["story"] for one in known}
    stories: dict[StoryId, list[tuple[ArticleId, str]]] = {}
    found = rows(
        app,
        "SELECT a.id, a.title, m.story_id FROM story_members m JOIN articles a"
        " ON a.id = m.article_id WHERE a.id NOT IN (SELECT article_id FROM story_questions)"
        " ORDER BY a.id",
    )
    for one in found:
        if one.title in labels:
            stories.setdefault(StoryId(one.story_id), []).append(
                (ArticleId(one.id), labels[one.title])
            )
    pure = {story: those for story, those in stories.items() if len({of for _, of in those}) == 1}
    several = [story for story, those in pure.items() if len(those) > 1]
    asks = []
    for at, story in enumerate(several):
        others = [one for one in several if pure[one][0][1] != pure[story][0][1]][:3]
        article = pure[story][0][0]
        own = others if at % 2 else [story, *others]
        offered = tuple(OfferedStory(one, "", 0.96 if one == story else 0.05, 0.5) for one in own)
        asks.append(StoryAsk(article, offered, control=True))
    return tuple(asks)


def put_questions(app: App, asks: tuple[StoryAsk, ...]) -> None:
    changes = StoryChanges(app.store.stories.story_generation(), questions=asks)
    app.store.stories.put_stories("test", app.services.embedder.model_id, changes, app.now())


def ask(whole: Whole, script: Script, times: int = 1, **changes: Any) -> App:
    """Ask what waits, as passes do it, so often; the app it was asked by."""

    async def main() -> App:
        async with serving(script) as server:
            settings = with_model(whole.app.settings, server.url, **changes)
            app = replace(whole.app, settings=settings)
            for _ in range(times):
                await app.runner().ask_for(timedelta(seconds=90))
                whole.clock.ahead += REST
            return app

    return asyncio.run(main())


def rows(app: App, query: str) -> list[Any]:
    with app.store.database.read() as connection:
        return list(connection.exec_driver_sql(query))


def measured(app: App, known: News) -> StoryMeasures:
    """How the stories are, by the labels of their articles."""
    labels = {one["title"]: one["story"] for one in known}
    found = rows(
        app,
        "SELECT a.title, m.story_id FROM story_members m JOIN articles a ON a.id = m.article_id",
    )
    told = [(labels[one.title], one.story_id) for one in found if one.title in labels]
    return measures([label for label, _story in told], [story for _label, story in told])


@dataclass(frozen=True)
class Judge:
    """Answers by the labels."""

    labels: Mapping[str, str]  # titles as they are shown to a model, and their labels

    @classmethod
    def of(cls, known: News) -> Judge:
        return cls({cut(shown(one["title"]), TITLE_BYTES): one["story"] for one in known})

    def right(self, request: Asked) -> dict[str, Any]:
        """The offered story most of whose titles have the article's label."""
        label = self.labels.get(request.title, request.title)
        best = max(self._offered(request, label), default=(0, 0))
        return answer(best[1]) if best[0] else answer(0)

    def wrong(self, request: Asked) -> dict[str, Any]:
        """New where it has a story, another story where it has none."""
        if self.right(request)["choice"] == "assign":
            return answer(0)
        return answer(len(list(self._offered(request, ""))))

    def _offered(self, request: Asked, label: str) -> Sequence[tuple[int, int]]:
        """How many titles of each story have the label, and its number."""
        found = []
        for number, titles in re.findall(r"^\[(\d+)\] (.*)$", request.user, re.MULTILINE):
            shown = titles.split(" / ")  # a long title may be cut
            labels = [
                known
                for title, known in self.labels.items()
                if any(title.startswith(one) for one in shown)
            ]
            common = Counter(labels).most_common(1)
            of_it = bool(common) and common[0][0] == label
            found.append((labels.count(label) if of_it else 0, int(number)))
        return found


def answer(story: int) -> dict[str, Any]:
    return {
        "choice": "assign" if story else "new",
        "story": story,
        "reason": "It reports the same event." if story else "It is another event.",
        "confidence": 0.9,
        "relation": "direct" if story else "none",
    }


def is_story(request: Asked) -> bool:
    return "which news story an article belongs to" in request.body["messages"][0]["content"]
