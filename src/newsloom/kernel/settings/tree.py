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
from newsloom.kernel.settings.ranking import DuplicateSettings, ImportanceSettings, RankingSettings
from newsloom.kernel.settings.serving import (
    DigestSettings,
    MailSettings,
    McpSettings,
    OpenIdSettings,
    SyncSettings,
    WebSettings,
)

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
class WorkSettings:
    """Where `newsloom work` computes the stages."""

    engine: str = doc(
        "Where `newsloom work` runs: local (its own process), processes (several on this "
        "machine) or ray (a Ray cluster).",
        "local",
    )
    workers: int = doc(
        "Most workers of processes and ray; 0: one per processor.",
        0,
        least=0,
    )
    stages: tuple[str, ...] = doc("Run only these stages, such as text and embed; empty: all.", ())
    ray_address: str = doc(
        "Ray cluster, such as 10.0.0.5:6379; empty: start one on this machine.",
        "",
    )
    ray_cpus: float = doc("Processors per Ray worker.", 1.0, least=0)
    ray_gpus: float = doc(
        "Share of a GPU per Ray worker that embeds, such as 0.5; 0: use processors.",
        0.0,
        least=0,
    )
    idle_seconds: float = doc(
        "Seconds until an idle Ray worker ends.",
        60.0,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class TtrssSettings:
    """A Tiny Tiny RSS whose articles are ranked, through its PostgreSQL database."""

    database: str = doc(
        "PostgreSQL address of Tiny Tiny RSS, as postgresql://user:password@host/name; empty: "
        "none.",
        "",
    )
    users: tuple[str, ...] = doc("Users whose articles are ranked; empty: all.", ())
    every_minutes: float = doc("Minutes between two synchronisations by `serve`.", 30.0, least=1)
    liked: str = doc("What counts as liked: read or nothing.", "read")
    disliked: str = doc("What counts as disliked: published or nothing.", "published")
    starred: str = doc("What counts as strongly liked: starred or nothing.", "starred")
    days: int = doc("Days of articles to read on the first run.", 365, least=1)
    sensitivity_table: bool = doc("Write the table time_sensitivity.", False)
    mark_titles: bool = doc('Write score and "(TS: n)" into titles.', False)


@dataclass(frozen=True, slots=True)
class GreaderSettings:
    """A server of the Google Reader API (FreshRSS, Miniflux) whose articles are ranked."""

    url: str = doc(
        "Address of the server, such as https://host/api/greader.php for FreshRSS; empty: none.", ""
    )
    user: str = doc("User name.", "")
    password: str = doc("API password of the user.", "")
    every_minutes: float = doc("Minutes between two synchronisations by `serve`.", 30.0, least=1)
    label: str = doc("Label for the best unread articles; empty: none.", "newsloom-top")
    top: int = doc("Number of articles with that label.", 100, least=1)
    like_label: str = doc("Label that means liked; empty: none.", "newsloom-like")
    dislike_label: str = doc("Label that means disliked; empty: none.", "newsloom-dislike")
    liked: str = doc("What else counts as a weak like: read or nothing.", "read")
    write_marks: bool = doc("Write your likes and dislikes back as labels.", False)
    days: int = doc("Days of articles to read on the first run.", 30, least=1)


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """What else reports an article, found by news searches: for readers who switched that on."""

    providers: tuple[str, ...] = doc(
        "News searches that answer with RSS, as addresses with {query}, {language} and "
        "{region}; empty: Google News and Bing News.",
        (),
    )
    importance: float = doc(
        "Importance from which articles are searched for automatically; above 100: only by hand.",
        80.0,
        least=0,
    )
    articles_per_day: int = doc("Articles to search for automatically in 24 hours.", 20, least=0)
    searches_per_hour: int = doc("Searches per hour, for all readers together.", 60, least=0)
    cache_hours: float = doc("Hours to reuse a search result.", 12.0, least=0)
    pages_per_host: int = doc("Pages to fetch per host and pass.", 4, least=0)
    offered_after: int = doc(
        "Suggest following a publisher once it was found for this many articles in 30 days.",
        3,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class SourceQualitySettings:
    """When the pages of a domain are left out of related coverage, and for how long."""

    half_life_days: float = doc("Half-life of fetch results in days.", 30.0, least=0.1)
    least_samples: int = doc("Pages to try before a domain can be blocked.", 5, least=1)
    block_days: float = doc(
        "Length of the first block; each further one is twice as long.",
        7.0,
        least=0.1,
    )
    longest_block_days: float = doc("Longest block.", 90.0, least=0.1)
    tries: int = doc("Pages to try after a block before the next one.", 3, least=1)


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
