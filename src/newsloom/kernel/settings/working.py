"""Where the stages are computed: in one process, in several, or on several machines."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.settings.declaring import doc


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
