"""What can be set: the tree (tree.py), its groups beside it, how it is read and printed."""

from newsloom.settings.coverage import CoverageSettings
from newsloom.settings.fetching import (
    FetchSettings,
    PageSettings,
    PushSettings,
    ReadingSettings,
    ScheduleSettings,
)
from newsloom.settings.loading import Key, declared, default_file, load, masked, settings_file
from newsloom.settings.models import (
    EmbeddingServerSettings,
    LanguageModelSettings,
    ModelSettings,
    TrainingSettings,
)
from newsloom.settings.programs import GreaderSettings, TtrssSettings
from newsloom.settings.ranking import DuplicateSettings, RankingSettings
from newsloom.settings.serving import DigestSettings, MailSettings, SyncSettings, WebSettings
from newsloom.settings.tree import (
    ADDRESSES,
    CHOICES,
    ENV_PREFIX,
    SECRETS,
    KeepSettings,
    Settings,
    StoreSettings,
)
from newsloom.settings.working import WorkSettings
from newsloom.settings.written import written

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
