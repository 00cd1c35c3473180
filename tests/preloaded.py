"""What the program imports when it is needed, for forkservers to import at once.

A process that is killed after a tenth of a second would spend it on importing.
"""

from __future__ import annotations

from newsloom import types
from newsloom.store import AGGREGATES

STORE = (
    *(f"newsloom.store.{name}.store" for name in AGGREGATES),
    *(f"newsloom.types.{module}" for module in types.MODULES),
)
APP = (
    *STORE,
    *("newsloom.app", "newsloom.fetch", "newsloom.models.registry", "newsloom.training"),
    *(
        "newsloom.classify.head",
        "newsloom.models.onnx_encoder",
        "newsloom.classify.shipped",
    ),
    *("newsloom.pipeline", "newsloom.llm.runner", "newsloom.pipeline.callback"),
    *("newsloom.pipeline.extracting", "newsloom.pipeline.full_text", "newsloom.pipeline.icons"),
    *("newsloom.pipeline.pushing", "newsloom.pipeline.duplicates", "newsloom.reader.feeds"),
    *("newsloom.text.entities", "newsloom.text.websub"),
)
