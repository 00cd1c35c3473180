"""The engine that is this process itself."""

from __future__ import annotations

import threading
from contextlib import closing

from newsloom.app import open_app
from newsloom.engines import worker
from newsloom.engines.port import Job, ProgressListener, Tally
from newsloom.kernel.settings import Settings


class Local:
    """One worker, here."""

    def work(
        self, settings: Settings, job: Job, over: threading.Event, progress: ProgressListener
    ) -> Tally:
        with closing(open_app(settings, waiting=progress.on_words)) as app:
            return worker.work(app, job, over, progress)
