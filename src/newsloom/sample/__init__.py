"""What a new reader begins with: a list of real feeds, and without a network a sample of our own.

Stands beside the benchmarks, above the rooms: nothing below may need it.
"""

from newsloom.sample.content import LAST_GENERATION
from newsloom.sample.probe import online
from newsloom.sample.server import PORT as SAMPLE_PORT
from newsloom.sample.server import SampleServer
from newsloom.sample.topics import starter_opml, starter_urls

__all__ = [
    "LAST_GENERATION",
    "SAMPLE_PORT",
    "SampleServer",
    "online",
    "starter_opml",
    "starter_urls",
]
