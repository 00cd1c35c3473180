"""Protocols by role: what the use cases and the pipeline need from the rooms beside them.

Every store method is one statement or one transaction and decides nothing. Store errors are
StoreError, StoreBusy, StoreFull. All implementations may be called from any thread, one call at a
time per thread.
"""

from newsloom.ports.bridges import (
    BridgeStore,
    OpenBridge,
    ServiceStore,
)
from newsloom.ports.duplicates import (
    ClusterStore,
    Keys,
    OpenJudging,
    Pairs,
    SigningStore,
)
from newsloom.ports.health import (
    HealthStore,
    OpenLetting,
)
from newsloom.ports.models import (
    Embedder,
    HalfLives,
    PersonalModel,
    RelevanceModel,
    SensitivityModel,
    Taste,
    Trainer,
    Vectors,
)
from newsloom.ports.outside import (
    ApiCaller,
    ChatModel,
    Fetcher,
    Hosts,
)
from newsloom.ports.pages import (
    IconStore,
    PageStore,
)
from newsloom.ports.polling import (
    Ingest,
    PollStore,
    RedirectStore,
    StageStore,
)
from newsloom.ports.push import PushStore
from newsloom.ports.reading import (
    ModelStore,
    OpenImport,
    ReadingStore,
)
from newsloom.ports.store import (
    Store,
)

__all__ = [
    "ApiCaller",
    "BridgeStore",
    "ChatModel",
    "ClusterStore",
    "Embedder",
    "Fetcher",
    "HalfLives",
    "HealthStore",
    "Hosts",
    "IconStore",
    "Ingest",
    "Keys",
    "ModelStore",
    "OpenBridge",
    "OpenImport",
    "OpenJudging",
    "OpenLetting",
    "PageStore",
    "Pairs",
    "PersonalModel",
    "PollStore",
    "PushStore",
    "ReadingStore",
    "RedirectStore",
    "RelevanceModel",
    "SensitivityModel",
    "ServiceStore",
    "SigningStore",
    "StageStore",
    "Store",
    "Taste",
    "Trainer",
    "Vectors",
]
