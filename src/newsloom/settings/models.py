"""Which models read the articles, how a reader's own is made, how fast all is computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models read the articles."""

    embedder: str = doc(
        "The sentence encoder: minilm-int8 (shipped); one that `newsloom models get` installed, or "
        "a folder that holds one as ONNX; sentence-transformers:NAME or :FOLDER, with that extra; "
        "server (see embedding_server).",
        "minilm-int8",
    )
    embedder_languages: tuple[str, ...] = doc(
        "Encoders for languages besides, for what is like an article in them, such as "
        '["zh,ja,ko=multilingual-e5-small"].',
        (),
    )
    prompt: str = doc(
        "What is put before every text for the encoder; empty: what is known of the model, such as "
        '"query: " for E5.',
        "",
    )
    reembed_seconds: float = doc(
        "How long one pass makes vectors of a newly chosen encoder for articles that have those of "
        "the one before, which answer until all are made.",
        120.0,
        least=1,
    )
    folder: Path = doc(
        "Where `newsloom models get` installs encoders.",
        Path(platformdirs.user_data_dir("newsloom")) / "encoders",
    )
    hub: str = doc(
        "Where `newsloom models get` asks for encoders; nothing else ever does.",
        "https://huggingface.co",
    )
    device: str = doc("Where sentence-transformers computes: auto, cpu or cuda.", "auto")
    threads: int = doc("Processor threads the encoder may use; 0 takes all.", 0, least=0)
    entities: str = doc(
        "What finds names: crf (shipped), or the name or folder of an installed spaCy model.", "crf"
    )


@dataclass(frozen=True, slots=True)
class EmbeddingServerSettings:
    """A server of the OpenAI embeddings protocol, for models.embedder = "server"."""

    url: str = doc(
        "Address of the server up to /v1, such as http://127.0.0.1:11434/v1; every text is sent "
        "there.",
        "",
    )
    model: str = doc("The model's name on that server.", "")
    key: str = doc("The key sent to it, if it wants one.", "")
    dimensions: int = doc("Numbers of one vector; an answer with others is refused.", 0, least=0)
    batch: int = doc("Texts sent at once.", 32, least=1)
    timeout_seconds: float = doc("Whole deadline of one request.", 60.0, least=1)
    retries: int = doc("How often it is asked again when it is busy or away.", 2, least=0)


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """A language model that answers the OpenAI chat protocol, to judge how fast articles expire."""

    url: str = doc(
        "Address of the server up to /v1, such as http://127.0.0.1:11434/v1; empty: none is used.",
        "",
    )
    model: str = doc("The model's name on that server.", "")
    key: str = doc("The key sent to it, if it wants one.", "")
    timeout_seconds: float = doc("Whole deadline of one question.", 30.0, least=1)
    concurrency: int = doc("Questions under way at once.", 2, least=1)
    run_seconds: float = doc("How long `newsloom run` asks at most.", 120.0, least=0)
    daily_tokens: int = doc("Tokens spent in one day at most; 0: no limit.", 2_000_000, least=0)
    context_tokens: int = doc("How long a question and its answer may be.", 1024, least=512)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a reader's own model is made."""

    trainer: str = doc("What trains it: head, tfidf-svm or modernbert.", "head")
    at: str = doc("Local time at which `serve` trains every day, as HH:MM; empty: never.", "01:00")
    half_weight_days: float = doc(
        "Days after which a label counts half as much; 0 counts all alike.", 0.0, least=0
    )
    passed_over: bool = doc(
        "Whether articles shown and not liked stand in for dislikes while those are too few.", True
    )
    base_model: str = doc(
        "What `modernbert` starts from: a name on the Hugging Face hub, or a folder.",
        "answerdotai/ModernBERT-base",
    )
    base_revision: str = doc("The revision of that model to pin; empty takes the newest.", "")
    device: str = doc("Where `modernbert` computes: auto, cpu or cuda.", "auto")
    balance: str = doc(
        "How `modernbert` meets unequal classes: weighted (all labels, rarer class weighs more) "
        "or newest (as many of the newest of each class).",
        "weighted",
    )


@dataclass(frozen=True, slots=True)
class JobSettings:
    """Jobs over everything stored: `newsloom jobs`."""

    pace: float = doc(
        "Articles a second of one worker at most, where a job says nothing else; 0: no limit.",
        0.0,
        least=0,
    )
    share: float = doc(
        "The share of the time that one worker works on a job, where the job says nothing else; it "
        "rests in between. 1: all.",
        0.5,
        least=0.01,
    )
