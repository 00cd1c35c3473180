"""One pass over everything that is due: poll, then each stage until nothing is left.

Holds the order of things. Decides nothing itself (schedule, dedup, classify do) and knows the
store, the network and the models only by their ports.
"""

from newsloom.pipeline.encoders import Encoders, LanguageGroup
from newsloom.pipeline.hosts import HostsOfLoops, SharedHosts
from newsloom.pipeline.poll import Poller
from newsloom.pipeline.poll_recording import PollRecorder
from newsloom.pipeline.quarantine_release import QuarantineRelease
from newsloom.pipeline.reading import InThread, InWorkers
from newsloom.pipeline.resolving import Resolver
from newsloom.pipeline.run import ProgressListener, Runner, SideTask
from newsloom.pipeline.stages import BACKGROUND, STAGES, Stage, StageContext, run_stages

__all__ = [
    "BACKGROUND",
    "STAGES",
    "Encoders",
    "HostsOfLoops",
    "InThread",
    "InWorkers",
    "LanguageGroup",
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
