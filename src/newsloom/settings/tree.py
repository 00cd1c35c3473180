"""One frozen tree of settings, each documented where it is declared.

`newsloom settings` and docs/settings.md are written from these declarations. Nothing below the
edge reads a file or the environment: parts of this tree are passed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs

from newsloom.types import Variety

ENV_PREFIX = "NEWSLOOM_"

# The values that are more than of the right type.
ADDRESSES = frozenset(
    {
        "embedding_server.url",
        "fetch.proxy",
        "greader.url",
        "language_model.url",
        "models.hub",
        "push.url",
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
        "store.url",
        "ttrss.database",
    }
)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "mail.security": ("starttls", "tls", "none"),
    "models.device": ("auto", "cpu", "cuda"),
    "training.trainer": ("head", "tfidf-svm", "modernbert"),
    "training.device": ("auto", "cpu", "cuda"),
    "training.balance": ("weighted", "newest"),
    "duplicates.profile": ("seed", "measured"),
    "duplicates.rows": ("cluster", "text", "article"),
    "ttrss.liked": ("read", "nothing"),
    "ttrss.disliked": ("published", "nothing"),
    "ttrss.starred": ("starred", "nothing"),
}


def _doc(text: str, default: Any, *, least: float | None = None) -> Any:
    return field(default=default, metadata={"doc": text, "least": least})


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where everything is kept."""

    path: Path = _doc(
        "The SQLite file. Its folder is made if missing.",
        Path(platformdirs.user_data_dir("newsloom")) / "newsloom.db",
    )
    url: str = _doc(
        "A PostgreSQL database in place of that file, as postgresql://user:password@host/name; "
        "empty: none. Trained weights stay beside the file.",
        "",
    )

    @property
    def place(self) -> Path | str:
        """Where the database is: the URL if there is one, else the file."""
        return self.url or self.path


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How Newsloom asks publishers for feeds."""

    timeout_seconds: float = _doc(
        "Whole deadline of one request, redirects included.", 30.0, least=1
    )
    max_megabytes: float = _doc("Largest body after decoding.", 15.0, least=0.001)
    max_ratio: int = _doc("Largest decoded size as a multiple of the bytes received.", 200, least=2)
    max_redirects: int = _doc("Redirects followed before giving up.", 5, least=0)
    concurrency: int = _doc("Requests under way at once.", 32, least=1)
    per_host: int = _doc("Requests under way at once to one host.", 1, least=1)
    host_seconds: float = _doc(
        "Shortest time between the ends and beginnings of two requests to one host.", 1.25, least=0
    )
    stalled_seconds: float = _doc(
        "After how long a request without an answer counts no more among those under way, so that "
        "servers which never answer keep nobody else waiting.",
        3.0,
        least=0.1,
    )
    private_hosts: tuple[str, ...] = _doc(
        "Hosts on private or loopback networks that may be fetched: names, or names with a port.",
        (),
    )
    contact: str = _doc(
        "A URL or address put in the User-Agent, so that publishers can reach you.", ""
    )
    forwarding_per_host: int = _doc(
        "Links asked of one forwarding host (t.co, bit.ly) in one pass, to find out where they "
        "lead; 0: none.",
        50,
        least=0,
    )
    proxy: str = _doc("HTTP proxy for all requests. Proxies of the environment are not used.", "")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """How often feeds are polled."""

    floor_minutes: float = _doc(
        "Shortest time between two polls of a feed, counted from the last one.", 60.0, least=1
    )
    ceiling_hours: float = _doc("Longest time between two polls of a living feed.", 24.0, least=1)
    by_hand_minutes: float = _doc(
        "Shortest time between two polls of a feed when you ask for them.", 15.0, least=0
    )


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """The processes that read feeds, web pages and lists of feeds, so that a hostile one harms
    nothing else."""

    workers: int = _doc("How many; 0: documents are read in the main process.", 2, least=0)
    seconds: float = _doc("Processor time one document may take.", 10.0, least=0.1)
    megabytes: int = _doc("Memory one of them may use.", 768, least=128)


@dataclass(frozen=True, slots=True)
class PushSettings:
    """WebSub: hubs that tell when a feed has news."""

    url: str = _doc(
        "The address under which hubs on the internet reach `serve`, such as "
        "https://reader.example; empty: feeds are polled only.",
        "",
    )
    plain_http: bool = _doc(
        "Whether that address may be http: what hubs send is signed, but all can read it.", False
    )
    lease_days: float = _doc("For how long a hub is asked to go on telling.", 10.0, least=1)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Web pages that are fetched besides feeds: icons, and full texts where you ask for them."""

    icons: bool = _doc("Whether the icons of sites are fetched, once a week at most.", True)
    full_text_per_host: int = _doc(
        "Articles of one host whose full text is fetched in one pass.", 10, least=0
    )


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models read the articles."""

    embedder: str = _doc(
        "The sentence encoder: minilm-int8 (shipped); one that `newsloom models get` installed, or "
        "a folder that holds one as ONNX; sentence-transformers:NAME or :FOLDER, with that extra; "
        "server (see embedding_server).",
        "minilm-int8",
    )
    embedder_languages: tuple[str, ...] = _doc(
        "Encoders for languages besides, for what is like an article in them, such as "
        '["zh,ja,ko=multilingual-e5-small"].',
        (),
    )
    prompt: str = _doc(
        "What is put before every text for the encoder; empty: what is known of the model, such as "
        '"query: " for E5.',
        "",
    )
    reembed_seconds: float = _doc(
        "How long one pass makes vectors of a newly chosen encoder for articles that have those of "
        "the one before, which answer until all are made.",
        120.0,
        least=1,
    )
    folder: Path = _doc(
        "Where `newsloom models get` installs encoders.",
        Path(platformdirs.user_data_dir("newsloom")) / "encoders",
    )
    hub: str = _doc(
        "Where `newsloom models get` asks for encoders; nothing else ever does.",
        "https://huggingface.co",
    )
    device: str = _doc("Where sentence-transformers computes: auto, cpu or cuda.", "auto")
    threads: int = _doc("Processor threads the encoder may use; 0 takes all.", 0, least=0)
    entities: str = _doc(
        "What finds names: crf (shipped), or the name or folder of an installed spaCy model.", "crf"
    )


@dataclass(frozen=True, slots=True)
class EmbeddingServerSettings:
    """A server of the OpenAI embeddings protocol, for models.embedder = "server"."""

    url: str = _doc(
        "Address of the server up to /v1, such as http://127.0.0.1:11434/v1; every text is sent "
        "there.",
        "",
    )
    model: str = _doc("The model's name on that server.", "")
    key: str = _doc("The key sent to it, if it wants one.", "")
    dimensions: int = _doc("Numbers of one vector; an answer with others is refused.", 0, least=0)
    batch: int = _doc("Texts sent at once.", 32, least=1)
    timeout_seconds: float = _doc("Whole deadline of one request.", 60.0, least=1)
    retries: int = _doc("How often it is asked again when it is busy or away.", 2, least=0)


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How relevance and expiry become one order."""

    half_life_days: tuple[float, float, float, float, float] = _doc(
        "Days in which a score halves, for sensitivity 1 (evergreen) to 5 (critical).",
        (365.0, 183.0, 30.0, 10.0, 5.0),
        least=0.01,
    )
    min_likes: int = _doc("Likes needed before a personal model is trained.", 20, least=2)
    min_dislikes: int = _doc("Dislikes needed before a personal model is trained.", 20, least=2)
    observed_delays: bool = _doc(
        "Whether a feed whose articles you read soon, or late, expires faster, or slower.", False
    )
    variety_rows: int = _doc(
        "Of any five rows of a ranked list, how many one feed may take while others score nearly "
        "as much; 0: the order is by score alone.",
        2,
        least=0,
    )
    variety_near: float = _doc(
        "What counts as nearly as much: the share, 0 to 1, of the score of the article that "
        "another is put before.",
        0.7,
        least=0,
    )

    def half_lives(self) -> Mapping[int, timedelta]:
        """Sensitivity 1..5 to half-life."""
        return MappingProxyType(
            {level: timedelta(days=days) for level, days in enumerate(self.half_life_days, start=1)}
        )

    def variety(self) -> Variety | None:
        """None: the order is by score alone."""
        return Variety(self.variety_rows, self.variety_near) if self.variety_rows else None


@dataclass(frozen=True, slots=True)
class ImportanceSettings:
    """What makes an article important, for everyone and for you."""

    weights: tuple[float, float, float, float, float] = _doc(
        "How much each signal counts: authority of the source, recency, corroboration by others, "
        "nearness to your interests, depth. They add up to 1.",
        (0.25, 0.20, 0.20, 0.20, 0.15),
        least=0,
    )
    fade: float = _doc(
        "How fast recency fades: 100 e^(-fade * hours). 0.03 is for a daily reader, 0.01 for a "
        "weekly one, 0.05 for real time.",
        0.03,
        least=0.0001,
    )
    in_ranking: float = _doc(
        'The share of importance, 0 to 1, in the score that orders "For you"; more is 1.',
        0.0,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a reader's own model is made."""

    trainer: str = _doc("What trains it: head, tfidf-svm or modernbert.", "head")
    at: str = _doc("Local time at which `serve` trains every day, as HH:MM; empty: never.", "01:00")
    half_weight_days: float = _doc(
        "Days after which a label counts half as much; 0 counts all alike.", 0.0, least=0
    )
    base_model: str = _doc(
        "What `modernbert` starts from: a name on the Hugging Face hub, or a folder.",
        "answerdotai/ModernBERT-base",
    )
    base_revision: str = _doc("The revision of that model to pin; empty takes the newest.", "")
    device: str = _doc("Where `modernbert` computes: auto, cpu or cuda.", "auto")
    balance: str = _doc(
        "How `modernbert` meets unequal classes: weighted (all labels, rarer class weighs more) "
        "or newest (as many of the newest of each class).",
        "weighted",
    )


@dataclass(frozen=True, slots=True)
class DuplicateSettings:
    """When two articles are held to be the same, and what a list makes of it."""

    profile: str = _doc(
        "The thresholds: seed (those below) or measured (fitted; those changed below stay).", "seed"
    )
    title_jaccard: float = _doc("Common words of two titles that make them alike.", 0.85, least=0.5)
    short_title_jaccard: float = _doc("The same for titles of fewer than 5 words.", 0.95, least=0.5)
    title_levenshtein: float = _doc(
        "Common letters that make alike titles which few words part.", 0.9, least=0.5
    )
    simhash_distance: int = _doc("Bits of 64 that two fingerprints may differ in.", 3, least=0)
    minhash_jaccard: float = _doc(
        "Common pairs of following words of two texts, of all.", 0.7, least=0.3
    )
    containment: float = _doc("The same, of those of the shorter text.", 0.5, least=0.3)
    shared_sentences: int = _doc("Common ones of the first three long sentences.", 2, least=1)
    event_probability: float = _doc(
        "How likely, 0 to 1, two articles must report one event to share a row.", 0.9, least=0.3
    )
    event_with_names: float = _doc(
        "The same, where the names in both agree as the next values say.", 0.7, least=0.3
    )
    entity_overlap: float = _doc("Common names of two articles on one event.", 0.8, least=0.3)
    entity_common: int = _doc("Names that they must have in common at least.", 3, least=1)
    entity_title_words: int = _doc("Words that their titles must have in common.", 0, least=0)
    entity_hours: float = _doc(
        "Hours between two articles on one event; looked for up to a day apart.", 24.0, least=0
    )
    window_days: float = _doc("How far apart two copies of a text may be.", 30.0, least=1)
    rows: str = _doc(
        "What is one row of a list: a cluster (an event), a text (copies only) or an article.",
        "cluster",
    )
    read_together: bool = _doc("Whether reading one article of a row reads all of it.", True)


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """A language model that answers the OpenAI chat protocol, to judge how fast articles expire."""

    url: str = _doc(
        "Address of the server up to /v1, such as http://127.0.0.1:11434/v1; empty: none is used.",
        "",
    )
    model: str = _doc("The model's name on that server.", "")
    key: str = _doc("The key sent to it, if it wants one.", "")
    timeout_seconds: float = _doc("Whole deadline of one question.", 30.0, least=1)
    concurrency: int = _doc("Questions under way at once.", 2, least=1)
    run_seconds: float = _doc("How long `newsloom run` asks at most.", 120.0, least=0)
    daily_tokens: int = _doc("Tokens spent in one day at most; 0: no limit.", 2_000_000, least=0)
    context_tokens: int = _doc("How long a question and its answer may be.", 1024, least=512)


@dataclass(frozen=True, slots=True)
class TtrssSettings:
    """A Tiny Tiny RSS whose articles are ranked, through its PostgreSQL database."""

    database: str = _doc("Its address, as postgresql://user:password@host/name; empty: none.", "")
    users: tuple[str, ...] = _doc("Whose articles are ranked; empty: every user's.", ())
    every_minutes: float = _doc("How often `serve` synchronises.", 30.0, least=1)
    liked: str = _doc("What counts as liked: read, or nothing.", "read")
    disliked: str = _doc("What counts as disliked: published, or nothing.", "published")
    starred: str = _doc("What counts as strongly liked: starred, or nothing.", "starred")
    days: int = _doc("How many days back articles are read on the first run.", 365, least=1)
    sensitivity_table: bool = _doc("Whether the time_sensitivity table is written.", False)
    mark_titles: bool = _doc(
        'Whether titles get the score before and "(TS: n)" behind them.', False
    )


@dataclass(frozen=True, slots=True)
class GreaderSettings:
    """A server of the Google Reader API (FreshRSS, Miniflux) whose articles are ranked."""

    url: str = _doc(
        "Its address, such as https://host/api/greader.php for FreshRSS; empty: none.", ""
    )
    user: str = _doc("The name to log in with.", "")
    password: str = _doc("The API password of that user.", "")
    every_minutes: float = _doc("How often `serve` synchronises.", 30.0, least=1)
    label: str = _doc("The label that the best unread articles get.", "newsloom-top")
    top: int = _doc("How many articles carry it.", 100, least=1)
    days: int = _doc("How many days back articles are read on the first run.", 30, least=1)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = _doc(
        "Address to listen on. What other machines can reach is served only with `without_login`.",
        "127.0.0.1",
    )
    port: int = _doc("Port to listen on.", 8765, least=0)
    names: tuple[str, ...] = _doc(
        "Host names the pages answer to, beside localhost and those ending in .local or .lan: of a "
        "proxy before them, or of this machine in your network.",
        (),
    )
    url: str = _doc(
        "The address under which you reach the pages from elsewhere, such as "
        "https://reader.example; it stands in mails and in feeds of your lists. Empty: none.",
        "",
    )
    without_login: bool = _doc(
        "Whether other machines may reach the pages, which ask nobody to log in: whoever reaches "
        "them can read and change everything.",
        False,
    )

    @property
    def address(self) -> str:
        """Where the pages are: from elsewhere, or on this machine where no such address is set.
        Without a slash at the end."""
        if self.url:
            return self.url.rstrip("/")
        host = "localhost" if self.host in ("", "0.0.0.0", "::") else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server that digests are sent through."""

    host: str = _doc("Its name; empty: no mail is sent.", "")
    port: int = _doc("Its port.", 587, least=1)
    security: str = _doc(
        "starttls (587), tls (465), or none, which only a server on this machine should have.",
        "starttls",
    )
    user: str = _doc("The name to log in with; empty: without logging in.", "")
    password: str = _doc("The password of that name.", "")
    sender: str = _doc("The address that mails come from.", "")
    timeout_seconds: float = _doc("Whole deadline of sending one mail.", 60.0, least=1)


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """Digests that are made on a schedule."""

    folder: str = _doc("Where digests are written as files; empty: nowhere.", "")
    summary_minutes: float = _doc(
        "How long a digest waits for summaries by the language model, where one is used, before "
        "it is sent with those made of the articles' own sentences; 0: it is not asked.",
        10.0,
        least=0,
    )
    story_quiet_minutes: float = _doc(
        "After news of stories that a reader follows was sent, how long nothing more of them is; "
        "what comes meanwhile is sent together.",
        120.0,
        least=0,
    )
    story_news_a_day: int = _doc(
        "How often within 24 hours a reader is sent news of stories at most; the rest comes later.",
        6,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """What else reports an article, found by news searches: for readers who switched that on."""

    providers: tuple[str, ...] = _doc(
        "Addresses of news searches that answer with RSS, with {query}, {language} and {region} in "
        "them; empty: those of Google News and Bing News.",
        (),
    )
    importance: float = _doc(
        "From which importance on, 0 to 100, articles are searched for by themselves; more than "
        "100: only those chosen by hand.",
        80.0,
        least=0,
    )
    articles_per_day: int = _doc("Articles searched for by themselves in 24 hours.", 20, least=0)
    searches_per_hour: int = _doc("Searches sent within an hour, all readers'.", 60, least=0)
    cache_hours: float = _doc("For how long the answer to a search is used again.", 12.0, least=0)
    pages_per_host: int = _doc("Pages of one host that are fetched for it in one pass.", 4, least=0)
    offered_after: int = _doc(
        "In how many articles within 30 days a publisher is found before it is offered to follow.",
        3,
        least=1,
    )


@dataclass(frozen=True, slots=True)
class SourceQualitySettings:
    """When the pages of a domain are left out of related coverage, and for how long."""

    half_life_days: float = _doc(
        "Days after which what came of a page counts half as much.", 30.0, least=0.1
    )
    least_samples: int = _doc("Pages asked for before a domain can be blocked.", 5, least=1)
    block_days: float = _doc(
        "How long a domain is blocked the first time; each further time is twice as long.",
        7.0,
        least=0.1,
    )
    longest_block_days: float = _doc("How long it is blocked at most.", 90.0, least=0.1)
    tries: int = _doc("Pages asked for after a block before it is blocked again.", 3, least=1)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    user: str = _doc("Whose feeds and articles the commands act on.", "reader")
    store: StoreSettings = StoreSettings()
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
    mail: MailSettings = MailSettings()
    coverage: CoverageSettings = CoverageSettings()
    training: TrainingSettings = TrainingSettings()
    duplicates: DuplicateSettings = DuplicateSettings()
    source_quality: SourceQualitySettings = SourceQualitySettings()
    language_model: LanguageModelSettings = LanguageModelSettings()
    ttrss: TtrssSettings = TtrssSettings()
    greader: GreaderSettings = GreaderSettings()
    web: WebSettings = WebSettings()
