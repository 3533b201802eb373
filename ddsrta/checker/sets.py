"""Threads that move between cores, as far as that is known (definition core-sets)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import FAIR, Place, System


def check_sets(system: System) -> None:
    """Raises where something on these cores is not known together with them."""
    moving = {f"threads.{shown(n)}": t.place for n, t in system.threads.items() if t.place.cores}
    if any(thread.executor for thread in system.threads.values() if thread.place.cores):
        raise CertificateError("threads: a callback moves")
    executors = {
        f"executors.{shown(name)}": each.place._replace(cores=each.cores)
        for name, each in system.executors.items()
        if each.moving
    }
    if {core for one in moving.values() for core in one.cores} & {
        core for one in executors.values() for core in one.cores
    }:
        raise CertificateError("executors: threads move where those of an executor do")
    moving |= executors
    owners: dict[str, list[Place]] = {}
    for where, place in moving.items():
        _check_set(system, place, where)
        for core in place.cores:
            owners.setdefault(core, []).append(place)
    for where, place in moving.items():
        for other in (one for core in place.cores for one in owners[core]):
            if set(other.cores) != set(place.cores):
                raise CertificateError(f"{where}: shares some cores of another set")
    for executor in system.executors.values():
        if not executor.moving and set(executor.cores) & set(owners):
            raise CertificateError("executors: a pool has cores between which threads move")
    for where, place in _pinned(system):
        for other in owners.get(place.core, ()):
            if place.reservation is not None or place.priority in (FAIR, other.priority):
                message = "is reserved, fair, or equals a thread that moves here"
                raise CertificateError(f"{where}: {message}")


def _check_set(system: System, place: Place, where: str) -> None:
    cores = place.cores
    if len(set(cores)) < max(2, len(cores)) or place.core != cores[0]:
        raise CertificateError(f"{where}: its cores are no set of several")
    if place.partition is not None or place.reservation is not None or system.sleeps:
        raise CertificateError(f"{where}: moves, with a reservation, locks or limits")
    if len({core.partition("/")[0] for core in cores}) > 1:
        raise CertificateError(f"{where}: moves between machines")
    for core in cores:
        if core not in system.cores or system.cores[core][:2] != (None, {}):
            raise CertificateError(f"{where}: {shown(core)} is no whole core")


def _pinned(system: System) -> Iterator[tuple[str, Place]]:
    for kind in ("threads", "executors", "controllers", "listeners"):
        for name, thing in getattr(system, kind).items():
            moves = thing.place.cores or getattr(thing, "moving", 0)
            if not (moves or getattr(thing, "executor", None)):
                yield f"{kind}.{shown(name)}", thing.place
