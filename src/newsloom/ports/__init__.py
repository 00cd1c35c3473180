"""What several layers name: models, and what talks to others. Each Protocol here has two
implementations or a network behind it. The store has none: use cases take `newsloom.store.Store`.
"""

from newsloom.ports.models import (
    ActiveRelevance,
    Embedder,
    HalfLives,
    PersonalModel,
    RelevanceModel,
    SensitivityModel,
    Trainer,
    Vectors,
)
from newsloom.ports.outside import (
    ApiCaller,
    ChatModel,
    Downloader,
    Fetcher,
    Hosts,
    Mailer,
)
from newsloom.ports.passwords import AppPasswords
from newsloom.ports.voices import Speech, Translator, Voice

__all__ = [
    "ActiveRelevance",
    "ApiCaller",
    "AppPasswords",
    "ChatModel",
    "Downloader",
    "Embedder",
    "Fetcher",
    "HalfLives",
    "Hosts",
    "Mailer",
    "PersonalModel",
    "RelevanceModel",
    "SensitivityModel",
    "Speech",
    "Trainer",
    "Translator",
    "Vectors",
    "Voice",
]
