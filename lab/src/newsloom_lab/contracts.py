"""An import-linter contract for packages by feature: `type = "features"` in pyproject.toml.

Packages import only packages that stand before them in one list. Inside a package, layers import
only what is below: values < pure functions < store < service < surfaces. Values are plain data that
every package may name, but for the kernel, which names no package. Surfaces (pages, API, commands,
sync protocols) may use the services of every package, and no store. Facades hold what all
packages bring together, so services may name them: the store, the opened application, its reader
and what language models are asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

VALUES, PURE, STORE, SERVICE, SURFACE = range(5)
LAYERS = {
    "values": VALUES,
    "ports": VALUES,
    "store": STORE,
    "service": SERVICE,
    "stage": SERVICE,
    "stages": SERVICE,
    "purposes": SERVICE,
    "pipeline": SERVICE,
    "jobs": SERVICE,
    "training": SERVICE,
    "measure": SERVICE,
    "voices": SERVICE,
    "pages": SURFACE,
    "api": SURFACE,
    "commands": SURFACE,
    "command": SURFACE,
}
SURFACES = {"web", "api", "cli", "mcp", "sync", "__main__"}  # packages that are nothing else
FACADES = {"newsloom.store", "newsloom.app", "newsloom.app.reader", "newsloom.app.purposes"}


def package(module: str) -> str:
    """The feature package of a module below `newsloom`."""
    return module.split(".")[1]


def _below(module: str, prefixes: Iterable[object]) -> bool:
    return any(f"{module}.".startswith(f"newsloom.{one}.") for one in prefixes)


def layer(module: str) -> int:
    """The layer of a module: of the part of its path that names one, nearest to the package."""
    _, name, *path = module.split(".")
    if name == "kernel":
        return VALUES
    named = [LAYERS[part] for part in path if part in LAYERS]
    if named:
        return named[0]
    if name in SURFACES:
        return SURFACE
    return SERVICE if name in {"app", "store", "engines"} else PURE


class Features(Contract):
    """Packages in one order, layers inside each.

    `packages`: their names, the lowest first. `pure`: packages whose values and pure functions
    import nothing of `impure`. `exceptions`: "importer -> imported", each a module or a prefix of
    modules; one that no import needs any more fails the contract too.
    """

    packages = fields.ListField(subfield=fields.StringField())
    pure = fields.ListField(subfield=fields.StringField())
    impure = fields.ListField(subfield=fields.StringField())
    exceptions = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        order, pure, impure, exceptions = (
            [str(one) for one in cast("Iterable[object]", field)]
            for field in (self.packages, self.pure, self.impure, self.exceptions)
        )
        excused = [tuple(one.split(" -> ")) for one in exceptions]
        used: set[tuple[str, ...]] = set()
        broken = []
        modules = {one for one in graph.modules if one.startswith("newsloom.")}
        missing = sorted({package(one) for one in modules} - set(order))
        for importer in sorted(modules):
            for imported in sorted(graph.find_modules_directly_imported_by(importer) & modules):
                if missing or self._allowed(importer, imported, order):
                    continue
                why = {
                    one
                    for one in excused
                    if _below(importer, one[:1]) and _below(imported, one[1:])
                }
                used |= why
                if not why:
                    broken.append(f"{importer} -> {imported}")
            if _below(importer, pure) and (layer(importer) <= PURE or importer[9:] in pure):
                found = graph.find_modules_directly_imported_by(importer) & set(impure)
                broken += [f"{importer} -> {one}" for one in sorted(found)]
        unused = sorted(" -> ".join(one) for one in set(excused) - used)
        return ContractCheck(
            kept=not (broken or missing or unused),
            metadata={"broken": broken, "missing": missing, "unused": unused},
        )

    @staticmethod
    def _allowed(importer: str, imported: str, order: list[str]) -> bool:
        own, other = package(importer), package(imported)
        above, below = layer(importer), layer(imported)
        if own == other:
            return below <= above
        if below == VALUES and other != "kernel":
            return own != "kernel"
        if above == SURFACE:
            return below != STORE
        if imported in FACADES:
            return above >= SERVICE
        return below < SURFACE and order.index(other) < order.index(own)

    def render_broken_contract(self, check: ContractCheck) -> None:
        for kind, words in (
            ("missing", "in no order"),
            ("unused", "an exception that nothing needs"),
            ("broken", "not allowed"),
        ):
            for one in check.metadata[kind]:
                output.print_error(f"{one}: {words}")
