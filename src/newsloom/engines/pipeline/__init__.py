"""One pass over everything that is due: poll, then each stage until nothing is left.

Holds the order of things. Decides nothing itself (schedule, dedup, classify do) and knows the
store, the network and the models only by their ports.
"""

from newsloom.engines.pipeline.run import ProgressListener, Runner, SideTask
from newsloom.engines.pipeline.stages import BACKGROUND, STAGES, Stage, StageContext, run_stages
from newsloom.feeds.service.hosts import HostsOfLoops, SharedHosts
from newsloom.feeds.service.poll import Poller
from newsloom.feeds.service.poll_recording import PollRecorder, QuarantineRelease
from newsloom.feeds.service.reply import InThread
from newsloom.feeds.service.resolving import Resolver

__all__ = [
    "BACKGROUND",
    "STAGES",
    "HostsOfLoops",
    "InThread",
    "PollRecorder",
    "Poller",
    "ProgressListener",
    "QuarantineRelease",
    "Resolver",
    "Runner",
    "SharedHosts",
    "SideTask",
    "Stage",
    "StageContext",
    "run_stages",
]
