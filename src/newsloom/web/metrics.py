"""How Newsloom does, as Prometheus reads it. Nothing here tells what anybody reads.

Names follow Prometheus: base units, `_total` for what only grows. Requests are counted without
their paths, which would tell of articles and lists.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from newsloom import __version__
from newsloom.engines.jobs.values import HistoryJob, JobState
from newsloom.feeds.values.polling import PollingFigures

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from newsloom.reading.values.results import Activity

# Seconds. The goal is a tenth of a second for 99 pages of 100.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(slots=True)
class Requests:
    """Requests answered, by method and status; and how long they took."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def add(self, method: str, status: int, seconds: float) -> None:
        """Called from the event loop alone."""
        known = method if method in {"GET", "POST", "HEAD"} else "other"
        key = known, str(status)
        self.counts[key] = self.counts.get(key, 0) + 1
        self.seconds += seconds
        place = next((at for at, most in enumerate(BUCKETS) if seconds <= most), len(BUCKETS))
        self.buckets[place] += 1


@dataclass(frozen=True, eq=False)  # a registry looks its collectors up
class Metrics:
    """What is told, and to whom: whoever knows the token, or without one this machine alone."""

    figures: Callable[[datetime], PollingFigures]
    store_bytes: Callable[[], int]
    set_aside: Callable[[], int]
    activity: Callable[[], Activity]
    # How many processes serve these pages, and whether this one leads.
    serving: Callable[[], tuple[int, bool]]
    now: Callable[[], datetime]
    token: str = ""
    jobs: Callable[[], Sequence[HistoryJob]] = tuple  # that are open
    requests: Requests = field(default_factory=Requests)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it. Raises StoreError."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)

    @cached_property
    def _registry(self) -> CollectorRegistry:
        from prometheus_client import CollectorRegistry, ProcessCollector

        registry = CollectorRegistry(auto_describe=False)
        ProcessCollector(registry=registry)
        registry.register(self)
        return registry

    def describe(self) -> list[Any]:
        """Told when asked for, not when registered."""
        return []

    def collect(self) -> Iterator[Any]:
        """Every metric of ours."""
        from prometheus_client.core import InfoMetricFamily

        yield InfoMetricFamily(
            "newsloom", "Version of this server.", value={"version": __version__}
        )
        yield from self._of_store()
        yield from self._of_jobs()
        yield from self._of_passes()
        yield from self._of_requests()

    def _of_store(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        polling_figures = self.figures(self.now())
        states = GaugeMetricFamily("newsloom_feeds", "Feeds, by their state.", labels=["state"])
        for state, count in sorted(polling_figures.by_state.items()):
            states.add_metric([state], count)
        yield states
        for name, words, value in (
            ("newsloom_feeds_failing", "Feeds whose last poll failed.", polling_figures.failing),
            ("newsloom_feeds_due", "Feeds that are due.", polling_figures.due),
            (
                "newsloom_feeds_late_seconds",
                "Age of the oldest due feed.",
                polling_figures.late_seconds,
            ),
            ("newsloom_articles_set_aside", "Articles that a stage gave up on.", self.set_aside()),
            ("newsloom_store_size_bytes", "Size of the database.", self.store_bytes()),
        ):
            yield GaugeMetricFamily(name, words, value=value)
        yield CounterMetricFamily(
            "newsloom_articles_stored", "Articles stored, ever.", value=polling_figures.articles
        )

    def _of_jobs(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        labels = ["kind"]
        done = GaugeMetricFamily("newsloom_job_done", "Units done in open jobs.", labels=labels)
        total = GaugeMetricFamily("newsloom_job_total", "Units in open jobs.", labels=labels)
        runs = GaugeMetricFamily(
            "newsloom_job_running", "Whether the job is running.", labels=labels
        )
        for one in self.jobs():
            done.add_metric([one.kind], one.done + one.refused)
            total.add_metric([one.kind], one.total)
            runs.add_metric([one.kind], one.state is JobState.RUNNING)
        yield from (done, total, runs)

    def _of_passes(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        together, leads = self.serving()
        yield GaugeMetricFamily(
            "newsloom_serves", "Processes that serve these pages, this one included.", together
        )
        yield GaugeMetricFamily("newsloom_leads", "Whether this process runs the scheduler.", leads)
        activity = self.activity()
        yield GaugeMetricFamily(
            "newsloom_pass_running", "Whether a pass is running.", value=activity.running
        )
        last = activity.last_pass
        if last is None:
            return
        yield GaugeMetricFamily(
            "newsloom_last_pass_duration_seconds", "Duration of the last pass.", last.seconds
        )
        polls = GaugeMetricFamily(
            "newsloom_last_pass_feeds",
            "Feeds polled in the last pass, by outcome.",
            labels=["outcome"],
        )
        for outcome in ("changed", "unchanged", "failed"):
            polls.add_metric([outcome], getattr(last.polls, outcome))
        yield polls
        stages = GaugeMetricFamily(
            "newsloom_last_pass_stage_problem",
            "Whether a stage of the last pass stopped early.",
            labels=["stage"],
        )
        for one in last.stages:
            stages.add_metric([one.stage.replace(" ", "_")], bool(one.problem))
        yield stages

    def _of_requests(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

        counted = CounterMetricFamily(
            "newsloom_http_requests", "HTTP requests.", labels=["method", "status"]
        )
        for key, count in sorted(dict(self.requests.counts).items()):
            counted.add_metric(list(key), count)
        yield counted
        total, buckets = 0, []
        for most, count in zip((*map(str, BUCKETS), "+Inf"), self.requests.buckets, strict=True):
            total += count
            buckets.append((most, float(total)))
        yield HistogramMetricFamily(
            "newsloom_http_request_duration_seconds",
            "Duration of HTTP requests, to the last byte.",
            buckets=buckets,
            sum_value=self.requests.seconds,
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts requests on their way."""

    app: ASGIApp
    requests: Requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, stream = time.perf_counter(), 500, False

        async def sending(message: Message) -> None:
            nonlocal status, stream
            if message["type"] == "http.response.start":
                status = message["status"]
                kind = Headers(raw=message["headers"]).get("content-type", "")
                stream = kind.startswith("text/event-stream")
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            if not stream:  # how long a page was open is no time that anybody waited
                self.requests.add(scope["method"], status, time.perf_counter() - began)
