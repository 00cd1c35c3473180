"""What reads documents where a test is not about the processes that do."""

from __future__ import annotations

from newsloom.engines.pipeline import InThread
from newsloom.feeds.service.addresses import Finding
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers.pool import Workers

IN_PROCESS = Finding(InThread(), Workers(ReadingSettings(workers=0)))
