"""Where the stages are computed: in one process, in several, or on several machines."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class WorkSettings:
    """Where `newsloom work` computes the stages."""

    engine: str = doc(
        "Where `newsloom work` computes: local (in that process), processes (several on this "
        "machine), ray (actors on the machines of a Ray cluster; needs that extra).",
        "local",
    )
    workers: int = doc(
        "How many workers processes and ray may use at once; 0: one for each processor.",
        0,
        least=0,
    )
    stages: tuple[str, ...] = doc("Only these stages, such as text and embed; empty: all.", ())
    ray_address: str = doc(
        "The Ray cluster, such as 10.0.0.5:6379; empty: one that is started on this machine, for "
        "as long as the work lasts.",
        "",
    )
    ray_cpus: float = doc("Processors that Ray keeps for one worker.", 1.0, least=0)
    ray_gpus: float = doc(
        "How much of a graphics processor Ray keeps for a worker that embeds, such as 0.5; 0: "
        "articles are embedded on processors, by the same workers as everything else.",
        0.0,
        least=0,
    )
    idle_seconds: float = doc(
        "How long a worker on Ray stays, with its models, when there is nothing left for it.",
        60.0,
        least=1,
    )
