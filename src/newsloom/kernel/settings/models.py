"""Which models read the articles, how a reader's own is made, how fast all is computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models read the articles."""

    embedder: str = doc(
        "Encoder: minilm-int8 (shipped), one installed by `newsloom models get`, a folder with "
        "an ONNX model, sentence-transformers:NAME or :FOLDER, or server.",
        "minilm-int8",
    )
    multilingual: bool = doc(
        "Download multilingual-e5-small (91 MB) and use it instead of minilm-int8 once a feed is "
        "in another language than English.",
        True,
    )
    embedder_languages: tuple[str, ...] = doc(
        "Additional encoders for similarity within languages, such as "
        '["zh,ja,ko=multilingual-e5-small"].',
        (),
    )
    prompt: str = doc(
        'Text to put before each input; empty: as known for the model, such as "query: " for E5.',
        "",
    )
    reembed_seconds: float = doc(
        "Time per pass for computing vectors of a newly chosen encoder.",
        120.0,
        least=1,
    )
    folder: Path = doc(
        "Where `newsloom models get` installs encoders.",
        Path(platformdirs.user_data_dir("newsloom")) / "encoders",
    )
    hub: str = doc(
        "Hub that `newsloom models get` and `newsloom voices get` download from; nothing else "
        "contacts it.",
        "https://huggingface.co",
    )
    device: str = doc("Device of sentence-transformers: auto, cpu or cuda.", "auto")
    threads: int = doc("Threads of the encoder; 0: all.", 0, least=0)
    entities: str = doc(
        "Name finder: crf (shipped), or an installed spaCy model by name or folder.", "crf"
    )


@dataclass(frozen=True, slots=True)
class EmbeddingServerSettings:
    """A server of the OpenAI embeddings protocol, for models.embedder = "server"."""

    url: str = doc(
        "Address up to /v1, such as http://127.0.0.1:11434/v1. It receives every text.",
        "",
    )
    model: str = doc("Model name on the server.", "")
    key: str = doc("API key, if the server needs one.", "")
    dimensions: int = doc("Length of a vector; other lengths are refused.", 0, least=0)
    batch: int = doc("Texts per request.", 32, least=1)
    timeout_seconds: float = doc("Deadline of a request.", 60.0, least=1)
    retries: int = doc("Retries when the server is busy or away.", 2, least=0)


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """A language model that answers the OpenAI chat protocol, to judge how fast articles expire."""

    url: str = doc(
        "Address up to /v1, such as http://127.0.0.1:11434/v1; empty: no language model.",
        "",
    )
    model: str = doc("Model name on the server.", "")
    key: str = doc("API key, if the server needs one.", "")
    timeout_seconds: float = doc("Deadline of a question, with retries.", 30.0, least=1)
    concurrency: int = doc("Simultaneous questions.", 2, least=1)
    run_seconds: float = doc("How long `newsloom run` asks questions.", 120.0, least=0)
    daily_tokens: int = doc("Tokens per day; 0: no limit.", 2_000_000, least=0)
    context_tokens: int = doc("Tokens of a question with its answer.", 1024, least=512)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a reader's own model is made."""

    trainer: str = doc("Trainer: head, tfidf-svm or modernbert.", "head")
    at: str = doc("Local time of the daily training, HH:MM; empty: never.", "01:00")
    half_weight_days: float = doc(
        "Days until a label counts half; 0: labels do not age.", 0.0, least=0
    )
    passed_over: bool = doc(
        "Use articles you saw and ignored as dislikes while you have few.", True
    )
    base_model: str = doc(
        "Base model of `modernbert`: a name on the hub or a folder.",
        "answerdotai/ModernBERT-base",
    )
    base_revision: str = doc("Revision of the base model; empty: the newest.", "")
    device: str = doc("Device of `modernbert`: auto, cpu or cuda.", "auto")
    balance: str = doc(
        "How `modernbert` balances classes: weighted (all labels) or newest (equally many of "
        "each class).",
        "weighted",
    )


@dataclass(frozen=True, slots=True)
class JobSettings:
    """Jobs over everything stored: `newsloom jobs`."""

    pace: float = doc(
        "Default limit of articles per second and worker; 0: none.",
        0.0,
        least=0,
    )
    share: float = doc(
        "Default share of its time that a worker spends on a job.",
        0.5,
        least=0.01,
    )
