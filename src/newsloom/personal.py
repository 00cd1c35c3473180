"""One reader's relevance model: loaded, trained when labels allow, kept between calls.

The choice is here, the mathematics in classify. Before there are enough likes and dislikes the
prior (interests, feeds, categories) answers; from then on a head trained on the reader's own
labels. Training is seconds; it is done again when the labels have grown by a twentieth.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np

from newsloom.classify import head, prior
from newsloom.errors import ModelError
from newsloom.ports import Embedder, ModelStore, ReadingStore, RelevanceModel, Vectors
from newsloom.text.embedding import embedding_text
from newsloom.types import Label, StoredModel, UserId

KIND = "relevance"

# A model is trained again when this share of its labels is new or gone: more often moves little
# (one label in a hundred) and re-scores everything unread.
RETRAIN_SHARE = 0.05


class PersonalStore(ReadingStore, ModelStore, Protocol):
    """The two roles this needs."""
