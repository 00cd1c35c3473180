"""What reads documents where a test is not about the processes that do."""

from __future__ import annotations

from newsloom.pipeline import InThread
from newsloom.pipeline.finding import Finding
from newsloom.settings import ReadingSettings
from newsloom.workers.pool import Workers

IN_PROCESS = Finding(InThread(), Workers(ReadingSettings(workers=0)))
