"""What can be set: the tree (tree.py), its groups beside it, how it is read and printed."""

from newsloom.kernel.settings.coverage import CoverageSettings
from newsloom.kernel.settings.fetching import (
    FetchSettings,
    PageSettings,
    PushSettings,
    ReadingSettings,
    ScheduleSettings,
)
from newsloom.kernel.settings.loading import (
    Key,
    declared,
    default_file,
    load,
    masked,
    settings_file,
)
from newsloom.kernel.settings.models import (
    EmbeddingServerSettings,
    LanguageModelSettings,
    ModelSettings,
    TrainingSettings,
)
from newsloom.kernel.settings.programs import GreaderSettings, TtrssSettings
from newsloom.kernel.settings.ranking import DuplicateSettings, RankingSettings
from newsloom.kernel.settings.serving import DigestSettings, MailSettings, SyncSettings, WebSettings
from newsloom.kernel.settings.tree import (
    ADDRESSES,
    CHOICES,
    ENV_PREFIX,
    SECRETS,
    KeepSettings,
    Settings,
    StoreSettings,
)
from newsloom.kernel.settings.working import WorkSettings
from newsloom.kernel.settings.written import written

__all__ = [
    "ADDRESSES",
    "CHOICES",
    "ENV_PREFIX",
    "SECRETS",
    "CoverageSettings",
    "DigestSettings",
    "DuplicateSettings",
    "EmbeddingServerSettings",
    "FetchSettings",
    "GreaderSettings",
    "KeepSettings",
    "Key",
    "LanguageModelSettings",
    "MailSettings",
    "ModelSettings",
    "PageSettings",
    "PushSettings",
    "RankingSettings",
    "ReadingSettings",
    "ScheduleSettings",
    "Settings",
    "StoreSettings",
    "SyncSettings",
    "TrainingSettings",
    "TtrssSettings",
    "WebSettings",
    "WorkSettings",
    "declared",
    "default_file",
    "load",
    "masked",
    "settings_file",
    "written",
]
