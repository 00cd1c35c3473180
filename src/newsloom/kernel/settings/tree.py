"""One frozen tree of settings, each documented where it is declared: groups in modules beside this.

`newsloom settings` and docs/run/settings.md are written from these declarations. Nothing below the
edge reads a file or the environment: parts of this tree are passed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.kernel.settings.briefs import (
    BriefSettings,
    SpeechServerSettings,
    TranslationServerSettings,
)
from newsloom.kernel.settings.coverage import CoverageSettings, SourceQualitySettings
from newsloom.kernel.settings.declaring import doc
from newsloom.kernel.settings.fetching import (
    FetchSettings,
    PageSettings,
    PushSettings,
    ReadingSettings,
    ScheduleSettings,
)
from newsloom.kernel.settings.models import (
    EmbeddingServerSettings,
    JobSettings,
    LanguageModelSettings,
    ModelSettings,
    TrainingSettings,
)
from newsloom.kernel.settings.programs import GreaderSettings, TtrssSettings
from newsloom.kernel.settings.ranking import DuplicateSettings, ImportanceSettings, RankingSettings
from newsloom.kernel.settings.serving import (
    DigestSettings,
    MailSettings,
    McpSettings,
    OpenIdSettings,
    SyncSettings,
    WebSettings,
)
from newsloom.kernel.settings.working import WorkSettings

ENV_PREFIX = "NEWSLOOM_"

# The values that are more than of the right type.
ADDRESSES = frozenset(
    {
        "embedding_server.url",
        "fetch.proxy",
        "greader.url",
        "language_model.url",
        "models.hub",
        "openid.issuer",
        "push.url",
        "speech_server.url",
        "translation_server.url",
        "web.url",
    }
)
# Lists of hosts: a name or a number, for some with a port.
HOSTS: Mapping[str, re.Pattern[str]] = {
    "fetch.private_hosts": re.compile(
        r"\[[0-9A-Fa-f:.]+\](:\d{1,5})?|[^\s\[\]/@,:\"'()]+(:\d{1,5})?|[0-9A-Fa-f:.]+"
    ),
    "web.names": re.compile(r"[^\s\[\]/@,:\"'()]+"),
}
# What is shown only as being there.
SECRETS = frozenset(
    {
        "embedding_server.key",
        "greader.password",
        "language_model.key",
        "mail.password",
        "openid.secret",
        "speech_server.key",
        "store.url",
        "translation_server.key",
        "ttrss.database",
        "web.metrics_token",
    }
)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "brief.translator": ("", "language-model", "argos", "server"),
    "mail.security": ("starttls", "tls", "none"),
    "models.device": ("auto", "cpu", "cuda"),
    "training.trainer": ("head", "tfidf-svm", "modernbert"),
    "training.device": ("auto", "cpu", "cuda"),
    "training.balance": ("weighted", "newest"),
    "duplicates.profile": ("seed", "measured"),
    "duplicates.rows": ("story", "cluster", "text", "article"),
    "pages.pictures": ("proxy", "direct", "links"),
    "ttrss.liked": ("read", "nothing"),
    "ttrss.disliked": ("published", "nothing"),
    "greader.liked": ("read", "nothing"),
    "ttrss.starred": ("starred", "nothing"),
    "work.engine": ("local", "processes", "ray"),
}


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where everything is kept."""

    path: Path = doc(
        "SQLite file; its folder is created if missing.",
        Path(platformdirs.user_data_dir("newsloom")) / "newsloom.db",
    )
    url: str = doc(
        "PostgreSQL database to use instead, as postgresql://user:password@host/name. Trained "
        "weights stay beside the SQLite path.",
        "",
    )
    connections: int = doc(
        "PostgreSQL: connections per process, plus one that listens. All processes together "
        "must stay below max_connections.",
        20,
        least=2,
    )
    statement_seconds: float = doc(
        "PostgreSQL: time limit of a statement.",
        600.0,
        least=1,
    )

    @property
    def location(self) -> Path | str:
        """Where the database is: the URL if there is one, else the file."""
        return self.url or self.path


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """How long what piles up is kept. 0 keeps it for ever; less than 31 days counts as 31.

    Never pruned is what somebody starred, liked, disliked, finished, put aside, tagged, noted,
    highlighted, saved elsewhere or corrected, and what belongs to a story that somebody follows.
    """

    texts_days: int = doc(
        "Days until HTML, earlier versions and text beyond 2,000 characters are deleted; the "
        "article stays in lists.",
        0,
        least=0,
    )
    vectors_days: int = doc(
        "Days until vectors are deleted; the article keeps its score but is no longer found as "
        "related.",
        0,
        least=0,
    )
    keys_days: int = doc(
        "Days until keys for finding later copies are deleted, at least duplicates.window_days.",
        0,
        least=0,
    )
    articles_days: int = doc(
        "Days until articles that everybody has read are deleted; title and address stay so "
        "that they do not return.",
        0,
        least=0,
    )
    unread_days: int = doc("The same for unread articles.", 0, least=0)
    audit_days: int = doc(
        "Days until story decisions and finished deliveries are deleted.", 0, least=0
    )
    digests_days: int = doc("Days until digests and briefs are deleted.", 0, least=0)
    redirects_days: int = doc(
        "Days until resolved forwarding addresses are deleted.",
        0,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    user: str = doc("The user whose feeds and articles commands use.", "reader")
    store: StoreSettings = StoreSettings()
    keep: KeepSettings = KeepSettings()
    fetch: FetchSettings = FetchSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    reading: ReadingSettings = ReadingSettings()
    push: PushSettings = PushSettings()
    pages: PageSettings = PageSettings()
    models: ModelSettings = ModelSettings()
    embedding_server: EmbeddingServerSettings = EmbeddingServerSettings()
    ranking: RankingSettings = RankingSettings()
    importance: ImportanceSettings = ImportanceSettings()
    digest: DigestSettings = DigestSettings()
    brief: BriefSettings = BriefSettings()
    speech_server: SpeechServerSettings = SpeechServerSettings()
    translation_server: TranslationServerSettings = TranslationServerSettings()
    mail: MailSettings = MailSettings()
    coverage: CoverageSettings = CoverageSettings()
    work: WorkSettings = WorkSettings()
    training: TrainingSettings = TrainingSettings()
    jobs: JobSettings = JobSettings()
    duplicates: DuplicateSettings = DuplicateSettings()
    source_quality: SourceQualitySettings = SourceQualitySettings()
    language_model: LanguageModelSettings = LanguageModelSettings()
    ttrss: TtrssSettings = TtrssSettings()
    greader: GreaderSettings = GreaderSettings()
    web: WebSettings = WebSettings()
    openid: OpenIdSettings = OpenIdSettings()
    sync: SyncSettings = SyncSettings()
    mcp: McpSettings = McpSettings()
