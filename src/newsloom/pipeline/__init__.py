"""One pass over everything that is due: poll, then each stage until nothing is left.

Holds the order of things. Decides nothing itself (schedule, dedup, classify do) and knows the
store, the network and the models only by their ports.
"""

from newsloom.pipeline.admitting import Admitting
from newsloom.pipeline.hosts import HostsOfLoops, SharedHosts
from newsloom.pipeline.poll import Poller
from newsloom.pipeline.reading import InThread, InWorkers
from newsloom.pipeline.resolving import Resolver
from newsloom.pipeline.run import Errand, Hearing, Runner
from newsloom.pipeline.stages import STAGES, Stage, Workshop, run_stages
from newsloom.pipeline.storing import Storing

__all__ = [
    "STAGES",
    "Admitting",
    "Errand",
    "Hearing",
    "HostsOfLoops",
    "InThread",
    "InWorkers",
    "Poller",
    "Resolver",
    "Runner",
    "SharedHosts",
    "Stage",
    "Storing",
    "Workshop",
    "run_stages",
]
